#include "core/io/doubted_weights.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {
namespace {

/// Whether there are sums other than 0, and all of these are `whole`. Rows of padding are 0.
bool are_whole(const std::vector<double>& sums, double whole) {
    constexpr double rounding = 0.01;  // what float16 or a few printed digits leave
    return std::ranges::any_of(sums, [](double sum) { return sum != 0; }) &&
           std::ranges::all_of(
               sums, [=](double sum) { return sum == 0 || std::abs(sum - whole) <= rounding * whole; });
}

}  // namespace

std::string doubted_weights(const MapSource& maps) {
    constexpr Index most_numbers = Index(1) << 20;
    constexpr double least = -1e-6;  // below what rounding leaves of 0
    const Index keys = maps.extents().keys, queries = maps.extents().queries,
                read = std::clamp<Index>(most_numbers / keys, 1, queries);
    std::vector<double> numbers(static_cast<std::size_t>(read * keys));
    maps.read_rows({}, 0, read, numbers);
    if (std::ranges::any_of(numbers, [](double number) { return number < least; }))
        return "Negative numbers: are these scores, not weights?";
    std::vector<double> rows(static_cast<std::size_t>(read)), columns(static_cast<std::size_t>(keys));
    auto number = numbers.begin();
    for (double& row : rows)
        for (double& column : columns) {
            row += *number;
            column += *number++;
        }
    constexpr double percent = 100;
    if (are_whole(rows, percent))
        return "Rows sum to 100: are these percentages?";
    return read == queries && !are_whole(rows, 1) && are_whole(columns, 1)
               ? "Rows do not sum to 1, columns do: are query and key swapped?"
               : "";
}

}  // namespace headlight
