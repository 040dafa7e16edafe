#pragma once

#include "core/lesson/answer.h"

#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

class QCheckBox;
class QLabel;
class QSpinBox;

namespace headlight {

/// Turns the counting of hands on; `effect` says what is counted.
QCheckBox* make_counting_box(const QString& effect);

/// A field for how many hands are up; where nobody has counted, 0.
QSpinBox* make_hands_field(const QString& id, const QString& name, const QString& effect);

/// Counts the hands of a class for guesses that are no list of options: whatever is guessed at the moment
/// takes the hands that are shown for it.
class HandsBox : public QWidget {
    Q_OBJECT
public:
    explicit HandsBox(QWidget* parent = nullptr);

    bool is_counting() const;
    void set_counting(bool counts);
    /// What hands are counted for next, and how it is read; nothing where nothing is guessed.
    void set_guess(const std::optional<Guess>& guess, const QString& words);
    /// Those that somebody is for, in the order in which they came.
    std::vector<Guess> guesses() const;
    /// For what is guessed now.
    int hands() const;
    void set_hands(int hands);
    /// What was counted, a line for each guess: "7 for 0.40".
    QStringList tally() const;
    /// Whoever typed a guess goes on with its hands. False where their field cannot be seen.
    bool take_focus();
    /// Where Tab stops, in its order.
    std::vector<QWidget*> tab_stops() const;

signals:
    void changed();

private:
    struct Counted {
        Guess guess;
        QString words;
    };

    Counted* counted(const Guess& guess);
    void count(int hands);
    void show_tally();

    QCheckBox* counting_;
    QWidget* row_;
    QSpinBox* hands_;
    QLabel* tally_;
    std::optional<Counted> now_;
    std::vector<Counted> counted_;
};

}  // namespace headlight
