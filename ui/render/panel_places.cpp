#include "ui/render/flow_plan.h"
#include "ui/render/panel_grid.h"
#include "ui/render/panel_shape.h"
#include "ui/render/text_flow.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {

void PanelGrid::place(QPointF top_left, FigureLayout& layout) const {
    QRectF all_cells, coloured_cells;
    double y = top_left.y() + (items_.empty() ? 0 : shared_top());
    for (Index row = 0; row < rows(); ++row) {
        double x = top_left.x() + shared_left();
        const double top = y;
        y += row_top(row);
        for (Index column = 0; column < columns_ && exists(row, column); ++column) {
            const Item& here = item(row, column);
            const Sides around = sides(here, row, column);
            if (column > 0 && here.operation == 0)
                x += scaled(style_.gap);
            if (here.operation > 0)
                layout.panels[here.index].operation = QRectF(x, y, here.operation, cells_height(here));
            else if (here.operation_above > 0)
                place_operation_above(
                    here, QRectF(x, top, around.left + cells_height(here) * here.shape, operation_room(row)),
                    layout);
            x += here.operation + around.left;
            place_panel(here, row, column, x, y, layout);
            all_cells |= layout.panels[here.index].cells;
            if (is_coloured(*here.panel))
                coloured_cells |= here.panel->kind == Panel::Kind::points ? layout.panels[here.index].plot
                                                                          : layout.panels[here.index].cells;
            x += cells_height(here) * here.shape + around.right;
        }
        if (aligned_ || figure_.is_composed)
            join_bars(row, layout);
        if (figure_.is_composed && !shared_axes_)
            join_column_titles(row, layout);
        place_titles_over(row, top + operation_room(row), layout);
        y += cells_height(item(row, 0)) + row_bottom(row) + scaled(style_.gap);
    }
    if (shared_left() > 0)
        layout.row_title = QRectF(top_left.x(), all_cells.top(), shared_left(), all_cells.height());
    if (shared_top() > 0)
        layout.column_title = QRectF(all_cells.left(), top_left.y(), all_cells.width(), shared_top());
    if (shared_scale_) {
        const double right = top_left.x() + width();
        layout.colour_bar = QRectF(right - bar_room() + scaled(style_.gap), coloured_cells.top(),
                                   scaled(style_.bar_width), coloured_cells.height());
    }
}

/// In the middle above the matrix, unless it is longer than what stands left of that has room for.
void PanelGrid::place_operation_above(const Item& item, const QRectF& area, FigureLayout& layout) const {
    const double width = item.operation_above;
    const double cells = cells_height(item) * item.shape;
    const double left = std::max(area.left(), area.right() - 0.5 * cells - 0.5 * width);
    layout.panels[item.index].operation = QRectF(left, area.top(), width, area.height());
    layout.panels[item.index].operation_on_one_line = true;
}

/// Columns of neighbours that are called alike get one title, in the middle of all.
void PanelGrid::join_column_titles(Index row, FigureLayout& layout) const {
    const Item* first = nullptr;
    for (Index column = 0; column < columns_ && exists(row, column); ++column) {
        const Item& here = item(row, column);
        QRectF& title = layout.panels[here.index].column_title;
        const bool may_join = has_labels(*here.panel) && !title.isEmpty();
        if (!may_join) {
            first = nullptr;
        } else if (first && first->panel->column_axis.title == here.panel->column_axis.title &&
                   std::abs(layout.panels[first->index].column_title.top() - title.top()) < 0.5 * unit_) {
            layout.panels[first->index].column_title.setRight(title.right());
            title = QRectF();
        } else {
            first = &here;
        }
    }
}

/// A title over neighbours that have the same one.
void PanelGrid::place_titles_over(Index row, double top, FigureLayout& layout) const {
    for (Index column = 0; column < columns_ && exists(row, column);) {
        const Item& first = item(row, column);
        const Item* last = &first;
        while (++column < columns_ && exists(row, column) &&
               item(row, column).panel->over == first.panel->over)
            last = &item(row, column);
        if (first.panel->over.empty())
            continue;
        const double left = layout.panels[first.index].frame.left(),
                     right = layout.panels[last->index].frame.right();
        layout.titles_over.push_back(
            {QRectF(left, top, right - left, 1.3 * type(style_.panel_title)), first.panel->over});
    }
}

void PanelGrid::place_panel(const Item& here, Index row, Index column, double x, double y,
                            FigureLayout& layout) const {
    const Panel& panel = *here.panel;
    const Sides around = sides(here, row, column);
    const double height = cells_height(here);
    const double label = here.labels.size;
    PanelLayout& place = layout.panels[here.index];
    place.cells = QRectF(x, y, height * here.shape, height);
    place.label_size = label;
    place.column_angle = here.labels.column_angle;
    place.subtitle_beside = here.subtitle_beside;
    const auto number = static_cast<std::size_t>(row * columns_ + column);
    DecidedGrid::Titles lines = lines_of_titles(number);
    place.title_lines = std::move(lines.title);
    place.subtitle_lines = std::move(lines.subtitle);
    place.row_stride = here.labels.row_stride;
    place.column_stride = here.labels.column_stride;
    place.row_apart = here.labels.row_apart;
    place.column_apart = here.labels.column_apart;
    place.rows_by_place = here.labels.rows_by_place;
    place.columns_by_place = here.labels.columns_by_place;
    place.values = here.labels.values;
    place.value_size = here.labels.value_size;
    place.value_decimals = here.labels.value_decimals;
    place.frame = place.cells.adjusted(-around.left, over_room(row) + operation_room(row) - row_top(row),
                                       around.right, around.bottom);
    const double title_right = place.frame.right() + title_spare(number);
    const double title = figure_.has_panel_titles
                             ? static_cast<double>(here.title_lines) * title_line * type(style_.panel_title)
                             : 0;
    place.title = QRectF(QPointF(place.cells.left() - left_of_title(here, number), place.frame.top()),
                         QPointF(title_right, place.frame.top() + title));
    place.title.setBottom(place.title.bottom() +
                          static_cast<double>(here.subtitle_lines) * title_line * type(style_.subtitle));
    if (draws_bar(here))
        place.colour_bar = QRectF(x, place.cells.bottom() + bar_gap() * label, place.cells.width(),
                                  0.8 * scaled(style_.bar_width));
    place.bar_numbers = place.colour_bar.isEmpty() ? QRectF() : numbers_of_bar(place, row, column);
    if (panel.kind == Panel::Kind::curves) {
        // Down to where the bars of its neighbours end, up to its title.
        place.plot = QRectF(QPointF(place.cells.left(), place.title.bottom()),
                            QPointF(place.cells.right(), place.cells.bottom() + row_bottom(row)));
        return;
    }
    if (is_lines(panel)) {
        place_lines(here, around, place);
        return;
    }
    if (panel.kind == Panel::Kind::points) {
        place.plot = place.cells.adjusted(left_of_points(place.cells.width()), 0, 0, -below_points());
        return;
    }
    if (panel.kind == Panel::Kind::flow) {
        const FlowPlan plan = flow_in_room(*panel.flow, place.cells.size(), style_, unit_, here.flow_form);
        place.parts = plan.boxes(place.cells);
        place.flow_form = plan.form();
        return;
    }
    if (panel.kind == Panel::Kind::text) {
        place_text(panel, around.bottom, place);
        return;
    }
    if (has_labels(panel))
        place_labels(here, row, column, place);
}

/// Legend, labels and titles of lines, which have rows on their left and columns on their right.
void PanelGrid::place_lines(const Item& here, const Sides& around, PanelLayout& place) const {
    const double gap = label_gap * here.labels.size, axis = 1.45 * type(style_.axis_title);
    const double y = place.cells.top(), height = place.cells.height();
    place.legend = QRectF(place.cells.left(), place.title.bottom(), place.frame.right() - place.cells.left(),
                          legend_height(here, around.right));
    place.row_label_area = QRectF(place.frame.left(), y, around.left - gap, height);
    place.column_label_area =
        QRectF(place.cells.right() + gap, y, place.frame.right() - place.cells.right() - gap, height);
    place.row_title =
        QRectF(place.frame.left(), y - axis, place.cells.center().x() - place.frame.left(), axis);
    place.column_title =
        QRectF(place.cells.center().x(), y - axis, place.frame.right() - place.cells.center().x(), axis);
}

void PanelGrid::place_text(const Panel& panel, double legend, PanelLayout& place) const {
    TextFlow flow = flow_text(panel, place.cells, style_, unit_);
    double end = place.cells.top();  // of the text: its legend stands right below
    for (const QRectF& token : flow.tokens)
        end = std::max(end, token.bottom());
    place.legend =
        QRectF(place.cells.left(), std::min(end, place.cells.bottom()), place.cells.width(), legend);
    place.label_size = flow.size;
    place.tokens = std::move(flow.tokens);
    place.token_directions = std::move(flow.directions);
    place.text_page = flow.page;
    place.text_pages = flow.pages;
}

/// Labels and titles of the axes of a matrix, and the sums of its rows.
void PanelGrid::place_labels(const Item& here, Index row, Index column, PanelLayout& place) const {
    const Panel& panel = *here.panel;
    const double label = here.labels.size, gap = label_gap * label, axis = 1.45 * type(style_.axis_title);
    const double x = place.cells.left(), y = place.cells.top(), height = place.cells.height();
    place.row_labels = draws_rows(here, column);
    place.column_labels = draws_columns(row);
    if (place.row_labels)
        place.row_label_area = QRectF(x - gap - here.labels.row_width, y, here.labels.row_width, height);
    if (place.column_labels)
        place.column_label_area =
            QRectF(x, y - gap - here.labels.column_height, place.cells.width(), here.labels.column_height);
    if (draws_row_title(here, row, column))
        place.row_title = QRectF(place.frame.left(), y, axis, height);
    if (const double corner = corner_title_width(here, row); corner > 0) {
        const double line = 1.25 * type(style_.axis_title);
        place.column_title = QRectF(x - gap - corner, place.column_label_area.bottom() - line, corner, line);
        place.column_title_beside = true;
    } else if (!shared_axes_ && place.column_labels && !panel.column_axis.title.empty())
        place.column_title = QRectF(x, place.column_label_area.top() - axis, place.cells.width(), axis);
    if (!panel.row_sums.empty())
        place.row_sums = QRectF(place.cells.right() + 0.5 * label, y,
                                place.frame.right() - place.cells.right() - 0.5 * label, height);
}

}  // namespace headlight
