#pragma once

#include <cmath>

namespace headlight {

/// A sum over the row, as a function of the threshold, and its slope.
struct SumAndSlope {
    double sum = 0;
    double slope = 0;
};

/// The threshold in [low, high] at which a falling `sum_at` is 0: Newton's steps, and halvings where one
/// would leave the bracket.
template <class SumAt>
double solve_threshold(double low, double high, const SumAt& sum_at) {
    double threshold = low;
    for (int step = 0; step < 200; ++step) {
        const auto [sum, slope] = sum_at(threshold);
        if (sum == 0)
            return threshold;
        (sum > 0 ? low : high) = threshold;
        double next = threshold - sum / slope;
        if (!(next > low && next < high))
            next = low + (high - low) / 2;
        if (std::abs(next - threshold) <= 2e-16 * std::abs(next))
            return next;
        threshold = next;
    }
    return threshold;
}

}  // namespace headlight
