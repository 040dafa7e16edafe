#pragma once

#include <QObject>
#include <QPointer>

class QKeyEvent;
class QWidget;

namespace headlight {

class MotionBar;
class PlayerBar;
class QuestionBox;

/// The keys of the player. Right, Left, Up, Down and the digits work whatever control of the window has the
/// focus, but for a text being typed and an open pop-up; Shift + arrow keys are left to that control. Space,
/// Home, End and the page keys work where no control uses them. An open question of a lesson has them all:
/// what answers it must not move the picture that it is about.
class PlayerKeys : public QObject {
    Q_OBJECT
public:
    explicit PlayerKeys(PlayerBar& player);

    void give_way_to(QuestionBox& question);
    /// While it shows a motion, Left, Right, Space, Home and End are the motion's, and Esc ends it.
    void give_way_to(MotionBar& motion);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool handle_for_question(const QKeyEvent& key, QWidget& receiver);
    bool handle_everywhere(const QKeyEvent& key, const QWidget& receiver);
    bool handle_unused(const QKeyEvent& key, const QWidget& receiver);
    /// Whether nothing but the player uses that key there.
    bool is_unused(const QKeyEvent& key, const QWidget& receiver) const;

    PlayerBar& player_;
    QPointer<QuestionBox> question_;
    QPointer<MotionBar> motion_;
};

}  // namespace headlight
