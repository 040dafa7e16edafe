#pragma once

#include <QWidget>

#include <functional>
#include <vector>

class QTimer;

namespace headlight {

class Banner;

/// Where messages lie: over the words of a line that begin with `first` and end with `last`, as high as the
/// line. Nothing that can be pressed stands between them.
struct MessageRoom {
    QWidget* host;  ///< owns the messages; the others stand in it, or are it
    QWidget *line, *first, *last;
    /// In place of the words where they are too short; hidden without a message.
    QWidget* own_line = nullptr;
    std::function<bool()> needs_own_line = {};

    /// What stands in `part` is covered, and stays in use.
    static MessageRoom all_of(QWidget* part) {
        return {.host = part, .line = part, .first = part, .last = part};
    }
};

/// Messages in a line of the window, in place of its words. They lie neither over a picture nor over a
/// button, and they come and go without moving anything, but for the picture of a window that is too narrow
/// for them. One is shown at a time.
class MessageArea : public QWidget {
    Q_OBJECT
public:
    explicit MessageArea(const MessageRoom& room);

    /// Lies elsewhere from now on.
    void lie_over(const MessageRoom& room);

    /// Takes a message: what was said last is shown, and what was said before once that has gone.
    void add(Banner* message);
    /// Takes a hint, which waits until nothing else is to be said; the first one taken comes first. `dismiss`
    /// hides it as its own button does.
    void add_hint(QWidget* hint, std::function<void()> dismiss);
    /// Says something in passing: it goes by itself after eight seconds, or when the next is said.
    void say(const QString& text);
    /// What was said in passing goes now, if it is this: it is true no longer.
    void take_back(const QString& text);
    /// What was said in passing goes now.
    void hide_passing();
    /// Dismisses the message that is shown, which is the newest; what was said before is shown next. False
    /// where there was none.
    bool dismiss_shown();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// The message, and what is hidden while it waits: hiding the message itself is its owner's part.
    struct Message {
        QWidget* said;
        QWidget* holder;
        std::function<void()> dismiss;
    };

    void hold(QWidget* message, std::function<void()> dismiss);
    /// The first that has something to say, or the end.
    std::vector<Message>::iterator shown();
    /// Before all others.
    void bring_forward(const Banner* message);
    void show_first();
    void lie_over_room();
    /// What is resized or moved when the room is.
    std::vector<QWidget*> parts_of_room() const;

    std::vector<Message> messages_;  ///< the first that has something to say is shown
    Banner* passing_;
    QTimer* until_gone_;
    MessageRoom room_;
};

}  // namespace headlight
