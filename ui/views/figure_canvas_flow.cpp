// A map of parts in a canvas: what is under the pointer, and where keys lead.

#include "ui/models/document.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/flow_walk.h"

#include <QKeyEvent>

namespace headlight {

std::optional<FigureCanvas::Cell> FigureCanvas::part_at(QPointF point) const {
    const ShownFigure* now = shown();
    const auto hit = now ? hit_test(now->figure(), now->layout(), point) : std::nullopt;
    return hit && hit->row && now->panel(hit->panel).flow ? std::optional(Cell{hit->panel, *hit->row, 0})
                                                          : std::nullopt;
}

std::optional<FigureCanvas::Cell> FigureCanvas::lit_part() const {
    const ShownFigure* now = shown();
    if (!now)
        return std::nullopt;
    const Index lead = now->leading_panel(selection());
    const auto& flow = now->panel(lead).flow;
    const auto lit = flow ? lit_node(*flow) : std::nullopt;
    return lit ? std::optional(Cell{lead, *lit, 0}) : std::nullopt;
}

void FigureCanvas::choose_part(const Cell& part, ViewHistory::Move move) {
    choose(place_of_part(flow_node(*shown()->panel(part.panel).flow, part.row)), move);
}

bool FigureCanvas::walk_parts(const QKeyEvent& event, const Cell& from) {
    const auto next = walked_part(*shown()->panel(from.panel).flow, shown()->panel_layout(from.panel).parts,
                                  from.row, event.key());
    if (next)
        choose_part({from.panel, *next, 0}, ViewHistory::Move::walk);
    return next.has_value();
}

}  // namespace headlight
