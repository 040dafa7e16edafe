#pragma once

#include <QPointer>
#include <QWidget>

#include <vector>

class QTimer;

namespace headlight {

class Banner;

/// Messages over the lower edge of a picture. They come and go without moving anything: none of them takes
/// room from the layout of the window. One is shown at a time, since each covers a part of the picture.
class MessageArea : public QWidget {
    Q_OBJECT
public:
    /// Lies over `views`, which owns it.
    explicit MessageArea(QWidget* views);

    /// Takes a message: what was said last is shown, and what was said before once that has gone.
    void add(Banner* message);
    /// Takes a hint, which waits until nothing else is to be said; the first one taken comes first.
    void add_hint(QWidget* hint);
    /// Says something in passing: it goes by itself after eight seconds, or when the next is said.
    void say(const QString& text);

public slots:
    /// The part of the views that messages lie over, so that they keep clear of the controls around it.
    void set_picture(QWidget* picture);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// The message, and what is hidden while it waits: hiding the message itself is its owner's part.
    struct Message {
        QWidget* said;
        QWidget* holder;
    };

    void hold(QWidget* message);
    /// Before all others.
    void bring_forward(const Banner* message);
    void show_first();
    /// Null when there is nothing to say.
    const Message* first() const;
    /// At the lower edge of the picture, as high as the message that is shown needs.
    void place();

    std::vector<Message> messages_;  ///< the first that has something to say is shown
    Banner* passing_;
    QTimer* until_gone_;
    QPointer<QWidget> picture_;
};

}  // namespace headlight
