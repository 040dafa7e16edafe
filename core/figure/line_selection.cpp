#include "core/figure/line_selection.h"

#include "core/figure/cell_codes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

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

/// How far from 0 each number of a row is that has a line; 0 of one that has none.
std::vector<double> sizes_of_lines(const Panel& panel, Index row) {
    std::vector<double> sizes;
    for (Index column = 0; column < panel.columns; ++column) {
        const double value = panel.values[static_cast<std::size_t>(row * panel.columns + column)];
        const bool has_line = std::isfinite(value) && !is_forbidden(panel, row, column);
        sizes.push_back(has_line ? std::abs(value) : 0);
    }
    return sizes;
}

/// The size from which on a number of a row is among its `most` strongest, and how many of exactly that size
/// are.
struct LeastOfStrongest {
    double size = 0;
    Index equal = 0;
};

LeastOfStrongest least_of_strongest(std::vector<double> sizes, const std::optional<Index>& most_drawn) {
    const Index most = most_drawn.value_or(std::ssize(sizes));
    if (std::ssize(sizes) <= most)
        return {};
    const auto last = sizes.begin() + (most - 1);
    std::ranges::nth_element(sizes, last, std::greater());
    return {*last, std::count(sizes.begin(), last + 1, *last)};
}

}  // namespace

HiddenLines& HiddenLines::operator+=(const HiddenLines& other) {
    count += other.count;
    hidden_sum += other.hidden_sum;
    sum += other.sum;
    return *this;
}

void keep_chosen_lines(Panel& panel, const LineChoice& choice) {
    if (choice == LineChoice())
        return;
    std::vector<double> values = panel.values.copy();
    HiddenLines& hidden = panel.hidden_lines;
    for (Index row = 0; row < panel.rows; ++row) {
        const std::vector<double> sizes = sizes_of_lines(panel, row);
        LeastOfStrongest least = least_of_strongest(sizes, choice.most);
        for (Index column = 0; column < panel.columns; ++column) {
            const double size = sizes[static_cast<std::size_t>(column)];
            if (size == 0)
                continue;
            hidden.sum += size;
            const bool is_strong = size > least.size || (size == least.size && least.equal-- > 0);
            if (is_strong && size >= choice.least)
                continue;
            ++hidden.count;
            hidden.hidden_sum += size;
            values[static_cast<std::size_t>(row * panel.columns + column)] =
                std::numeric_limits<double>::quiet_NaN();
        }
    }
    panel.values = std::move(values);
}

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
    selection.faint =
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
