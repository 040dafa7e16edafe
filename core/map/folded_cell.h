#pragma once

#include "core/tensor/tensor.h"

#include <limits>
#include <span>
#include <vector>

namespace headlight {

/// Numbers of a map taken together. NaN stands for a number that is missing: it is none of them. An infinite
/// one counts as any other: the sum is infinite, and NaN where there are both infinities.
struct FoldedCell {
    double maximum = -std::numeric_limits<double>::infinity();
    double sum = 0;
    double numbers = 0;  ///< how many
    /// The smallest finite number below 0; 0 where there is none. Minus infinity is not one: pairs that a
    /// mask forbids have it as their score.
    double least = 0;

    /// The number that is furthest from 0.
    double furthest() const { return least < 0 && -least > maximum ? least : maximum; }
    void add(const FoldedCell& other) {
        maximum = other.maximum > maximum ? other.maximum : maximum;
        sum += other.sum;
        numbers += other.numbers;
        least = other.least < least ? other.least : least;
    }
};

/// Adds every `width` numbers of a row to a cell, to the last one what is left: [ceil(row / width)] in `to`.
void fold_row(std::span<const double> row, Index width, FoldedCell* to);

/// [row, column]
struct FoldedCells {
    FoldedCells(Index row_count, Index column_count)
        : rows(row_count), columns(column_count), cells(static_cast<std::size_t>(row_count * column_count)) {}

    Index rows, columns;
    std::vector<FoldedCell> cells;

    FoldedCell* row(Index number) { return cells.data() + number * columns; }
    const FoldedCell* row(Index number) const { return cells.data() + number * columns; }
    /// 2 x 2 cells as one; of an odd last row or column what there is.
    FoldedCells halved() const;
};

}  // namespace headlight
