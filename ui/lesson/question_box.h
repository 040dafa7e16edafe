#pragma once

#include "core/lesson/answer.h"

#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace headlight {

/// A question and what is guessed of it: a slider for a weight, a list for an answer that is chosen, a line
/// for a word, a cell of the picture.
class QuestionBox : public QWidget {
    Q_OBJECT
public:
    explicit QuestionBox(QWidget* parent = nullptr);

    /// Asks it; nothing is asked of null.
    void ask(const Question* question);
    /// A cell of the picture was selected.
    void take_cell(Index query, Index key, const QString& words);

signals:
    void answered(const headlight::Guess& guess);

private:
    void guess(std::optional<Guess> guess);

    QVBoxLayout* column_;
    QLabel* asked_;
    QWidget* control_ = nullptr;
    QPushButton* answer_;
    std::optional<Question> question_;
    std::optional<Guess> guess_;
};

}  // namespace headlight
