#include "ui/lesson/class_pen.h"

#include <QCursor>
#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPixmap>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr QColor stroke_colour(214, 39, 40), stroke_edge(255, 255, 255);

/// A dot as the pen paints it: the cross of a system is lost on a projector.
QCursor pen_cursor(int window_width) {
    const double width = 2 * stroke_width(window_width);
    const int side = 2 * static_cast<int>(std::ceil(width)) + 1;
    QPixmap dot(side, side);
    dot.fill(Qt::transparent);
    QPainter painter(&dot);
    const QPointF middle(side / 2.0, side / 2.0);
    paint_stroke(painter, width, [&] { painter.drawPoint(middle); });
    return QCursor(dot);
}

}  // namespace

double stroke_width(int window_width) { return std::max(3.0, window_width / 320.0); }

void paint_stroke(QPainter& painter, double width, const std::function<void()>& shape) {
    painter.setRenderHint(QPainter::Antialiasing);
    for (const bool is_edge : {true, false}) {
        painter.setPen(QPen(is_edge ? stroke_edge : stroke_colour, is_edge ? 1.6 * width : width,
                            Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        shape();
    }
}

ClassPen::ClassPen(QWidget* picture) : QWidget(picture) {
    setObjectName(QStringLiteral("class_pen"));
    setAccessibleName(tr("Pen over the picture"));
    setAttribute(Qt::WA_NoSystemBackground);
    setCursor(pen_cursor(window()->width()));
    setGeometry(picture->rect());
    picture->installEventFilter(this);
    show();
    raise();
}

void ClassPen::wipe() {
    strokes_.clear();
    update();
}

bool ClassPen::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

void ClassPen::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    for (const QPolygonF& stroke : strokes_)
        paint_stroke(painter, stroke_width(window()->width()), [&] { painter.drawPolyline(stroke); });
}

void ClassPen::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    strokes_.push_back(QPolygonF{event->position(), event->position()});
    update();
}

void ClassPen::mouseMoveEvent(QMouseEvent* event) {
    if (strokes_.empty() || !(event->buttons() & Qt::LeftButton))
        return;
    strokes_.back().append(event->position());
    update();
}

}  // namespace headlight
