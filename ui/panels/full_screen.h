#pragma once

#include <QObject>
#include <QRect>
#include <QString>

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
/// (F11 or Esc; Esc closes a message first). For some seconds it says how.
class FullScreen : public QObject {
    Q_OBJECT
public:
    /// `others` are hidden as well. `close_message` returns false where there was none.
    FullScreen(QMainWindow* window, Actions& actions, WindowColumns& columns, ViewTabs& views,
               std::vector<QWidget*> others, std::function<bool()> close_message);

    QAction* action() const { return action_; }

signals:
    /// How the full screen is left, by the keys in force.
    void notice(const QString& text);
    /// What was said with notice() is true no longer.
    void notice_over(const QString& text);

private:
    void enter();
    void leave();
    QString words() const;
    void take_words_back();

    QMainWindow& window_;
    WindowColumns& columns_;
    ViewTabs& views_;
    std::vector<QWidget*> others_, hidden_;
    QAction *action_, *leave_;
    Qt::WindowStates before_;
    QRect geometry_;
    QString said_;  ///< how it is left, until somebody does
};

}  // namespace headlight
