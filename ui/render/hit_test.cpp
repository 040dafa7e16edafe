#include "ui/render/head_lines.h"

#include <algorithm>

namespace headlight {

namespace {

/// Which of `count` equal parts of [low, high) a coordinate lies in.
Index part(double at, double low, double high, Index count) {
    const auto found = static_cast<Index>((at - low) / (high - low) * static_cast<double>(count));
    return std::clamp<Index>(found, 0, count - 1);
}

bool within(double at, double low, double high) { return at >= low && at < high; }

/// A line is one head's; the tokens are those of all, and mean the head that is in focus.
CellHit hit_lines(std::span<const Panel> heads, const PanelLayout& place, QPointF point, CellHit hit) {
    const QRectF& cells = place.cells;
    const Index first = hit.panel;
    const auto focus = std::ranges::find(heads, true, &Panel::in_focus);
    hit.panel += focus == heads.end() ? 0 : focus - heads.begin();
    if (!within(point.y(), cells.top(), cells.bottom()))
        return hit;
    if (point.x() < cells.left()) {
        hit.row = part(point.y(), cells.top(), cells.bottom(), heads.front().rows);
    } else if (point.x() >= cells.right()) {
        hit.column = part(point.y(), cells.top(), cells.bottom(), heads.front().columns);
    } else if (const auto line = LinePlaces(heads, place).nearest(point)) {
        hit.panel = first + static_cast<Index>(line->head);
        hit.row = line->cell.row;
        hit.column = line->cell.column;
    }
    return hit;
}

/// The tokens of a text are queries where it is selected as one, else keys.
CellHit hit_text(const Panel& panel, const PanelLayout& place, QPointF point, CellHit hit) {
    const auto token =
        std::ranges::find_if(place.tokens, [&](const QRectF& each) { return each.contains(point); });
    if (token == place.tokens.end())
        return hit;
    (panel.selected_row ? hit.row : hit.column) = token - place.tokens.begin();
    return hit;
}

/// The parts of a flow stand in its rows; one that stands in another is behind it in the list.
CellHit hit_flow(const Panel& panel, const PanelLayout& place, QPointF point, CellHit hit) {
    constexpr double near = 3;  // pixels, or points: a state is small
    for (Index node = std::ssize(place.parts); node-- > 0;)
        if (is_selectable(flow_node(*panel.flow, node)) &&
            place.parts[static_cast<std::size_t>(node)].adjusted(-near, -near, near, near).contains(point)) {
            hit.row = node;
            return hit;
        }
    return hit;
}

CellHit hit_panel(const Figure& figure, const Panel& panel, const PanelLayout& place, QPointF point,
                  CellHit hit) {
    const QRectF& cells = place.cells;
    if (panel.thumbnail || panel.rows == 0 || panel.columns == 0 || cells.isEmpty())
        return hit;
    if (panel.kind == Panel::Kind::names)
        return hit;  // its cells are as wide and high as their names are
    if (panel.kind == Panel::Kind::flow)
        return hit_flow(panel, place, point, hit);
    if (panel.kind == Panel::Kind::lines)
        return hit_lines(panels_in_place(figure, panel), place, point, hit);
    if (panel.kind == Panel::Kind::text)
        return hit_text(panel, place, point, hit);
    const bool level_with_rows = within(point.y(), cells.top(), cells.bottom());
    const bool above_columns = within(point.x(), cells.left(), cells.right());
    const bool in_cells = level_with_rows && above_columns;
    const bool on_row_label = level_with_rows && point.x() < cells.left() &&
                              (place.row_label_area.isEmpty() || point.x() >= place.row_label_area.left());
    const bool on_column_label = above_columns && !place.column_label_area.isEmpty() &&
                                 within(point.y(), place.column_label_area.top(), cells.top());
    if (in_cells || on_row_label || place.row_sums.contains(point))
        hit.row = part(point.y(), cells.top(), cells.bottom(), panel.rows);
    if (in_cells || on_column_label)
        hit.column = part(point.x(), cells.left(), cells.right(), panel.columns);
    return hit;
}

}  // namespace

std::optional<std::size_t> mark_at(const Panel& panel, const PanelLayout& place, QPointF point) {
    if (!panel.marks)
        return std::nullopt;
    const HeadMarks& marks = *panel.marks;
    if (panel.kind == Panel::Kind::mosaic) {
        const QRectF& cells = place.cells;
        if (!cells.contains(point))
            return std::nullopt;
        const auto mark = static_cast<std::size_t>(
            part(point.y(), cells.top(), cells.bottom(), panel.rows) * panel.columns +
            part(point.x(), cells.left(), cells.right(), panel.columns));
        return marks.heads[mark].name.empty() ? std::nullopt : std::optional(mark);
    }
    // The nearest, if it is near: points lie over one another.
    const PointsPlot plot(marks, place.plot);
    constexpr double near = 10;  // pixels, or points
    std::optional<std::size_t> found;
    double least = near * near;
    for (std::size_t mark = 0; mark < marks.heads.size(); ++mark) {
        const QPointF way = plot.place(mark) - point;
        if (const double distance = QPointF::dotProduct(way, way); distance <= least) {
            least = distance;
            found = mark;
        }
    }
    return found;
}

std::optional<CellHit> hit_test(const Figure& figure, const FigureLayout& layout, QPointF point) {
    for (std::size_t i = 0; i < figure.panels.size() && i < layout.panels.size(); ++i)
        if (!figure.panels[i].blank && layout.panels[i].frame.contains(point))
            return hit_panel(figure, figure.panels[i], layout.panels[i], point,
                             CellHit{static_cast<Index>(i), {}, {}});
    return std::nullopt;
}

}  // namespace headlight
