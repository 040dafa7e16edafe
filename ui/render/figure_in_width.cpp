#include "ui/render/figure_in_width.h"

#include "core/figure/comparison.h"
#include "core/figure/theme_table.h"
#include "ui/render/figure_style.h"
#include "ui/render/painter.h"

#include <algorithm>

namespace headlight {
namespace {

constexpr double sheet = 210 * points_per_mm;  // the width of A4
constexpr double slide =
    25.4 / 3 * 40 * points_per_mm;  // 13 1/3 inches, what the projector's type is made for

constexpr double shrinking = 0.95;   // each step of drawing everything smaller
constexpr double least_scale = 0.1;  // of what is drawn in any case

Figure in_print(Figure figure, double width) {
    const bool is_projected = is_for_class(figure.theme);
    figure.has_print_lengths = !is_projected;
    figure.length_scale = std::max(1.0, width / (is_projected ? slide : sheet));
    return figure;
}

bool is_in_grid(const Panel& panel) { return !panel.thumbnail && !panel.lies_over && !panel.blank; }

/// The figure on as many of its columns, or as few, as its panels have room on: the most on which its
/// matrices are large enough to be looked at, or those that make them largest where they are on none. Titles
/// take more lines on more columns, so that their width does not decide; but a head and its number, "Head 3",
/// stay on one, and titles that a person gave are whole.
std::optional<Figure> with_room(const Figure& figure, double width) {
    // In points of a matrix. Three or more stay in their row as long as it is a picture at all, since below
    // one another they are not seen at once; two are, and the panels that a person chose are read one by one.
    constexpr double to_be_seen = 16, to_be_read = side_to_be_read;
    const bool are_two = figure.columns == 2 && std::ranges::count_if(figure.panels, is_in_grid) == 2;
    const double enough = are_two || figure.is_composed ? to_be_read : to_be_seen;
    std::optional<Figure> largest;
    double most = 0;
    const Index fewest = figure.wrapped_rows > 0 ? 1 : figure.columns;
    for (Index columns = figure.columns; columns >= fewest; --columns) {
        Figure tried = with_columns(figure, columns);
        const auto [side, cuts_titles] = room_in_width(tried, width);
        if (side <= most)
            continue;
        // In print a title that is cut is nowhere else: whoever asks for columns wants those that can be
        // read.
        const bool has_columns_asked_for = figure.columns_are_asked && !cuts_titles;
        if (fewest == figure.columns || has_columns_asked_for || side >= enough)
            return tried;
        largest = std::move(tried);
        most = side;
    }
    return largest;
}

}  // namespace

std::optional<Figure> figure_in_width(const Figure& figure, double width) {
    Figure tried = in_print(figure, width);
    const bool is_certain = width >= narrowest_certain_mm * points_per_mm * (1 - 1e-9);
    const auto scale_of = [&](double points) {
        return std::min(1.0, points / figure_style(tried).least_label);
    };
    // A person may put any number of panels into a row, and finds out by a refusal that it has too many.
    const double least = !is_certain          ? scale_of(legible_points)
                         : figure.is_composed ? scale_of(unreadable_points)
                                              : least_scale * tried.length_scale;
    for (; tried.length_scale >= least; tried.length_scale *= shrinking)
        if (std::optional<Figure> fitting = with_room(tried, width))
            return fitting;
    return std::nullopt;
}

Figure drawn_in_width(const Figure& figure, double width) {
    return figure_in_width(figure, width).value_or(in_print(figure, width));
}

}  // namespace headlight
