#pragma once

// Gradients of a tape against finite differences that leave room for a millionth of each, however small.

#include "core/nn/attention.h"
#include "core/nn/operations.h"
#include "tests/support/attention_runs.h"
#include "tests/support/gradients.h"

#include <numeric>

namespace headlight::test {

inline std::vector<double> random_numbers(Index size, std::uint64_t seed, double scale = 1) {
    RandomEngine random(seed);
    std::normal_distribution<double> normal(0, scale);
    std::vector<double> numbers;
    for (Index i = 0; i < size; ++i)
        numbers.push_back(normal(random));
    return numbers;
}

/// The derivative by one weight, from the loss at four places around it: wrong by the fourth power of the
/// step.
inline double slope_by(std::vector<double> weights, std::size_t which, const Loss& loss) {
    constexpr double step = 1e-4;
    double& weight = weights[which];
    const double before = weight;
    const auto at = [&](double by) {
        weight = before + by;
        return loss_at(weights, loss);
    };
    return (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
}

/// The gradients of a loss are those that differences have, up to a millionth of each: of every weight, or of
/// one in `share`.
inline void expect_gradients(const std::vector<double>& weights, const Loss& loss, std::size_t share = 1) {
    const std::vector<double> found = gradient_at(weights, loss);
    for (std::size_t i = 0; i < weights.size(); i += share) {
        const double expected = slope_by(weights, i, loss);
        EXPECT_NEAR(found[i], expected, 1e-6 * std::abs(expected) + 1e-9) << "weight " << i;
    }
}

/// The same along one direction, where there are too many weights to try each.
inline void expect_slope(const std::vector<double>& weights, const Loss& loss) {
    const std::vector<double> found = gradient_at(weights, loss),
                              direction = random_numbers(std::ssize(weights), 23);
    constexpr double step = 1e-4;
    const auto at = [&](double by) {
        std::vector<double> moved = weights;
        for (std::size_t i = 0; i < moved.size(); ++i)
            moved[i] += by * direction[i];
        return loss_at(moved, loss);
    };
    const double expected = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
    const double slope = std::inner_product(found.begin(), found.end(), direction.begin(), 0.0);
    EXPECT_NEAR(slope, expected, 1e-6 * std::abs(expected) + 1e-9);
}

/// The sum of all numbers, each times one of its own: no derivative hides behind another.
inline nn::Variable<double> weighted_sum(nn::Tape<double>& tape, nn::Variable<double> numbers) {
    RandomEngine random(17);
    std::normal_distribution<double> normal;
    const auto factors = tape.constant(numbers.rows, numbers.columns);
    for (Index i = 0; i < factors.size(); ++i)
        factors.value[i] = normal(random);
    return nn::sum(tape, nn::multiply(tape, numbers, factors));
}

/// The maps of a tape, one sequence after another, have the numbers that `expected(sequence)` gives.
template <class Expected>
void expect_maps(const nn::Variable<double>& found, const nn::Pairing& pairing, const Expected& expected) {
    const Index size = pairing.heads * pairing.queries * pairing.keys;
    for (Index sequence = 0; sequence < pairing.batch; ++sequence) {
        const std::vector<double> numbers = expected(sequence);
        for (Index i = 0; i < size; ++i)
            EXPECT_NEAR(found.value[sequence * size + i], numbers[static_cast<std::size_t>(i)], 1e-12)
                << "sequence " << sequence << ", number " << i;
    }
}

}  // namespace headlight::test
