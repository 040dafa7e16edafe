#pragma once

#include "core/attention/composer.h"

#include <utility>

namespace headlight {

// What definitions of positions share: numbers that each pair finds by its two places.

/// Returns places in a matrix, place(i, j) for the pair of row i and column j. It may be asked later on, and
/// holds by value what it reads.
inline Places places_of(Index rows, Index columns, std::function<Index(Index row, Index column)> place) {
    const auto at = [columns, place = std::move(place)](Index i) { return place(i / columns, i % columns); };
    return {rows, columns, {rows * columns, at}};
}

/// Returns in the place (i, j) what the only row of each matrix of `x` has in column `column(i, j)`.
inline Expression from_row(const Expression& x, Index rows, Index columns,
                           std::function<Index(Index row, Index column)> column) {
    return pick(x, {1, 1, {0}}, places_of(rows, columns, std::move(column)));
}

/// The same of the only column in row `row(i, j)`.
inline Expression from_column(const Expression& x, Index rows, Index columns,
                              std::function<Index(Index row, Index column)> row) {
    return pick(x, places_of(rows, columns, std::move(row)), {1, 1, {0}});
}

/// Returns `x` [h, blocks, blocks] at the pairs [h, n, m] of their tokens, `size` of each.
inline Expression of_block_pairs(const Composer& composer, const Expression& x, Index size) {
    const Index n = composer.plan.queries, m = composer.plan.keys;
    return pick(x, {n, 1, {n, [size](Index i) { return i / size; }}},
                {1, m, {m, [size](Index j) { return j / size; }}});
}

/// Returns in the place (i, j) what row i of `x` [h, n, distances] has in column `column(i, j)`: [h, n, m].
inline Expression by_distance(const Composer& composer, const Expression& x,
                              std::function<Index(Index query, Index key)> column) {
    const Index n = composer.plan.queries, m = composer.plan.keys;
    return pick(x, {n, 1, counted(0, n)}, places_of(n, m, std::move(column)));
}

/// Returns |i - j|, [n, m].
inline Expression distance_of_places(Composer& composer) {
    return absolute_of(composer.query_places() - composer.key_places());
}

}  // namespace headlight
