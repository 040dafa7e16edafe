#include "core/figure/line_selection.h"

#include "core/figure/cell_codes.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr double least_strength = 0.02;
constexpr std::size_t most_lines = 400;  // more take longer than a frame to paint

double strength_of(const ColourScale& scale, double value) {
    const double position = scale.position(value);
    return colour_map(scale.map).diverging ? std::abs(2 * position - 1) : position;
}

double sum_of_sizes(const std::vector<DrawnLine>& lines) {
    double sum = 0;
    for (const DrawnLine& line : lines)
        sum += std::abs(line.value);
    return sum;
}

}  // namespace

LineSelection select_lines(const Panel& panel) {
    LineSelection selection;
    std::vector<DrawnLine>& lines = selection.lines;
    for (Index row = 0; row < panel.rows; ++row) {
        for (Index column = 0; column < panel.columns; ++column) {
            const double value = panel.values[static_cast<std::size_t>(row * panel.columns + column)];
            if (std::isfinite(value) && value != 0 && !is_forbidden(panel, row, column))
                lines.push_back({row, column, value, strength_of(panel.scale, value)});
        }
    }
    const auto candidates = std::ssize(lines);
    selection.sum = sum_of_sizes(lines);
    std::erase_if(lines, [](const DrawnLine& line) { return line.strength < least_strength; });
    std::ranges::sort(lines, {}, &DrawnLine::strength);
    if (lines.size() > most_lines)
        lines.erase(lines.begin(), lines.end() - most_lines);
    selection.left_out = candidates - std::ssize(lines);
    if (selection.left_out > 0)
        selection.left_out_sum = std::max(0.0, selection.sum - sum_of_sizes(lines));
    return selection;
}

}  // namespace headlight
