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
