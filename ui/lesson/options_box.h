#pragma once

#include "core/lesson/answer.h"

#include <QStringList>
#include <QWidget>

#include <optional>

class QButtonGroup;
class QCheckBox;
class QSpinBox;

namespace headlight {

/// "1  with king", as a class calls them.
QStringList numbered_options(const Question& question);

/// The options of a question: one of them is chosen, or the hands of a class are counted for each.
class OptionsBox : public QWidget {
    Q_OBJECT
public:
    explicit OptionsBox(const Question& question, QWidget* parent = nullptr);

    /// Nothing as long as nobody has chosen and no hand was counted.
    std::optional<Guess> guess() const;
    bool is_counting() const;
    void set_counting(bool counts);
    /// Chooses that option, where hands are not counted and there is one.
    void choose(int option);
    /// Chooses the option so many further down, from the ends on: with none chosen, the first or the last.
    void choose_by(int by);
    /// Puts the focus on the first option, or where hands are counted on its field.
    void take_focus();
    /// Puts the focus on the field of an option's hands. False where it cannot be seen.
    bool focus_hands(int option);
    /// The hands of each option, as they are counted.
    std::vector<int> hands() const;
    void set_hands(int option, int hands);
    /// Where Tab stops, in its order.
    std::vector<QWidget*> tab_stops() const;
    /// Makes Tab lead from the last control of the box to `next`.
    void lead_to(QWidget& next);

signals:
    void changed();

protected:
    /// The words of an option are as good as its button.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QCheckBox* counting_;
    QButtonGroup* chosen_;
    std::vector<QSpinBox*> hands_;
};

}  // namespace headlight
