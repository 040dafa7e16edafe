#pragma once

#include "core/attention/journey.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace headlight {

/// Adds `fill` to a journey as its position bias, and records it: fill(row, bias) writes what the scaled
/// scores of the row get, finite numbers for the keys [0, row.size).
template <class Real, class Fill>
void add_position_bias(const Plan& plan, Journey<Real>& journey, Fill fill) {
    journey.bias.push_back([&plan, fill](const ScoreRow<Real>& row, const Recorder& record) {
        thread_local std::vector<Real> bias;
        bias.resize(static_cast<std::size_t>(row.size));
        fill(row, bias.data());
        record.write("position_bias", (row.head * plan.queries + row.query) * plan.keys, bias.data(),
                     row.size);
        for (Index key = 0; key < row.size; ++key)
            row.values[key] += bias[static_cast<std::size_t>(key)];
    });
}

/// The same for a bias that only |i - j| decides: bias(head, distance), worked out once for every distance.
template <class Real, class Bias>
void add_distance_bias(const Plan& plan, Journey<Real>& journey, const Bias& bias) {
    const Index distances = std::max(plan.queries, plan.keys);
    Real* biases = journey.operands.allocate(plan.heads * distances);
    for (Index head = 0; head < plan.heads; ++head)
        for (Index distance = 0; distance < distances; ++distance)
            biases[head * distances + distance] = static_cast<Real>(bias(head, distance));
    add_position_bias(plan, journey, [=](const ScoreRow<Real>& row, Real* numbers) {
        for (Index key = 0; key < row.size; ++key)
            numbers[key] = biases[row.head * distances + std::abs(row.query - key)];
    });
}

}  // namespace headlight
