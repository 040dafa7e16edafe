#include "ui/views/brush_tool.h"

#include "ui/views/heads_canvas.h"

#include <QMouseEvent>
#include <QPainter>

#include <utility>

namespace headlight {

CanvasTool::Takes BrushTool::press(const QMouseEvent& event) {
    start_ = event.position();
    return canvas_.shows_points() ? Takes::drags : Takes::nothing;
}

void BrushTool::drag(QPointF to) {
    area_ = QRectF(start_, to).normalized();
    canvas_.update();
}

bool BrushTool::release(QPointF) {
    canvas_.brush(std::exchange(area_, QRectF()));
    canvas_.update();
    return false;
}

void BrushTool::paint(QPainter& painter) const {
    if (area_.isNull())
        return;
    QColor fill = canvas_.palette().color(QPalette::Highlight);
    painter.setPen(QPen(fill, 1));
    fill.setAlphaF(0.12f);
    painter.setBrush(fill);
    painter.drawRect(area_);
}

}  // namespace headlight
