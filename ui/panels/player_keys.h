#pragma once

#include <QObject>

class QKeyEvent;
class QWidget;

namespace headlight {

class PlayerBar;

/// The keys of the player. Right, Left, Up, Down and the digits work whatever control of the window has the
/// focus, but for a text being typed and an open pop-up; Shift + arrow keys are left to that control. Space,
/// Home, End and the page keys work where no control uses them.
class PlayerKeys : public QObject {
    Q_OBJECT
public:
    explicit PlayerKeys(PlayerBar& player);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool handle_everywhere(const QKeyEvent& key, const QWidget& receiver);
    bool handle_unused(const QKeyEvent& key, const QWidget& receiver);

    PlayerBar& player_;
};

}  // namespace headlight
