#include "ui/views/pan_tool.h"

#include "ui/models/document.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/way_in.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>

namespace headlight {

CanvasTool::Takes PanTool::press(const QMouseEvent& event) {
    start_ = last_ = event.position();
    return Takes::drags;
}

void PanTool::drag(QPointF to) {
    const ShownFigure* now = canvas_.shown();
    const auto index = now && !canvas_.zoom().is_whole() ? now->panel_at(start_) : std::nullopt;
    if (!index || !now->is_windowed(*index))
        return;
    const QRectF& cells = now->panel_layout(*index).cells;
    const QPointF way = last_ - to;
    Zoom panned = canvas_.zoom();
    panned.columns.pan(way.x() / cells.width() * static_cast<double>(panned.columns.count()));
    panned.rows.pan(way.y() / cells.height() * static_cast<double>(panned.rows.count()));
    last_ = to;
    canvas_.setCursor(Qt::ClosedHandCursor);
    canvas_.document().looking().zoom_to(panned.part());
}

bool PanTool::release(QPointF at) { return canvas_.place_at(start_) == canvas_.place_at(at); }

bool PanTool::key(const QKeyEvent& event) {
    switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom_here(key_zoom_factor);
        return true;
    case Qt::Key_Minus:
        zoom_here(1 / key_zoom_factor);
        return true;
    case Qt::Key_0:
        reset();
        return true;
    default:
        return false;
    }
}

bool PanTool::zoom_by(double factor, QPointF around) {
    const ShownFigure* now = canvas_.shown();
    const auto index = now ? now->panel_at(around) : std::nullopt;
    if (!index || now->panel(*index).overlay || now->panel(*index).flow)
        return false;
    Zoom next = canvas_.zoom();
    if (!now->is_windowed(*index))
        next.fit(now->panel(*index).rows, now->panel(*index).columns);
    const QRectF& cells = now->panel_layout(*index).cells;
    next.zoom(factor, std::clamp((around.y() - cells.top()) / cells.height(), 0.0, 1.0),
              std::clamp((around.x() - cells.left()) / cells.width(), 0.0, 1.0));
    if (next.part() == canvas_.zoom().part())
        return false;
    canvas_.document().looking().zoom_to(next.part());
    return true;
}

void PanTool::zoom_here(double factor) {
    const ShownFigure* now = canvas_.shown();
    if (!now)
        return;
    const Index lead = now->leading_panel(canvas_.selection());
    const auto place = canvas_.current_place();
    const QRectF cell = place ? now->place_rect(lead, *place) : QRectF();
    if (zoom_by(factor, cell.isEmpty() ? now->panel_layout(lead).cells.center() : cell.center()))
        return;
    WayIn& way = WayIn::of(canvas_.document());
    factor > 1 ? way.go_in() : way.go_out();
}

void PanTool::reset() { canvas_.document().looking().zoom_to(std::nullopt); }

}  // namespace headlight
