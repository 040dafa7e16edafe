#pragma once

#include "ui/views/canvas_tool.h"

#include <QRectF>

namespace headlight {

class HeadsCanvas;

/// Picks out the heads of points, in every view, by a drag around them.
class BrushTool : public CanvasTool {
public:
    explicit BrushTool(HeadsCanvas& canvas) : canvas_(canvas) {}

    Takes press(const QMouseEvent& event) override;
    void drag(QPointF to) override;
    bool release(QPointF at) override;
    void abandon() override { area_ = QRectF(); }
    void paint(QPainter& painter) const override;

private:
    HeadsCanvas& canvas_;
    QPointF start_;
    QRectF area_;  ///< empty while nothing is dragged
};

}  // namespace headlight
