#include "ui/views/mask_tool.h"

#include "ui/models/mask_drawing.h"
#include "ui/views/mask_canvas.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace headlight {

CanvasTool::Takes MaskTool::press(const QMouseEvent& event) {
    const bool allow = (event.button() == Qt::LeftButton) == canvas_.brush();
    const QPoint cell = canvas_.cell_at(event.position());
    if (cell.x() == -2 || cell.y() == -2 || (cell.x() == -1 && cell.y() == -1))
        return Takes::nothing;
    MaskDrawing& drawing = canvas_.drawing();
    drawing.begin_stroke();
    if (cell.x() == -1) {
        drawing.toggle_row(cell.y(), allow);
        return Takes::everything;
    }
    if (cell.y() == -1) {
        drawing.toggle_column(cell.x(), allow);
        return Takes::everything;
    }
    canvas_.set_cursor(cell);
    stroke_ = Stroke{cell, allow, std::nullopt};
    if (event.modifiers().testFlag(Qt::ShiftModifier))
        stroke_->corner = cell;
    else
        drawing.draw_line(cell, cell, allow);
    canvas_.describe_cell(cell);
    canvas_.update();
    return Takes::everything;
}

void MaskTool::drag(QPointF to) {
    const QPoint cell = canvas_.cell_at(to);
    canvas_.describe_cell(cell);
    if (!stroke_ || !MaskCanvas::is_cell(cell) || cell == stroke_->last)
        return;
    if (!stroke_->corner)
        canvas_.drawing().draw_line(stroke_->last, cell, stroke_->allow);
    stroke_->last = cell;
    canvas_.set_cursor(cell);
    canvas_.update();
}

bool MaskTool::release(QPointF) {
    const std::optional<Stroke> stroke = std::exchange(stroke_, std::nullopt);
    if (stroke && stroke->corner) {
        const QPoint a = *stroke->corner, b = stroke->last;
        canvas_.drawing().draw_rectangle(QRect(QPoint(std::min(a.x(), b.x()), std::min(a.y(), b.y())),
                                               QPoint(std::max(a.x(), b.x()), std::max(a.y(), b.y()))),
                                         stroke->allow);
    }
    announce_cell(canvas_);
    canvas_.update();
    return false;
}

void MaskTool::walk(QPoint by, bool draw) {
    MaskDrawing& drawing = canvas_.drawing();
    const QPoint before = canvas_.cursor();
    const QPoint here(std::clamp(before.x() + by.x(), 0, static_cast<int>(drawing.keys()) - 1),
                      std::clamp(before.y() + by.y(), 0, static_cast<int>(drawing.queries()) - 1));
    canvas_.set_cursor(here);
    if (!draw)
        return announce_cell(canvas_);
    drawing.begin_stroke();
    drawing.draw_line(before, here, canvas_.brush());
}

bool MaskTool::key(const QKeyEvent& event) {
    MaskDrawing& drawing = canvas_.drawing();
    const bool draw = event.modifiers().testFlag(Qt::ShiftModifier);
    const QPoint here = canvas_.cursor();
    switch (event.key()) {
    case Qt::Key_Left:
        walk({-1, 0}, draw);
        break;
    case Qt::Key_Right:
        walk({1, 0}, draw);
        break;
    case Qt::Key_Up:
        walk({0, -1}, draw);
        break;
    case Qt::Key_Down:
        walk({0, 1}, draw);
        break;
    case Qt::Key_Home:
        walk({-here.x(), 0}, draw);
        break;
    case Qt::Key_End:
        walk({static_cast<int>(drawing.keys()), 0}, draw);
        break;
    case Qt::Key_Space:
        drawing.begin_stroke();
        drawing.toggle(here.y(), here.x());
        break;
    case Qt::Key_R:
        drawing.begin_stroke();
        drawing.toggle_row(here.y(), canvas_.brush());
        break;
    case Qt::Key_C:
        drawing.begin_stroke();
        drawing.toggle_column(here.x(), canvas_.brush());
        break;
    default:
        return false;
    }
    canvas_.describe_cell(canvas_.cursor());
    canvas_.update();
    return true;
}

void MaskTool::paint(QPainter& painter) const {
    if (!stroke_ || !stroke_->corner)
        return;
    painter.setPen(QPen(canvas_.palette().color(QPalette::Text), 2, Qt::DashLine));
    const QPoint a = *stroke_->corner, b = stroke_->last;
    painter.drawRect(canvas_.cell_rect(a.y(), a.x()).united(canvas_.cell_rect(b.y(), b.x())));
}

}  // namespace headlight
