#pragma once

#include "core/lesson/answer.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace headlight {

class HandsBox;

/// A question and what is guessed of it: a slider for a weight, a list for an answer that is chosen, a line
/// for a word, a cell of the picture. Of every kind the hands of a class can be counted.
class QuestionBox : public QWidget {
    Q_OBJECT
public:
    explicit QuestionBox(QWidget* parent = nullptr);

    /// Asks it; nothing is asked of null.
    void ask(const Question* question);
    /// A cell of the picture was selected.
    void take_cell(Index query, Index key, const QString& words);
    /// Gives the focus to what the question is answered with. False where that is not here, as for a cell of
    /// the picture.
    bool take_focus();

signals:
    /// Nobody guesses: the answer is to be shown.
    void answer_asked();
    /// One guess, or those that hands were counted for.
    void answered(const std::vector<headlight::Guess>& guesses);

private:
    /// `words` to be read beside the hands that are for it.
    void guess(std::optional<Guess> guess, const QString& words = {});
    std::vector<Guess> guesses() const;

    QVBoxLayout* column_;
    QLabel* asked_;
    QWidget* control_ = nullptr;
    HandsBox* hands_ = nullptr;  ///< in the control; none where each option has its own
    QPushButton *answer_, *show_;
    std::optional<Question> question_;
    std::optional<Guess> guess_;
};

}  // namespace headlight
