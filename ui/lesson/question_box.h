#pragma once

#include "core/lesson/answer.h"

#include <QStringList>
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

    /// Tab comes from there to what is asked.
    void set_tab_anchor(QWidget& before) { tab_anchor_ = &before; }
    /// While somebody presents, letters are keys of a remote and of black, ring and pen: a field for a word
    /// has the focus only when somebody goes into it.
    void set_presenting(bool presenting) { is_presenting_ = presenting; }

    /// Whether the question is read at the moment, here or elsewhere. Before that its keys lead there, and
    /// give no guess.
    void set_in_sight(bool in_sight) { is_in_sight_ = in_sight; }
    /// Whether it is asked nowhere at the moment, and leaves the keys to the picture.
    void set_put_away(bool put_away);
    bool is_put_away() const { return is_put_away_; }

    /// Asks it; nothing is asked of null.
    void ask(const Question* question);
    bool is_asking() const { return question_.has_value(); }
    /// What is said where the key that goes on has stopped at the question: "PgDown once more shows the
    /// answer."
    static QString words_of_answer_next();
    /// Says that, or not any more.
    void show_answer_next(bool next);
    /// The frame of the picture stands on a cell: it is the guess.
    void take_cell(Index query, Index key, const QString& words);
    /// It stands where no guess can be; `why` is read in its place.
    void refuse_cell(const QString& why);
    void set_word(const QString& word);
    /// A key that was pressed anywhere in the window, but for a text being typed, while a question is open.
    /// Arrow keys, digits and Enter set the guess and give it, or go to the field in which a word is typed or
    /// hands are counted; true for all of these, so that they change nothing else.
    bool take_key(const QKeyEvent& key);
    /// Gives the focus to what the question is answered with. False where that is not here, as for a cell of
    /// the picture, or where nobody has asked for it.
    bool take_focus();

    bool is_counting() const;
    void set_counting(bool counts);
    /// The hands as they are counted: of each option, or of what is guessed now; empty where none are.
    std::vector<int> hands() const;
    void set_hands(int at, int hands);
    /// Whether hands() can be set: somebody has to guess first, where there are no options.
    bool takes_hands() const { return options_ || guess_; }
    /// What was counted of a weight, a cell or a word, a line for each guess.
    QStringList tally() const;

public slots:
    /// Enter in the field of a word: goes on with its hands where they are counted, else gives the guess.
    void finish_word();
    /// Answers with what is guessed; nothing happens as long as nothing is.
    void give();

signals:
    /// What is guessed at the moment, to be read; empty where nothing is.
    void guess_changed(const QString& words);
    /// The frame of the picture is to move by so many rows and columns.
    void cell_step_asked(int rows, int columns);
    /// is_put_away() is another.
    void put_away_changed();
    /// A key that answers it was pressed while it was not read yet.
    void sight_wanted();
    /// Hands are counted or not any more, or others than before.
    void hands_changed();
    /// A key goes to the field of the word, or of the hands of an option, which cannot be seen here.
    void word_field_wanted();
    void hands_field_wanted(int at);
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
    /// An arrow key, or Enter.
    void take_way(int key);
    void take_enter();
    void go_to_word();
    void go_to_hands(int at);
    void order_tabs();
    /// That of a weight or a word; nullptr where the question has another kind.
    QWidget* own_field() const;
    /// `words` to be read beside the hands that are for it.
    void guess(std::optional<Guess> guess, const QString& words = {});
    std::vector<Guess> guesses() const;

    QVBoxLayout* column_;
    QLabel *asked_, *answer_next_;
    QWidget* control_ = nullptr;
    // In the control, each where its kind of question is asked.
    HandsBox* hands_ = nullptr;  ///< none where each option has its own
    QSlider* weight_ = nullptr;
    QLabel* said_ = nullptr;  ///< the weight or the cell that is guessed
    QLineEdit* word_ = nullptr;
    OptionsBox* options_ = nullptr;
    bool counts_hands_ = false;  ///< at the question before: who counts goes on counting
    bool is_presenting_ = false;
    bool is_in_sight_ = true, is_put_away_ = false;
    bool was_at_hands_ = false;  ///< of what is guessed: Enter has led to their field
    QWidget* tab_anchor_ = nullptr;
    QPushButton *answer_, *show_;
    std::optional<Question> question_;
    std::optional<Guess> guess_;
};

}  // namespace headlight
