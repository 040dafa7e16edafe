#pragma once

#include "core/tensor/tensor.h"

#include <algorithm>
#include <cmath>

namespace headlight {

/// The length of a vector of any finite numbers, times a power of two that gives it a moderate size: neither
/// the squares nor the length itself can overflow or vanish.
struct Length {
    double scale = 1;   ///< a power of two
    double scaled = 0;  ///< scale times the length

    double value() const { return scaled / scale; }
    /// x / length: a component of the vector's direction. The direction of zeros is zeros.
    double divide(double x) const { return scaled == 0 ? 0 : x * scale / scaled; }
};

/// at(0)^2 + ... + at(count - 1)^2, in four sums side by side: one alone would wait for each addition.
template <class At>
double sum_of_squares(Index count, const At& at) {
    constexpr Index lanes = 4;
    double squares[lanes] = {};
    const Index whole = count - count % lanes;
    for (Index i = 0; i < whole; i += lanes)
        for (Index lane = 0; lane < lanes; ++lane)
            squares[lane] += at(i + lane) * at(i + lane);
    for (Index i = whole; i < count; ++i)
        squares[0] += at(i) * at(i);
    return (squares[0] + squares[1]) + (squares[2] + squares[3]);
}

// Between these bounds no square of a component that counts has overflowed or lost digits.
inline constexpr double smallest_safe_square = 1e-280, largest_safe_square = 1e300;

/// |x|, x given as a function of its index.
template <class At>
Length length_of(Index count, const At& at) {
    const double squares = sum_of_squares(count, at);
    if (squares >= smallest_safe_square && squares <= largest_safe_square)
        return {1, std::sqrt(squares)};
    double largest = 0;
    for (Index i = 0; i < count; ++i)
        largest = std::max(largest, std::abs(at(i)));
    if (largest == 0 || !std::isfinite(largest) || std::isnan(squares))
        return {1, squares};
    constexpr int largest_exponent = 1022;  // of a scale, which 1 can be divided by
    const double scale = std::ldexp(1.0, std::min(-std::ilogb(largest), largest_exponent));
    return {scale, std::sqrt(sum_of_squares(count, [&](Index i) { return at(i) * scale; }))};
}

/// sqrt(mean of the squares + offset)
template <class At>
Length root_mean_square(Index count, const At& at, double offset) {
    const auto size = static_cast<double>(count);
    const double squares = sum_of_squares(count, at);
    if (squares <= largest_safe_square)
        return {1, std::sqrt(squares / size + offset)};
    const Length length = length_of(count, at);  // so long that the offset is below its last digit
    return {length.scale, length.scaled / std::sqrt(size)};
}

/// What a vector around its mean is divided by: its length, or the root of its mean square plus `offset`.
template <class Real>
Length length_around(const Real* x, Index count, double mean, bool is_mean_square, double offset) {
    const auto at = [=](Index i) { return static_cast<double>(x[i]) - mean; };
    return is_mean_square ? root_mean_square(count, at, offset) : length_of(count, at);
}

/// The length of `count` numbers from `x` on.
template <class Real>
Length length_of(const Real* x, Index count) {
    return length_of(count, [&](Index i) { return static_cast<double>(x[i]); });
}

/// out = x / |x|, of `count` numbers; zeros stay zeros.
template <class From, class To>
void write_direction(const From* x, Index count, To* out) {
    const Length length = length_of(x, count);
    if (length.scaled == 0) {
        std::fill_n(out, count, To(0));
        return;
    }
    for (Index i = 0; i < count; ++i)
        out[i] = static_cast<To>(static_cast<double>(x[i]) * length.scale / length.scaled);
}

}  // namespace headlight
