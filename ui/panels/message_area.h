#pragma once

#include <QWidget>

class QTimer;
class QVBoxLayout;

namespace headlight {

class Banner;

/// Messages over the lower edge of a picture. They come and go without moving anything: none of them takes
/// room from the layout of the window.
class MessageArea : public QWidget {
    Q_OBJECT
public:
    /// Lies over `picture`, which owns it.
    explicit MessageArea(QWidget* picture);

    /// Takes the message; a message that is shown later stands above the picture's edge then.
    void add(QWidget* message);
    /// Says something in passing: it goes by itself after eight seconds, or when the next is said.
    void say(const QString& text);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// At the lower edge of the picture, as high as what is shown needs; of no height without a message.
    void place();

    QVBoxLayout* messages_;
    Banner* passing_;
    QTimer* until_gone_;
};

}  // namespace headlight
