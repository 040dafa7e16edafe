#include "ui/views/select_tool.h"

#include "core/figure/comparison.h"
#include "core/figure/view.h"
#include "ui/models/document.h"
#include "ui/views/cell_walk.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/way_in.h"

#include <QMouseEvent>

#include <algorithm>

namespace headlight {

bool SelectTool::click(const QMouseEvent& event) {
    const auto place = canvas_.place_at(event.position());
    if (!place)
        return false;
    if (canvas_.click_action() == FigureCanvas::ClickAction::enlarge &&
        !(event.modifiers() & Qt::ControlModifier))
        canvas_.enlarge(*place);
    else
        canvas_.choose(*place);
    return true;
}

bool SelectTool::key(const QKeyEvent& event) {
    if (walk(event))
        return true;
    const bool plain = !(event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier));
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const ViewKind here = canvas_.view_kind();
            (here == ViewKind::map || here == ViewKind::grid || here == ViewKind::stages ||
             here == ViewKind::query_key) &&
            WayIn::of(canvas_.document()).go_in())
            return true;
        if (const auto place = canvas_.current_place(); place && canvas_.view_kind() != ViewKind::heatmap)
            canvas_.enlarge(*place);
        else
            canvas_.zoom_in();
        return true;
    case Qt::Key_L:
        if (std::optional<CellPlace> token = canvas_.current_place();
            token && plain && canvas_.view_kind() == ViewKind::lines) {
            token->column.reset();
            emit canvas_.place_clicked(token);
            return true;
        }
        return false;
    case Qt::Key_N:
        return plain && choose_site(event.modifiers() & Qt::ShiftModifier ? -1 : 1);
    default:
        return plain && event.key() >= Qt::Key_1 && event.key() <= Qt::Key_9 &&
               choose_head(event.key() - Qt::Key_1);
    }
}

bool SelectTool::choose_head(Index head) {
    Document& document = canvas_.document();
    const std::shared_ptr<const Run> run = document.run();
    const Selection& selection = document.view().selection;
    const Stage* weights = run ? run->trace->find("weights", selection.site) : nullptr;
    if (!weights || head >= weights->extent(Axis::head))
        return false;
    Selection next = selection;
    next.head = head;
    document.looking().select(next);
    return true;
}

bool SelectTool::choose_site(Index by) {
    Document& document = canvas_.document();
    const std::shared_ptr<const Run> run = document.run();
    if (!run || (!view(canvas_.view_kind()).all_sites && run->is_of_mechanism()))
        return false;
    const std::vector<std::string> sites = sites_with_weights(*run->trace);
    const auto here = std::find(sites.begin(), sites.end(), document.view().selection.site);
    if (here == sites.end())
        return false;
    Selection next = document.view().selection;
    const Index count = std::ssize(sites);
    next.site = sites[static_cast<std::size_t>((here - sites.begin() + by + count) % count)];
    document.looking().select(next);
    return true;
}

bool SelectTool::walk(const QKeyEvent& event) {
    const ShownFigure* now = canvas_.shown();
    const auto place = canvas_.current_place();
    if (!place || (event.modifiers() & Qt::AltModifier))
        return false;
    if (const auto part = canvas_.lit_part())
        return canvas_.walk_parts(event, *part);
    const Index lead = now->leading_panel(canvas_.selection());
    if (now->panel(lead).kind == Panel::Kind::text)
        return walk_text(event, *place);
    Index last_row = now->last_row(lead), last_column = now->last_column(lead);
    if (!has_cells_of_stage(now->panel(lead))) {
        const Shape& shape = canvas_.document().run()->trace->find(place->stage, place->site)->shape;
        last_row = shape.size() < 2 ? 0 : shape[shape.size() - 2] - 1;
        last_column = shape.empty() ? 0 : shape.back() - 1;
    }
    const bool is_transposed = has_cells_of_stage(now->panel(lead)) && now->panel(lead).transposed;
    const auto next = walked(*place, event, last_row, last_column, canvas_.rows_of_a_page(), is_transposed);
    if (next)
        canvas_.choose(*next, ViewHistory::Move::walk);
    return next.has_value();
}

bool SelectTool::walk_text(const QKeyEvent& event, const CellPlace& place) {
    const ShownFigure& now = *canvas_.shown();
    // Two texts are those of queries and of keys, each with its own pair of arrows.
    const bool is_one_text = now.panel_count() == 1;
    const auto& directions = now.panel_layout(now.panel_count() - 1).token_directions;
    const auto token = static_cast<std::size_t>(is_one_text ? *place.row : *place.column);
    const bool from_right = token < directions.size() && directions[token] == Qt::RightToLeft;
    const bool is_across = event.key() == Qt::Key_Left || event.key() == Qt::Key_Right;
    const int key =
        is_across && from_right ? (event.key() == Qt::Key_Left ? Qt::Key_Right : Qt::Key_Left) : event.key();
    const QKeyEvent in_order(event.type(), key, event.modifiers());
    const Shape& shape = canvas_.document().run()->trace->find(place.stage, place.site)->shape;
    const Index last_query = shape[shape.size() - 2] - 1;
    CellPlace from = place;
    if (is_one_text)
        from.column = place.row;
    auto next = walked(from, in_order, last_query, is_one_text ? last_query : shape.back() - 1, 10);
    if (next && is_one_text) {
        // Up and down, too, lead from token to token.
        next->row = next->column == from.column ? next->row : next->column;
        next->column = place.column;
    }
    if (next)
        canvas_.choose(*next, ViewHistory::Move::walk);
    return next.has_value();
}

}  // namespace headlight
