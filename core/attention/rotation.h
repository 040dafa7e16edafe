#pragma once

#include "core/tensor/interruption.h"
#include "core/tensor/matrix_view.h"

#include <cmath>
#include <vector>

namespace headlight {

// Pairs of numbers that turn with the place: sinusoidal and rotary positions, for runs and for training
// alike.

/// The base of the frequencies in Vaswani et al. 2017 and Su et al. 2024.
inline constexpr double standard_base = 10000;

/// base^(-2i/d): the radians by which one place more turns pair i of d numbers.
inline double pair_frequency(Index pair, Index dimensions, double base = standard_base) {
    return std::pow(base, -2 * static_cast<double>(pair) / static_cast<double>(dimensions));
}

/// Number `column` of the sinusoidal vector [width] of a place: sines in even columns, cosines of the same
/// angles in odd ones (Vaswani et al. 2017, section 3.5). A place may be a distance, and so negative.
inline double sinusoid(double place, Index column, Index width) {
    const double angle = place * pair_frequency(column / 2, width);
    return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

/// The sinusoidal vectors of the places first, first + 1, ..., [places, width].
template <class Real>
void fill_sinusoids(Index first, MatrixView<Real> vectors) {
    for (Index row = 0; row < vectors.rows; ++row) {
        Interruption::check();
        for (Index column = 0; column < vectors.columns; ++column)
            vectors.row(row)[column] =
                static_cast<Real>(sinusoid(static_cast<double>(first + row), column, vectors.columns));
    }
}

/// Turns the pair (x, y) by the angle of this cosine and sine.
template <class Real>
void turn_pair(Real& x, Real& y, Real cosine, Real sine) {
    const Real turned = x * cosine - y * sine;
    y = x * sine + y * cosine;
    x = turned;
}

/// Cosines and sines of every place and pair, in this precision.
template <class Real>
struct RotationTable {
    MatrixView<const Real> cosine, sine;  ///< [tokens, pairs]
    bool is_interleaved = false;          ///< pair i is (2i, 2i + 1), else (i, i + pairs)

    /// Turns the vector of token number `token`, in place.
    void rotate(Real* vector, Index token) const { turn(vector, token, Real(1)); }
    /// Turns it back; where the cosines and sines have a length, times that again: the derivative of
    /// rotate().
    void rotate_back(Real* vector, Index token) const { turn(vector, token, Real(-1)); }

private:
    void turn(Real* vector, Index token, Real direction) const {
        const Real *c = cosine.row(token), *s = sine.row(token);
        const Index pairs = cosine.columns;
        if (is_interleaved)  // two loops, each of whose steps the compiler knows
            for (Index pair = 0; pair < pairs; ++pair)
                turn_pair(vector[2 * pair], vector[2 * pair + 1], c[pair], direction * s[pair]);
        else
            for (Index pair = 0; pair < pairs; ++pair)
                turn_pair(vector[pair], vector[pair + pairs], c[pair], direction * s[pair]);
    }
};

/// A table of the places first, first + 1, ... in the room that is given, [tokens, pairs] each.
/// `length(token, pair)` multiplies the cosine and the sine.
template <class Real, class Length>
RotationTable<Real> fill_rotations(const std::vector<double>& frequencies, Index first, bool is_interleaved,
                                   const Length& length, MatrixView<Real> cosine, MatrixView<Real> sine) {
    for (Index token = 0; token < cosine.rows; ++token) {
        Interruption::check();
        for (Index pair = 0; pair < cosine.columns; ++pair) {
            const double angle =
                static_cast<double>(first + token) * frequencies[static_cast<std::size_t>(pair)];
            cosine.row(token)[pair] = static_cast<Real>(std::cos(angle) * length(token, pair));
            sine.row(token)[pair] = static_cast<Real>(std::sin(angle) * length(token, pair));
        }
    }
    return {cosine, sine, is_interleaved};
}

}  // namespace headlight
