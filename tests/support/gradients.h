#pragma once

#include "core/nn/tape.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace headlight::test {

/// A loss, [1, 1], of the weights of a layout; what an operation is applied to is a weight too.
using Loss = std::function<nn::Variable<double>(nn::Tape<double>&)>;

inline double loss_at(const std::vector<double>& weights, const Loss& loss) {
    nn::Tape<double> tape(weights);
    return *loss(tape).value;
}

inline std::vector<double> gradient_at(const std::vector<double>& weights, const Loss& loss) {
    std::vector<double> gradient(weights.size());
    nn::Tape<double> tape(weights, gradient);
    tape.backward(loss(tape));
    return gradient;
}

/// The central difference of the loss at one of the weights.
inline double difference_at(std::vector<double>& weights, std::size_t place, const Loss& loss) {
    constexpr double step = 1e-5;
    const double at = weights[place];
    weights[place] = at + step;
    const double above = loss_at(weights, loss);
    weights[place] = at - step;
    const double below = loss_at(weights, loss);
    weights[place] = at;
    return (above - below) / (2 * step);
}

/// The tape's gradient is what central differences of the loss say, at 1e-6 of the larger of 1 and their
/// size.
inline void expect_gradient(const nn::ParameterLayout& layout, std::vector<double> weights,
                            const Loss& loss) {
    const std::vector<double> gradient = gradient_at(weights, loss);
    for (const auto& entry : layout.entries())
        for (Index i = 0; i < entry.weight.size(); ++i) {
            const auto place = static_cast<std::size_t>(entry.weight.offset + i);
            const double expected = difference_at(weights, place, loss);
            EXPECT_NEAR(gradient[place], expected, 1e-6 * std::max(1.0, std::abs(expected)))
                << entry.name << "[" << i << "]";
        }
}

}  // namespace headlight::test
