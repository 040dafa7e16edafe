#pragma once

#include <QObject>
#include <QPointer>

class QStyle;
class QWidget;

namespace headlight {

/// The frame around a list, a table or a text that was given the keys by keys. What scrolls has a frame of
/// one pixel or none, and the style no place there to paint a wider one. Lies over it, and lets the mouse
/// through.
class FocusRing : public QObject {
    Q_OBJECT
public:
    /// Belongs to the program's style.
    explicit FocusRing(QStyle& style);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow(QWidget* focus);

    QPointer<QWidget> around_, ring_;
};

}  // namespace headlight
