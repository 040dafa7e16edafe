#pragma once

#include <QToolBar>

namespace headlight {

class Actions;
class DepthSign;
class Document;
class MotionBar;
class PlayerBar;
class RunStatus;
class WindowMessages;
class WindowSettings;
struct MessageRoom;

/// Below the picture: the player and, beside it, how near the picture is, where it has room, what runs
/// and what is learned, in one line; above them the controls of pictures that move, while one does.
class PlayerLine : public QToolBar {
    Q_OBJECT
public:
    /// Does the work of the `actions` of the player. `learned` says what is learned.
    PlayerLine(Document& document, WindowSettings& settings, Actions& actions, QWidget* learned,
               QWidget* parent = nullptr);

    PlayerBar& player() { return *player_; }
    MotionBar& motion() { return *motion_; }
    /// How near, what runs and what is learned.
    QWidget& status() { return *status_; }
    /// Where messages lie over words, or in a line of their own above the player.
    MessageRoom message_room();
    /// From now on `messages` have what is said here.
    void say_in(WindowMessages& messages);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void show_what_has_room();
    /// The size of the type.
    int type_size() const;

    PlayerBar* player_;
    MotionBar* motion_ = nullptr;
    DepthSign* depth_;
    RunStatus* run_;
    QWidget *status_, *line_, *message_line_;
};

}  // namespace headlight
