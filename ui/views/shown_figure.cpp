#include "ui/views/shown_figure.h"

#include "core/figure/cell_signs.h"
#include "core/figure/fit_scales.h"
#include "core/figure/notes.h"
#include "core/figure/panel_part.h"
#include "core/figure/words.h"
#include "ui/views/flow_walk.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {

bool stands_for_keys(const Panel& panel) {
    const AxisLabels& rows = panel.transposed ? panel.column_axis : panel.row_axis;
    return own_title(rows) == axis_title(Axis::key, false) || own_title(rows) == axis_title(Axis::key, true);
}

bool has_cells_of_stage(const Panel& panel) {
    return !panel.stage.empty() && panel.kind != Panel::Kind::text && panel.kind != Panel::Kind::flow;
}

namespace {

constexpr double least_side = 72;  // of a matrix, in points

/// The longer side of the smallest matrix, all panels of the figure drawn.
double longest_of_smallest(const Figure& figure, const QRectF& area, double unit) {
    const FigureLayout layout = fit_layout(figure, area, unit).layout;
    double least = std::max(area.width(), area.height());
    for (const PanelLayout& panel : layout.panels)
        least = std::min(least, std::max(panel.cells.width(), panel.cells.height()));
    return least;
}

/// Where the others have too little room above them, the panels that may be left out stand in one row with
/// these; without them where that would make the others smaller, and then it says so.
Figure with_room(Figure figure, const QRectF& area, double unit) {
    constexpr double hardly_smaller = 0.85;
    const double enough = least_side * unit;
    if (std::ranges::none_of(figure.panels, &Panel::may_be_left_out) ||
        longest_of_smallest(figure, area, unit) >= enough)
        return figure;
    Figure without = figure;
    std::erase_if(without.panels, &Panel::may_be_left_out);
    const double wanted = std::min(enough, hardly_smaller * longest_of_smallest(without, area, unit));
    std::string left_out;
    for (const Panel& panel : figure.panels)
        if (panel.may_be_left_out)
            left_out += (left_out.empty() ? "" : " and ") + panel.title;
    figure.columns = std::ssize(figure.panels);
    if (longest_of_smallest(figure, area, unit) >= wanted)
        return figure;
    without.caption += (without.caption.empty() ? "" : "  ") + ("No room for " + left_out + ".");
    return without;
}

/// The shorter side of the smallest matrix.
double smallest_side(const Figure& figure, const FigureLayout& layout, const QRectF& area) {
    double least = std::max(area.width(), area.height());
    for (std::size_t i = 0; i < figure.panels.size(); ++i)
        if (!figure.panels[i].blank)
            least = std::min({least, layout.panels[i].cells.width(), layout.panels[i].cells.height()});
    return least;
}

/// Panels that may be dealt on any number of columns: of a grid of few, that are not parts of a formula.
bool may_be_dealt(const Figure& figure) {
    constexpr Index most_tried = 12;
    return figure.wrapped_rows == 1 && !figure.columns_are_asked && std::ssize(figure.panels) <= most_tried &&
           std::ranges::none_of(figure.panels, [](const Panel& panel) {
               return panel.thumbnail || panel.lies_over || panel.blank || !panel.operator_before.empty();
           });
}

/// The columns on which the matrices are largest in the area; as many as they are where others gain little.
/// `fitted` is the layout of the columns as they are. Others are laid out, with its unit, only where no
/// matrix would be too small even without anything beside it: while a number is dragged, that is none.
Index columns_in(const Figure& figure, const FittedLayout& fitted, const QRectF& area) {
    constexpr double noticeable = 1.2;
    const Index count = std::ssize(figure.panels), given = figure.columns;
    if (!may_be_dealt(figure) || count < 2 || area.isEmpty())
        return given;
    Index best = given;
    double largest = noticeable * smallest_side(figure, fitted.layout, area);
    for (Index rows = 1; rows <= count; ++rows) {
        const Index columns = parts_of_size(count, rows);
        if (columns == given || (columns - 1) * rows >= count)  // given, or a row stays empty
            continue;
        if (std::min(area.width() / static_cast<double>(columns),
                     area.height() / static_cast<double>(rows)) <= largest)
            continue;
        Figure dealt = figure;
        dealt.columns = columns;
        if (const double side = smallest_side(dealt, layout_figure(dealt, area, fitted.unit), area);
            side > largest) {
            largest = side;
            best = columns;
        }
    }
    return best;
}

}  // namespace

ShownFigure::ShownFigure(Figure whole, const Zoom& zoom, const QRectF& area, double unit,
                         const ColourRange& range)
    : zoom_(zoom) {
    whole.uses_height = true;
    whole = with_room(std::move(whole), area, unit);
    for (const Panel& panel : whole.panels)
        windowed_.push_back(!zoom.is_whole() && zoom.concerns(panel));
    figure_ = zoom.is_whole() ? std::move(whole) : cropped(std::move(whole), zoom);
    show_signs(figure_, range);
    std::vector<bool> is_fitted = windowed_;
    for (std::size_t i = 0; i < figure_.panels.size(); ++i) {
        const std::optional<LargeMap>& large = figure_.panels[i].large;
        is_fitted[i] =
            large ? range_of(*large, range).follows_numbers() : is_fitted[i] && range.follows_numbers();
    }
    fit_scales(figure_, is_fitted, range);
    tell_hidden_mass(figure_);
    std::ranges::for_each(figure_.panels, take_numbers);
    tell_cell_signs(figure_);
    fitted_ = fit_layout(figure_, area, unit);
    const Index columns = columns_in(figure_, fitted_, area);
    if (columns != figure_.columns) {
        figure_.columns = columns;
        fitted_ = fit_layout(figure_, area, unit);
    }
}

std::optional<CellPlace> ShownFigure::place_at(QPointF point) const {
    const std::optional<CellHit> hit = hit_test(figure_, fitted_.layout, point);
    if (!hit)
        return std::nullopt;
    const Panel& hit_panel = panel(hit->panel);
    if (hit_panel.newest_row && hit->row && *hit->row > *hit_panel.newest_row)
        return std::nullopt;
    if (hit_panel.overlay) {
        CellPlace place{hit_panel.site, hit_panel.stage, hit_panel.head, {}, {}, stands_for_keys(hit_panel)};
        const bool is_patch = hit->row && hit->column;
        const Index patch = is_patch ? *hit->row * hit_panel.columns + *hit->column : 0;
        place.row = is_patch ? std::optional(hit_panel.overlay->row(patch)) : std::nullopt;
        place.column = is_patch ? std::optional(hit_panel.overlay->column(patch)) : std::nullopt;
        return place;
    }
    if (hit_panel.flow && hit->row)
        return place_of_part(flow_node(*hit_panel.flow, *hit->row));
    return place_of(hit->panel, hit->row, hit->column);
}

CellPlace ShownFigure::place_of(Index index, std::optional<Index> row, std::optional<Index> column) const {
    const Panel& shown = panel(index);
    if (row)
        *row += first_row(index);
    if (column)
        *column += first_column(index);
    if (shown.transposed)
        std::swap(row, column);
    return {shown.site, shown.stage, shown.head, row, column, stands_for_keys(shown)};
}

std::optional<std::pair<Index, Index>> ShownFigure::cell_of(Index index, const CellPlace& place) const {
    std::optional<Index> row = place.row, column = place.column;
    if (panel(index).transposed)
        std::swap(row, column);
    if (!row || !column)
        return std::nullopt;
    const Index down = *row - first_row(index), across = *column - first_column(index);
    const bool is_there =
        down >= 0 && across >= 0 && down < panel(index).rows && across < panel(index).columns;
    return is_there ? std::optional(std::pair(down, across)) : std::nullopt;
}

std::optional<Index> ShownFigure::panel_at(QPointF point) const {
    for (Index index = 0; index < panel_count(); ++index)
        if (panel_layout(index).frame.contains(point))
            return index;
    return std::nullopt;
}

QRectF ShownFigure::cell_rect(Index index, Index row, Index column) const {
    return place_rect(index, CellPlace{{}, {}, 0, row, column});
}

QRectF ShownFigure::place_rect(Index index, const CellPlace& place) const {
    const Panel& shown = panel(index);
    if (shown.overlay)
        return patch_rect(index, place);
    if (shown.flow)
        return {};  // its rows are no tokens
    std::optional<Index> row = place.row, column = place.column;
    if (shown.transposed)
        std::swap(row, column);
    if (!row && !column)
        return {};
    // In cells of what is on screen.
    const Index drawn_rows = shown.newest_row ? std::min(shown.rows, *shown.newest_row + 1) : shown.rows;
    const Index top = row ? *row - first_row(index) : 0;
    const Index left = column ? *column - first_column(index) : 0;
    const Index height = row ? 1 : drawn_rows, width = column ? 1 : shown.columns;
    if (top < 0 || left < 0 || top + height > shown.rows || left + width > shown.columns || height < 1)
        return {};
    return area_of_cells(shown, panel_layout(index).cells, top, left, height, width);
}

QRectF ShownFigure::patch_rect(Index index, const CellPlace& place) const {
    const Panel& shown = panel(index);
    const std::optional<Index> line = shown.overlay->is_row ? place.row : place.column,
                               patch = shown.overlay->is_row ? place.column : place.row;
    if (!patch || *patch >= shown.rows * shown.columns || (line && *line != shown.overlay->line))
        return {};
    return area_of_cells(shown, panel_layout(index).cells, *patch / shown.columns, *patch % shown.columns);
}

QRectF ShownFigure::block_rect(Index index, const MapBlock& block) const {
    const Panel& shown = panel(index);
    const Index top = std::max<Index>(block.first_row - first_row(index), 0),
                bottom = std::min(block.first_row + block.rows - first_row(index), shown.rows),
                left = std::max<Index>(block.first_column - first_column(index), 0),
                right = std::min(block.first_column + block.columns - first_column(index), shown.columns);
    if (top >= bottom || left >= right)
        return {};
    return area_of_cells(shown, panel_layout(index).cells, top, left, bottom - top, right - left);
}

std::optional<CellPlace> ShownFigure::nearest_cell(Index index, QPointF point) const {
    const QRectF& cells = panel_layout(index).cells;
    const Panel& shown = panel(index);
    if (cells.isEmpty() || shown.rows == 0 || shown.columns == 0)
        return std::nullopt;
    const auto cell = [](double share, Index last) {
        return std::clamp<Index>(static_cast<Index>(std::floor(share * static_cast<double>(last + 1))), 0,
                                 last);
    };
    const Index newest =
        shown.newest_row ? std::clamp<Index>(*shown.newest_row, 0, shown.rows - 1) : shown.rows - 1;
    return place_of(index, std::min(newest, cell((point.y() - cells.top()) / cells.height(), shown.rows - 1)),
                    cell((point.x() - cells.left()) / cells.width(), shown.columns - 1));
}

Index ShownFigure::leading_panel(const Selection& selection) const {
    const auto index_of = [this](auto matches) -> std::optional<Index> {
        const auto found = std::find_if(figure_.panels.begin(), figure_.panels.end(), matches);
        return found == figure_.panels.end() ? std::nullopt
                                             : std::optional<Index>(found - figure_.panels.begin());
    };
    const auto selected = [&](const Panel& panel) {
        return !panel.thumbnail && panel.site == selection.site && panel.stage == selection.stage &&
               panel.head == selection.head;
    };
    const auto of_head = [&](const Panel& panel) { return !panel.thumbnail && panel.head == selection.head; };
    if (const auto found = index_of(selected))
        return *found;
    if (const auto found = index_of([](const Panel& panel) { return panel.in_focus && !panel.thumbnail; }))
        return *found;
    return index_of(of_head).value_or(0);
}

Index ShownFigure::last_row(Index index) const {
    if (panel(index).transposed)
        return last_shown_column(index);
    return panel(index).newest_row ? first_row(index) + *panel(index).newest_row : last_shown_row(index);
}

Index ShownFigure::last_column(Index index) const {
    return panel(index).transposed ? last_shown_row(index) : last_shown_column(index);
}

Index ShownFigure::last_shown_row(Index index) const {
    const bool is_part = is_windowed(index);
    const Index first = first_row(index) - (is_part ? zoom_.rows.first() : 0);
    return first + (is_part ? zoom_.rows.extent() : panel(index).rows) - 1;
}

Index ShownFigure::last_shown_column(Index index) const {
    const bool is_part = is_windowed(index);
    const Index first = first_column(index) - (is_part ? zoom_.columns.first() : 0);
    return first + (is_part ? zoom_.columns.extent() : panel(index).columns) - 1;
}

}  // namespace headlight
