#pragma once

#include <QWidget>

#include <functional>
#include <vector>

class QTimer;

namespace headlight {

class Banner;

/// Messages in a line of the window, in place of what stands at its end. They never lie over a picture, and
/// they come and go without moving anything: none of them takes room from the layout of the window. One is
/// shown at a time.
class MessageArea : public QWidget {
    Q_OBJECT
public:
    /// Lies over `line`, which owns it, from where `place` begins to the end. While a message is shown
    /// `place`, a part of the line, cannot be used.
    MessageArea(QWidget* line, QWidget* place);

    /// Lies elsewhere from now on. A line may be the place itself: what stands in it is covered, and stays in
    /// use.
    void lie_over(QWidget* line, QWidget* place);

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
    void lie_over_place();

    std::vector<Message> messages_;  ///< the first that has something to say is shown
    Banner* passing_;
    QTimer* until_gone_;
    QWidget* place_;
};

}  // namespace headlight
