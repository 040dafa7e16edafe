#pragma once

#include <QObject>
#include <QPointer>

class QStyle;
class QWidget;

namespace headlight {

/// The frame around a list, a table or a text that was given the keys by keys. What scrolls has a frame of
/// one pixel or none, and the style no place there to paint a wider one. Lies over it, and lets the mouse
/// through.
///
/// It and the frames that the style paints are there as :focus-visible has them in CSS: Qt remembers of a
/// window that keys were used in it and never forgets, so that each click would show one from then on. A
/// click on what takes no text ends that, until keys lead on.
class FocusRing : public QObject {
    Q_OBJECT
public:
    /// Belongs to the program's style.
    explicit FocusRing(QStyle& style);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow(QWidget* focus);
    /// Its frame goes, which keys have brought.
    void take_frame_from(QWidget& clicked);

    QPointer<QWidget> around_, ring_;
};

}  // namespace headlight
