#include "ui/render/figure_in_width.h"

#include "core/figure/comparison.h"
#include "ui/render/figure_style.h"
#include "ui/render/painter.h"

#include <algorithm>

namespace headlight {
namespace {

constexpr double sheet = 210 * points_per_mm;  // the width of A4
constexpr double slide =
    25.4 / 3 * 40 * points_per_mm;  // 13 1/3 inches, what the projector's type is made for

constexpr double shrinking = 0.95;   // each step of drawing everything smaller
constexpr double least_label = 4.5;  // in points: smaller type is not read in print
constexpr double least_scale = 0.1;  // of what is drawn in any case

Figure in_print(Figure figure, double width) {
    const bool is_projected = figure.theme == FigureTheme::projector;
    figure.has_print_lengths = !is_projected;
    figure.length_scale = std::max(1.0, width / (is_projected ? slide : sheet));
    return figure;
}

/// The figure on as many of its columns, or as few, as its panels have room on: the most with whole titles,
/// or with cut ones where there are none.
std::optional<Figure> with_room(const Figure& figure, double width) {
    std::optional<Figure> with_cut_titles;
    const Index fewest = figure.wrapped_rows > 0 ? 1 : figure.columns;
    for (Index columns = figure.columns; columns >= fewest; --columns) {
        Figure tried = with_columns(figure, columns);
        if (!has_room(tried, width))
            continue;
        if (fewest == figure.columns || shows_titles(tried, width))
            return tried;
        if (!with_cut_titles)
            with_cut_titles = std::move(tried);
    }
    return with_cut_titles;
}

}  // namespace

std::optional<Figure> figure_in_width(const Figure& figure, double width) {
    Figure tried = in_print(figure, width);
    const bool is_certain = width >= narrowest_certain_mm * points_per_mm * (1 - 1e-9);
    const double least = is_certain ? least_scale : std::min(1.0, least_label / figure_style(tried).label);
    for (const double unshrunk = tried.length_scale; tried.length_scale >= least * unshrunk;
         tried.length_scale *= shrinking)
        if (std::optional<Figure> fitting = with_room(tried, width))
            return fitting;
    return std::nullopt;
}

Figure drawn_in_width(const Figure& figure, double width) {
    return figure_in_width(figure, width).value_or(in_print(figure, width));
}

}  // namespace headlight
