#include "ui/render/axis_titles.h"
#include "ui/render/figure_in_width.h"
#include "ui/render/figure_style.h"
#include "ui/render/flow_plan.h"
#include "ui/render/label_plan.h"
#include "ui/render/names_plan.h"
#include "ui/render/panel_grid.h"
#include "ui/render/panel_shape.h"
#include "ui/render/tree_plan.h"
#include "ui/render/typeface.h"

#include <algorithm>
#include <limits>

namespace headlight {

namespace {

constexpr double room_unit = 16;   // as natural_height(): rounding type to whole units does not show
constexpr double least_side = 12;  // of a matrix, in points: one of sixty-four heads in a column of 85 mm

double unit_of(const Figure& figure) { return room_unit * figure.length_scale; }

/// Whether the axis titles, in their short form at least, stay inside and clear of one another. They stand in
/// the middle of their bands.
bool titles_fit(const Panel& panel, const FigureLayout& layout, const PanelLayout& place, bool is_composed,
                const TextMeasure& text) {
    const bool shared = !layout.row_title.isEmpty() || !layout.column_title.isEmpty();
    const QRectF rows = shared ? layout.row_title : place.row_title;
    const QRectF columns = shared ? layout.column_title : place.column_title;
    const double row_length = text.width(short_axis_title(panel.row_axis));
    const double column_length = text.width(short_axis_title(panel.column_axis));
    if (panel.kind == Panel::Kind::lines)
        return row_length + column_length < place.frame.width();
    const double bottom = std::min(layout.caption.isEmpty() ? layout.area.bottom() : layout.caption.top(),
                                   top_of_bars_below(layout, rows));
    // One of several neighbours has the title of the columns for all.
    const double top = columns.isEmpty() && is_composed ? place.frame.top() : columns.bottom();
    if (!rows.isEmpty() &&
        (rows.center().y() - 0.5 * row_length < top || rows.center().y() + 0.5 * row_length > bottom))
        return false;
    return columns.isEmpty() || (columns.center().x() - 0.5 * column_length >= layout.area.left() &&
                                 columns.center().x() + 0.5 * column_length <= layout.area.right());
}

/// The side of a matrix, in points, that is read as well as what is no matrix: of a tree by its type, of
/// curves by what is between their axes.
double side_that_says_as_much(const Panel& panel, const PanelLayout& place, const FigureStyle& style,
                              double unit) {
    if (panel.kind == Panel::Kind::tree) {
        const TreePlan plan = tree_in_room(*panel.tree, place.cells.size(), style, unit);
        return side_to_be_read * plan.size() / type_size(style.least_label, unit);
    }
    if (panel.kind == Panel::Kind::names) {
        const NamesPlan plan = names_in_room(*panel.names, place.cells.size(), style, unit);
        return side_to_be_read * plan.size() / type_size(style.least_label, unit);
    }
    if (panel.kind == Panel::Kind::flow) {
        const FlowPlan plan = flow_in_room(*panel.flow, place.cells.size(), style, unit, place.flow_form);
        return side_to_be_read * plan.size() / type_size(style.least_label, unit);
    }
    if (panel.kind == Panel::Kind::curves) {
        constexpr double width = 56, height = 36;  // of a plot whose lines are read, in points
        const QRectF plot = plot_of_curves(panel, place.plot, style, unit);
        return side_to_be_read * std::min(plot.width() / width, plot.height() / height) / unit;
    }
    return std::numeric_limits<double>::infinity();
}

FigureLayout layout_at(const Figure& figure, double width) {
    return layout_figure(figure, QRectF(0, 0, width * room_unit, natural_height(figure, width) * room_unit),
                         room_unit);
}

}  // namespace

PanelRoom room_in_width(const Figure& figure, double width) {
    const FigureLayout layout = layout_at(figure, width);
    const QRectF area = layout.area;
    const FigureStyle style = figure_style(figure);
    const double unit = unit_of(figure);
    const TextMeasure text(type_size(style.axis_title, unit), Face::regular, style.family);
    const double inner = area.width() - 2 * style.margin * unit;
    PanelGrid grid(figure, style, unit);
    grid.fit_width(inner);
    if (grid.width() > inner + 0.5 * unit)
        return {};
    bool cuts_titles = false;
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const PanelLayout& place = layout.panels[i];
        if (figure.panels[i].thumbnail || figure.panels[i].fills_row)
            continue;
        const double side = std::min(std::max(place.cells.width(), place.cells.height()),
                                     unit * side_that_says_as_much(figure.panels[i], place, style, unit));
        if (side < least_side * unit ||
            !titles_fit(figure.panels[i], layout, place, figure.is_composed, text))
            return {};
        // On fewer columns a title that a person gave is whole, and a head stands beside its number.
        constexpr double of_a_side = 0.5;
        const std::string& title = figure.panels[i].title;
        const bool has_title = figure.has_panel_titles && place.title.width() > 0;
        const bool cuts_title = has_title && figure.is_composed && is_cut(title, place.title_lines);
        const bool is_spoilt =
            cuts_title || (has_title && is_short_and_numbered(title) && place.title_lines.size() > 1);
        cuts_titles = cuts_titles || cuts_title;
        least = std::min(least, (is_spoilt ? of_a_side : 1) * side / unit);
    }
    return {least, cuts_titles};
}

}  // namespace headlight
