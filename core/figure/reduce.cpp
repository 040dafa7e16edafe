#include "core/figure/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

/// Which block of `to` equal ones a cell of `from` falls into; every block gets at least one cell when to <=
/// from.
std::vector<Index> block_starts(Index from, Index to) {
    std::vector<Index> starts;
    for (Index block = 0; block <= to; ++block)
        starts.push_back(block * from / to);
    return starts;
}

template <bool Signed>
bool outweighs(double challenger, double champion) {
    if constexpr (Signed) {
        if (std::isnan(champion) || std::isinf(champion))
            return !std::isnan(challenger) && (std::isnan(champion) || !std::isinf(challenger));
        return std::abs(challenger) > std::abs(champion) && !std::isinf(challenger);
    } else {
        return challenger > champion || (std::isnan(champion) && !std::isnan(challenger));
    }
}

template <bool Signed>
void reduce(std::span<const double> values, Index columns, const std::vector<Index>& row_starts,
            const std::vector<Index>& column_starts, ReducedMatrix& reduced) {
    for (Index r = 0; r < reduced.rows; ++r) {
        double* out = reduced.values.data() + r * reduced.columns;
        for (Index row = row_starts[std::size_t(r)]; row < row_starts[std::size_t(r) + 1]; ++row) {
            const double* in = values.data() + row * columns;
            for (Index c = 0; c < reduced.columns; ++c)
                for (Index column = column_starts[std::size_t(c)]; column < column_starts[std::size_t(c) + 1];
                     ++column)
                    if (outweighs<Signed>(in[column], out[c]))
                        out[c] = in[column];
        }
    }
}

}  // namespace

ReducedMatrix reduce_keeping_extremes(std::span<const double> values, Index rows, Index columns,
                                      Index most_rows, Index most_columns, bool signed_numbers) {
    ReducedMatrix reduced{std::min(rows, std::max<Index>(1, most_rows)),
                          std::min(columns, std::max<Index>(1, most_columns)),
                          {}};
    if (reduced.rows == rows && reduced.columns == columns) {
        reduced.values.assign(values.begin(), values.end());
        return reduced;
    }
    reduced.values.assign(static_cast<std::size_t>(reduced.rows * reduced.columns),
                          std::numeric_limits<double>::quiet_NaN());
    const auto row_starts = block_starts(rows, reduced.rows),
               column_starts = block_starts(columns, reduced.columns);
    (signed_numbers ? reduce<true> : reduce<false>)(values, columns, row_starts, column_starts, reduced);
    return reduced;
}

}  // namespace headlight
