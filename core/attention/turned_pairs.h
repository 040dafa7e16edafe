#pragma once

#include "core/attention/composer.h"

#include <functional>
#include <string>
#include <vector>

namespace headlight {

// Rotations by the place as expressions: what rotary positions are, and parts of some algorithms.

/// How pairs of features are turned.
struct PairTurns {
    std::vector<double> frequencies;  ///< of each pair, in radians from one place to the next
    bool is_interleaved = false;      ///< pair i is (2i, 2i + 1), else (i, i + pairs)
    /// What the turned features of a row are multiplied by; empty: they keep their length.
    std::function<double(Index row, Index pair)> length = {};
    /// The place of a row by which a pair turns; empty: the number of the row.
    std::function<double(Index row, Index pair)> place = {};
    /// Whether a head turns; empty: all do.
    std::function<bool(Index head)> turns_head = {};
    /// The radians by which every pair of a head stands ahead of its place; empty: by none.
    std::function<double(Index head)> ahead = {};
    /// What the names of its constants begin with where a program turns others otherwise.
    std::string constants = {};

    Index pairs() const { return std::ssize(frequencies); }
    bool is_turned(Index column) const { return column < 2 * pairs(); }
    Index pair(Index column) const { return is_interleaved ? column / 2 : column % pairs(); }
    bool is_first(Index column) const { return is_interleaved ? column % 2 == 0 : column < pairs(); }
    Index partner(Index column) const {
        if (!is_turned(column))
            return column;
        const Index step = is_interleaved ? 1 : pairs();
        return is_first(column) ? column + step : column - step;
    }
};

/// Turns the pairs of `x` [.., rows, d], which is called `name`, by their place: x cos + partner sin, feature
/// by feature.
Expression turned_by(Composer& composer, const PairTurns& turns, const std::string& name,
                     const Expression& x);

/// Turns neighbouring features of `x` [.., rows, d] by their row times base^(-2i/d).
Expression turned_pairs(Composer& composer, const std::string& name, const Expression& x, double base);

}  // namespace headlight
