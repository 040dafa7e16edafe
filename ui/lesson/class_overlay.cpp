#include "ui/lesson/class_overlay.h"

#include <QApplication>
#include <QCursor>
#include <QEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace headlight {
namespace {

// Seen from the last row on light, dark and coloured pictures alike.
constexpr QColor pen_colour(214, 39, 40), pen_edge(255, 255, 255);

}  // namespace

ClassOverlay::ClassOverlay(QWidget* window) : QWidget(window) {
    setObjectName(QStringLiteral("class_overlay"));
    setAccessibleName(tr("Over the picture: ring, pen or black"));
    setAttribute(Qt::WA_NoSystemBackground);
    window->installEventFilter(this);
    hide();
}

void ClassOverlay::set_black(bool on) {
    is_black_ = on;
    settle();
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
    settle();
}

void ClassOverlay::set_pen(bool on) {
    has_pen_ = on;
    if (!on)
        strokes_.clear();
    settle();
}

void ClassOverlay::wipe() {
    strokes_.clear();
    update();
}

void ClassOverlay::settle() {
    setAttribute(Qt::WA_TransparentForMouseEvents, !is_black_ && !has_pen_);
    if (has_pen_ && !is_black_)
        setCursor(Qt::CrossCursor);
    else
        unsetCursor();
    setGeometry(parentWidget()->rect());
    pointer_ = mapFromGlobal(QCursor::pos());
    setVisible(is_black_ || has_ring_ || has_pen_);
    raise();
    update();
}

double ClassOverlay::width_of_line() const { return std::max(3.0, parentWidget()->width() / 320.0); }

QRect ClassOverlay::ring_area() const {
    const int radius = fontMetrics().height() * 2 + static_cast<int>(width_of_line());
    return QRect(pointer_ - QPoint(radius, radius), QSize(2 * radius, 2 * radius));
}

bool ClassOverlay::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    if (has_ring_ && event->type() == QEvent::MouseMove) {
        const QRect before = ring_area();
        pointer_ = mapFromGlobal(static_cast<QMouseEvent*>(event)->globalPosition().toPoint());
        update(before.united(ring_area()).adjusted(-2, -2, 2, 2));
    }
    return QWidget::eventFilter(watched, event);
}

void ClassOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (is_black_)
        return painter.fillRect(rect(), Qt::black);
    painter.setRenderHint(QPainter::Antialiasing);
    const double width = width_of_line();
    const auto draw = [&](const auto& shape) {
        for (const bool is_edge : {true, false}) {
            painter.setPen(QPen(is_edge ? pen_edge : pen_colour, is_edge ? 1.6 * width : width, Qt::SolidLine,
                                Qt::RoundCap, Qt::RoundJoin));
            shape();
        }
    };
    for (const QPolygonF& stroke : strokes_)
        draw([&] { painter.drawPolyline(stroke); });
    if (has_ring_) {
        const double margin = 1.6 * width;
        draw([&] { painter.drawEllipse(QRectF(ring_area()).adjusted(margin, margin, -margin, -margin)); });
    }
}

void ClassOverlay::mousePressEvent(QMouseEvent* event) {
    if (is_black_)
        emit black_ended();
    else
        strokes_.push_back(QPolygonF{event->position(), event->position()});
    update();
}

void ClassOverlay::mouseMoveEvent(QMouseEvent* event) {
    if (is_black_ || strokes_.empty() || !(event->buttons() & Qt::LeftButton))
        return;
    strokes_.back().append(event->position());
    update();
}

}  // namespace headlight
