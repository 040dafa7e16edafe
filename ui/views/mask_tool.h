#pragma once

#include "ui/views/canvas_tool.h"

#include <QPoint>

#include <optional>

namespace headlight {

class MaskCanvas;

/// Draws on a mask: with the left button as the brush says, with the right one the opposite, with Shift a
/// rectangle; a token's name takes its whole row or column. The arrows walk, Space turns a cell over, with
/// Shift the arrows draw, R and C take the row and the column.
class MaskTool : public CanvasTool {
public:
    explicit MaskTool(MaskCanvas& canvas) : canvas_(canvas) {}

    Qt::MouseButtons buttons() const override { return Qt::LeftButton | Qt::RightButton; }
    Takes press(const QMouseEvent& event) override;
    void drag(QPointF to) override;
    bool release(QPointF at) override;
    bool key(const QKeyEvent& event) override;
    void paint(QPainter& painter) const override;

private:
    struct Stroke {
        QPoint last;
        bool allow = true;
        std::optional<QPoint> corner;  ///< of a rectangle
    };

    void walk(QPoint by, bool draw);

    MaskCanvas& canvas_;
    std::optional<Stroke> stroke_;
};

}  // namespace headlight
