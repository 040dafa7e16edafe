#pragma once

#include "core/attention/grid.h"
#include "core/attention/positions/pair_places.h"

#include <algorithm>

namespace headlight {

/// The offsets from keys to queries, each of which many pairs have: of places on a line, or of rows and
/// columns on a grid.
class PairOffsets {
public:
    /// No columns: tokens stand in a line.
    PairOffsets(const Plan& plan, Index columns)
        : queries_(plan.queries), keys_(plan.keys),
          is_line_(columns == 0), grid_{is_line_ ? std::max(queries_, keys_) : columns} {
        const Index tokens = std::max(queries_, keys_);
        most_down_ = grid_.row(tokens - 1);
        most_across_ = std::min(grid_.columns, tokens) - 1;
    }

    Index count() const { return (2 * most_down_ + 1) * (2 * most_across_ + 1); }
    Index coordinates() const { return is_line_ ? 1 : 2; }
    /// Query minus key, of a line; of rows and columns, on a grid.
    Index offset(Index number, Index coordinate) const {
        const Index across = 2 * most_across_ + 1;
        return coordinate + 1 == coordinates() ? number % across - most_across_
                                               : number / across - most_down_;
    }
    Index number(Index query, Index key) const {
        return (grid_.row(query) - grid_.row(key) + most_down_) * (2 * most_across_ + 1) +
               grid_.column(query) - grid_.column(key) + most_across_;
    }

    /// All of them, [count, coordinates].
    Expression numbers(Composer& composer) const {
        return composer.constant("offsets", {0, count(), coordinates()},
                                 is_line_ ? "places from a key to a query, every offset once"
                                          : "rows and columns from a key to a query, every offset once",
                                 [offsets = *this](Index, Index row, Index column) {
                                     return static_cast<double>(offsets.offset(row, column));
                                 });
    }
    /// sign(x) ln(1 + by |x|)
    static Expression squeezed(Composer& composer, const Expression& offsets, double by = 1) {
        const Expression size = absolute_of(offsets);
        return composer.let("squeezed_offsets",
                            choose(is_above(0, offsets), -1, 1) * log_of_more(by == 1 ? size : by * size),
                            "their logarithms, far ones closer together");
    }
    /// What each pair has of `biases` [count, h]: [h, n, m].
    Expression of_pairs(Composer& composer, const Expression& biases) const {
        const Expression by_head =
            composer.let("bias_of_offsets", split_rows(transposed(biases), composer.heads),
                         "a number for each offset, head by head");
        return from_row(by_head, queries_, keys_,
                        [offsets = *this](Index query, Index key) { return offsets.number(query, key); });
    }

private:
    Index queries_, keys_;
    bool is_line_;
    Grid grid_;
    Index most_down_ = 0, most_across_ = 0;
};

}  // namespace headlight
