// What stands around the matrices of a grid, and how large they are with it.

#include "core/figure/panel_numbers.h"
#include "core/figure/ticks.h"
#include "ui/render/panel_grid.h"
#include "ui/render/panel_shape.h"
#include "ui/render/text_flow.h"
#include "ui/render/typeface.h"

#include <algorithm>
#include <string>
#include <vector>

namespace headlight {

PanelGrid::Sides PanelGrid::sides(const Item& item, Index row, Index column) const {
    const Panel& panel = *item.panel;
    const double label = item.labels.size, axis = type(style_.axis_title);
    Sides sides;
    const bool has_title = figure_.has_panel_titles && (!panel.title.empty() || !panel.marks);
    sides.top =
        (has_title ? static_cast<double>(item.title_lines) * title_line * type(style_.panel_title) : 0) +
        0.35 * label;
    sides.top += static_cast<double>(item.subtitle_lines) * title_line * type(style_.subtitle);
    sides.left = letter_room(item);
    if (is_lines(panel)) {
        sides.top += panel.row_axis.title.empty() ? 0 : 1.5 * axis;
        sides.left = std::max(sides.left, item.labels.row_width + label_gap * label);
        sides.right = std::max(std::min(item.extents.columns() * label, most_row_width_) + label_gap * label,
                               item.title_rest);
        sides.top += legend_height(item, sides.right);
        return sides;
    }
    if (draws_bar(item))
        sides.bottom = bar_gap() * label + 0.8 * scaled(style_.bar_width) + 1.5 * type(style_.tick) +
                       (panel.bar_title.empty() ? 0 : 1.3 * type(style_.tick));
    if (panel.kind == Panel::Kind::text)
        sides.bottom = text_legend(panel, cells_height(item) * item.shape, style_, unit_).height;
    if (!has_labels(panel)) {
        sides.right = right_side(item);
        return sides;
    }
    double labels = 0;
    if (draws_rows(item, column) && !(shared_axes_ && item.after_blank))
        labels = item.labels.row_width + label_gap * label;
    if (draws_columns(row))
        sides.top += item.labels.column_height + label_gap * label;
    else if (!panel.row_sums.empty())
        sides.top += 1.3 * label;  // the sign of sums stands beside labels, or else below the title
    if (!shared_axes_) {
        labels += draws_row_title(item, row, column) ? 1.45 * axis : 0;
        const double corner = corner_title_width(item, row);
        const bool has_line = !panel.column_axis.title.empty() && draws_columns(row) && corner == 0;
        sides.top += has_line ? 1.45 * axis : 0;
        labels = std::max(labels, corner > 0 ? corner + label_gap * label : 0);
    }
    sides.left = std::max(sides.left, labels);
    sides.right = right_side(item);
    for (Index other = 0; (aligned_ || is_stacked_) && other < rows(); ++other)
        if (exists(other, column))
            sides.right = std::max(sides.right, right_side(this->item(other, column)));
    // A part may begin with a round number, which is wider than a 1.
    if (item.labels.column_angle == 0 && panel.column_axis.labels.empty() && panel.column_axis.first > 0) {
        const double cell = cells_height(item) * item.shape / static_cast<double>(panel.columns);
        sides.left = std::max(sides.left, 0.5 * (item.extents.columns() * label - cell));
    }
    if (item.labels.column_angle == 45) {
        const double overhang = item.labels.column_height -
                                0.5 * cells_height(item) * item.shape / static_cast<double>(panel.columns);
        sides.right = std::max(sides.right, overhang - bar_room());
    }
    return sides;
}

/// What hangs over on the right of a matrix: its row sums, the rest of its title, of the numbers of its bar.
double PanelGrid::right_side(const Item& item) const {
    return std::max({room_of_row_sums(item), item.title_rest, item.bar_right});
}

double PanelGrid::room_of_row_sums(const Item& item) const {
    const std::vector<double>& sums = item.panel->row_sums;
    if (sums.empty())
        return 0;
    const TextMeasure text(type(style_.value), Face::regular, style_.family);
    double width = text.width(QStringLiteral("0.00"));
    const auto [low, high] = std::ranges::minmax(sums);
    for (const double sum : {low, high}) {  // one of the two is the longest
        std::string widest = format_fixed(sum, decimals_of_sums(sums));
        std::ranges::replace_if(
            widest, [](char c) { return c >= '1' && c <= '9'; }, '0');
        width = std::max(width, text.width(QString::fromStdString(widest)));
    }
    return 0.8 * item.labels.size + width;
}

double PanelGrid::row_top(Index row) const {
    double top = 0;
    for (Index column = 0; column < columns_ && exists(row, column); ++column)
        top = std::max(top, sides(item(row, column), row, column).top);
    return top + over_room(row) + operation_room(row);
}

double PanelGrid::row_bottom(Index row) const {
    double bottom = 0;
    for (Index column = 0; column < columns_ && exists(row, column); ++column)
        bottom = std::max(bottom, sides(item(row, column), row, column).bottom);
    return bottom;
}

double PanelGrid::fixed_width(Index row) const {
    double width = shared_left() + bar_room();
    for (Index column = 0; column < columns_ && exists(row, column); ++column) {
        const Item& here = item(row, column);
        const Sides around = sides(here, row, column);
        width += around.left + around.right + here.operation;
        if (column > 0 && here.operation == 0)
            width += scaled(style_.gap);
    }
    return width;
}

double PanelGrid::width_per_height(Index row) const {
    double width = 0;
    for (Index column = 0; column < columns_ && exists(row, column); ++column)
        width += item(row, column).shape * item(row, column).tall;
    return width;
}

double PanelGrid::fixed_height() const {
    double height = shared_top() + scaled(style_.gap) * static_cast<double>(std::max<Index>(0, rows() - 1));
    for (Index row = 0; row < rows(); ++row)
        height += row_top(row) + row_bottom(row);
    return height;
}

double PanelGrid::shared_left() const {
    return shared_axes_ && !items_.front().panel->row_axis.title.empty() ? 1.45 * type(style_.axis_title) : 0;
}

double PanelGrid::shared_top() const {
    return shared_axes_ && !items_.front().panel->column_axis.title.empty() ? 1.45 * type(style_.axis_title)
                                                                            : 0;
}

double PanelGrid::width() const {
    double width = 0;
    for (Index row = 0; row < rows(); ++row)
        width = std::max(width, fixed_width(row) + width_per_height(row) * cells_height_);
    return width;
}

double PanelGrid::height() const {
    const double lowest_tick =
        shared_scale_ ? 0.5 * type(style_.tick) : 0;  // its lower half is below the bar
    return items_.empty() ? 0 : fixed_height() + row_shares() * cells_height_ + lowest_tick;
}

}  // namespace headlight
