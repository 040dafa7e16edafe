#pragma once

#include "core/lesson/answer.h"

#include <QWidget>

#include <optional>
#include <vector>

class QKeyEvent;
class QLabel;
class QLineEdit;
class QPushButton;
class QSlider;
class QVBoxLayout;

namespace headlight {

class HandsBox;
class OptionsBox;

/// A question and what is guessed of it: a slider for a weight, a list for an answer that is chosen, a line
/// for a word, a cell of the picture. Of every kind the hands of a class can be counted.
class QuestionBox : public QWidget {
    Q_OBJECT
public:
    explicit QuestionBox(QWidget* parent = nullptr);

    /// Asks it; nothing is asked of null.
    void ask(const Question* question);
    bool is_asking() const { return question_.has_value(); }
    /// The frame of the picture stands on a cell: it is the guess.
    void take_cell(Index query, Index key, const QString& words);
    /// It stands where no guess can be; `why` is read in its place.
    void refuse_cell(const QString& why);
    void set_word(const QString& word);
    /// A key that was pressed anywhere in the window, but for a text being typed, while a question is open.
    /// Arrow keys, digits and Enter set the guess and give it; true for all of these, so that they change
    /// nothing else.
    bool take_key(const QKeyEvent& key);
    /// Gives the focus to what the question is answered with. False where that is not here, as for a cell of
    /// the picture.
    bool take_focus();

public slots:
    /// Answers with what is guessed; nothing happens as long as nothing is.
    void give();

signals:
    /// What is guessed at the moment, to be read; empty where nothing is.
    void guess_changed(const QString& words);
    /// The frame of the picture is to move by so many rows and columns.
    void cell_step_asked(int rows, int columns);
    /// Nobody guesses: the answer is to be shown.
    void answer_asked();
    /// One guess, or those that hands were counted for.
    void answered(const std::vector<headlight::Guess>& guesses);

private:
    void add_weight(QVBoxLayout& column);
    void add_cell(QVBoxLayout& column);
    void add_word(QVBoxLayout& column);
    void add_options(QVBoxLayout& column);
    bool asks_for(Question::Kind kind) const { return question_ && question_->kind == kind; }
    void guess_weight();
    void step(int rows, int columns);
    void take_digit(int digit);
    bool is_counting() const;
    /// `words` to be read beside the hands that are for it.
    void guess(std::optional<Guess> guess, const QString& words = {});
    std::vector<Guess> guesses() const;

    QVBoxLayout* column_;
    QLabel* asked_;
    QWidget* control_ = nullptr;
    // In the control, each where its kind of question is asked.
    HandsBox* hands_ = nullptr;  ///< none where each option has its own
    QSlider* weight_ = nullptr;
    QLabel* said_ = nullptr;  ///< the weight or the cell that is guessed
    QLineEdit* word_ = nullptr;
    OptionsBox* options_ = nullptr;
    bool counts_hands_ = false;  ///< at the question before: who counts goes on counting
    QPushButton *answer_, *show_;
    std::optional<Question> question_;
    std::optional<Guess> guess_;
};

}  // namespace headlight
