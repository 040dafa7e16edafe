// The size of type that a window gives to a figure.

#include "ui/render/flow_plan.h"
#include "ui/render/painter.h"
#include "ui/render/panel_shape.h"
#include "ui/render/typeface.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace headlight {

namespace {

/// Share of the area that the matrices take, thumbnails apart.
double matrix_share(const Figure& figure, const FigureLayout& layout) {
    double cells = 0;
    for (std::size_t i = 0; i < figure.panels.size(); ++i)
        if (const Panel& panel = figure.panels[i]; !panel.thumbnail && !panel.blank && !panel.lies_over)
            cells += layout.panels[i].cells.width() * layout.panels[i].cells.height();
    return cells / std::max(1.0, layout.area.width() * layout.area.height());
}

/// The shorter side of the smallest cell that has a label or a number; nothing where no panel has cells.
std::optional<double> smallest_cell(const Figure& figure, const FigureLayout& layout) {
    std::optional<double> least;
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const Panel& panel = figure.panels[i];
        if (panel.thumbnail || panel.blank || panel.lies_over)
            continue;
        const QSizeF cells = layout.panels[i].cells.size();
        if (panel.overlay || panel.rows == 0 || panel.columns == 0)
            return std::nullopt;
        double side = 0;
        if (panel.kind == Panel::Kind::heatmap)
            side = std::min(cells.height() / static_cast<double>(panel.rows),
                            cells.width() / static_cast<double>(panel.columns));
        else if (is_lines(panel))
            side = cells.height() / static_cast<double>(std::max(panel.rows, panel.columns));
        else
            return std::nullopt;  // words and marks have no cells to grow with
        least = std::min(side, least.value_or(side));
    }
    return least;
}

/// How many times as large text may be, so that labels take a fifth of a cell and no title is too large.
double text_growth(const Figure& figure, const FigureLayout& layout, const FigureStyle& style, double unit) {
    constexpr double of_a_cell = 0.2;
    const double most = style.largest_text / style.title;
    const std::optional<double> cell = smallest_cell(figure, layout);
    return cell ? std::clamp(of_a_cell * *cell / (style.label * unit), 1.0, std::max(1.0, most)) : 1;
}

/// With a larger unit where the cells are large. Larger text leaves smaller cells, which ask for smaller
/// text: what the second layout asks for, the third has room for.
FittedLayout grown(const Figure& figure, const QRectF& area, FittedLayout fitted) {
    const FigureStyle style = figure_style(figure);
    double growth = text_growth(figure, fitted.layout, style, fitted.unit);
    constexpr double noticeable = 1.05;
    for (int tried = 0; tried < 2 && growth >= noticeable; ++tried) {
        FigureLayout layout = layout_figure(figure, area, growth * fitted.unit);
        const double fitting = text_growth(figure, layout, style, fitted.unit);
        if (fitting >= growth || tried == 1)
            return {growth * fitted.unit, std::move(layout)};
        growth = fitting;
    }
    return fitted;
}

/// Whether a map of parts is all there is, and its type is as large as it is to be.
bool is_flow_of_largest_type(const Figure& figure, const FigureLayout& layout, const FigureStyle& style,
                             double unit) {
    if (figure.panels.size() != 1 || !figure.panels.front().flow)
        return false;
    const PanelLayout& place = layout.panels.front();
    const QSizeF room = place.cells.size();
    const FlowPlan plan = flow_in_room(*figure.panels.front().flow, room, style, unit, place.flow_form);
    return plan.size() >= largest_flow_type(style, unit) && plan.fits(room);
}

/// A map of parts has no cells that its type could follow: where it has its largest type and room is left,
/// all text grows, up to the size that the theme lets text have. Nothing where there is no such room.
std::optional<FittedLayout> grown_flow(const Figure& figure, const QRectF& area, const FittedLayout& fitted) {
    constexpr double step = 0.92, noticeable = 1.05;
    const FigureStyle style = figure_style(figure);
    if (!is_flow_of_largest_type(figure, fitted.layout, style, fitted.unit))
        return std::nullopt;
    const double most = style.largest_text / std::max(style.title, largest_flow_type(style, 1));
    for (double growth = most; growth >= noticeable; growth *= step) {
        FittedLayout larger{growth * fitted.unit, layout_figure(figure, area, growth * fitted.unit)};
        if (is_flow_of_largest_type(figure, larger.layout, style, larger.unit))
            return larger;
    }
    return std::nullopt;
}

}  // namespace

FittedLayout fit_layout(const Figure& figure, const QRectF& area, double unit, double enough) {
    constexpr double step = 0.92;
    const double least = figure_style(figure).least_scale;
    FittedLayout best{unit, layout_figure(figure, area, unit)};
    if (std::optional<FittedLayout> flow = grown_flow(figure, area, best))
        return std::move(*flow);
    const double first_share = matrix_share(figure, best.layout);
    if (first_share >= enough)
        return grown(figure, area, std::move(best));
    double best_share = first_share;
    for (double tried = step * unit; best_share < enough && tried >= least * unit; tried *= step) {
        FigureLayout layout = layout_figure(figure, area, tried);
        const double share = matrix_share(figure, layout);
        // A narrow matrix gains little from smaller type, less than the type loses: then that stays as it is.
        if (share >= enough || (share > 1.1 * best_share && share >= first_share * unit / tried)) {
            best = {tried, std::move(layout)};
            best_share = share;
        }
    }
    return best;
}

}  // namespace headlight
