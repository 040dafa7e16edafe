#pragma once

#include <QObject>
#include <QRect>

#include <functional>
#include <vector>

class QAction;
class QMainWindow;
class QWidget;

namespace headlight {

class Actions;
class ViewTabs;
class WindowColumns;

/// The picture and the player alone on the whole screen (F11), and the way back to exactly what was there
/// (F11 or Esc; Esc closes a message first).
class FullScreen : public QObject {
    Q_OBJECT
public:
    /// `others` are hidden as well. `close_message` returns false where there was none.
    FullScreen(QMainWindow* window, Actions& actions, WindowColumns& columns, ViewTabs& views,
               std::vector<QWidget*> others, std::function<bool()> close_message);

    QAction* action() const { return action_; }

private:
    void enter();
    void leave();

    QMainWindow& window_;
    WindowColumns& columns_;
    ViewTabs& views_;
    std::vector<QWidget*> others_, hidden_;
    QAction *action_, *leave_;
    Qt::WindowStates before_;
    QRect geometry_;
};

}  // namespace headlight
