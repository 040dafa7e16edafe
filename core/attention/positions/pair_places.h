#pragma once

#include "core/attention/composer.h"
#include "core/tensor/interruption.h"

#include <functional>

namespace headlight {

// What definitions of positions share: numbers that each pair finds by its two places.

/// Returns places in a matrix, place(i, j) for the pair of row i and column j.
inline Places places_of(Index rows, Index columns,
                        const std::function<Index(Index row, Index column)>& place) {
    Places made{rows, columns, {}};
    made.numbers.reserve(static_cast<std::size_t>(rows * columns));
    for (Index row = 0; row < rows; ++row, Interruption::check())
        for (Index column = 0; column < columns; ++column)
            made.numbers.push_back(place(row, column));
    return made;
}

/// Returns in the place (i, j) what row i of `x` [h, n, distances] has in column `column(i, j)`: [h, n, m].
inline Expression by_distance(const Composer& composer, const Expression& x,
                              const std::function<Index(Index query, Index key)>& column) {
    const Index n = composer.plan.queries, m = composer.plan.keys;
    return pick(x, {n, 1, counted(0, n)}, places_of(n, m, column));
}

/// Returns |i - j|, [n, m].
inline Expression distance_of_places(Composer& composer) {
    return absolute_of(composer.query_places() - composer.key_places());
}

}  // namespace headlight
