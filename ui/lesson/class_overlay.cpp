#include "ui/lesson/class_overlay.h"

#include "ui/lesson/class_pen.h"

#include <QApplication>
#include <QCursor>
#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace headlight {

ClassOverlay::ClassOverlay(QWidget* window) : QWidget(window) {
    setObjectName(QStringLiteral("class_overlay"));
    setAccessibleName(tr("Over the window: a ring, or black"));
    setAttribute(Qt::WA_NoSystemBackground);
    window->installEventFilter(this);
    hide();
}

void ClassOverlay::set_black(bool on) {
    is_black_ = on;
    if (on)
        QToolTip::hideText();  // a window of its own, which would stay over the black
    show_what_is_on();
}

void ClassOverlay::set_ring(bool on) {
    if (has_ring_ == on)
        return;
    has_ring_ = on;
    // Only while it is on: every event of the program passes.
    if (on)
        qApp->installEventFilter(this);
    else
        qApp->removeEventFilter(this);
    show_what_is_on();
}

void ClassOverlay::show_what_is_on() {
    setAttribute(Qt::WA_TransparentForMouseEvents, !is_black_);
    setGeometry(parentWidget()->rect());
    pointer_ = QCursor::pos();
    setVisible(is_black_ || has_ring_);
    raise();
    update();
}

QRect ClassOverlay::ring_area() const {
    const int radius = fontMetrics().height() * 2 + static_cast<int>(stroke_width(width()));
    QRect area(0, 0, 2 * radius + 1, 2 * radius + 1);
    area.moveCenter(mapFromGlobal(pointer_));
    return area;
}

bool ClassOverlay::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && (event->type() == QEvent::Resize || event->type() == QEvent::Move)) {
        setGeometry(parentWidget()->rect());
        update();
    }
    if (has_ring_ && event->type() == QEvent::MouseMove) {
        const QRect before = ring_area();
        pointer_ = static_cast<QMouseEvent*>(event)->globalPosition().toPoint();
        update(before.united(ring_area()));
    }
    return QWidget::eventFilter(watched, event);
}

void ClassOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (is_black_)
        return painter.fillRect(rect(), Qt::black);
    if (!has_ring_)
        return;
    const double width = stroke_width(this->width()), margin = 1.6 * width;
    const QRectF circle = QRectF(ring_area()).adjusted(margin, margin, -margin, -margin);
    paint_stroke(painter, width, [&] { painter.drawEllipse(circle); });
}

void ClassOverlay::mousePressEvent(QMouseEvent*) { emit black_ended(); }

}  // namespace headlight
