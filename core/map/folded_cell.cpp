#include "core/map/folded_cell.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// What counts for FoldedCell::least.
double below_zero(double number) {
    return number > -std::numeric_limits<double>::infinity() && number < 0 ? number : 0;
}

FoldedCell cell_of(double number) {
    return std::isnan(number) ? FoldedCell() : FoldedCell{number, number, 1, below_zero(number)};
}

FoldedCell folded(std::span<const double> numbers) {
    FoldedCell cell;
    cell.numbers = static_cast<double>(numbers.size());
    const double* number = numbers.data();
    const Index count = std::ssize(numbers);
    double sum = 0, maximum = cell.maximum, least = 0;
#pragma omp simd reduction(+ : sum) reduction(max : maximum) reduction(min : least)
    for (Index i = 0; i < count; ++i) {
        sum += number[i];
        maximum = number[i] > maximum ? number[i] : maximum;
        const double below = below_zero(number[i]);
        least = below < least ? below : least;
    }
    cell.sum = sum;
    cell.maximum = maximum;
    cell.least = least;
    if (!std::isnan(sum))
        return cell;
    cell = {};
    for (const double each : numbers)
        cell.add(cell_of(each));
    return cell;
}

}  // namespace

void fold_row(std::span<const double> row, Index width, FoldedCell* to) {
    if (width == 1)
        for (const double number : row)
            (to++)->add(cell_of(number));
    else
        for (Index first = 0; first < std::ssize(row); first += width)
            (to++)->add(
                folded(row.subspan(static_cast<std::size_t>(first),
                                   static_cast<std::size_t>(std::min(width, std::ssize(row) - first)))));
}

FoldedCells FoldedCells::halved() const {
    FoldedCells half((rows + 1) / 2, (columns + 1) / 2);
    for (Index y = 0; y < rows; ++y)
        for (Index x = 0; x < columns; ++x)
            half.row(y / 2)[x / 2].add(row(y)[x]);
    return half;
}

}  // namespace headlight
