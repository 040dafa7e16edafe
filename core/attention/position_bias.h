#pragma once

#include "core/attention/component.h"
#include "core/attention/pipeline.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace headlight {

/// Adds `fill` to a pipeline as its position bias, and records it: fill(row, bias) writes what the scaled
/// scores of the row get, finite numbers for the keys [0, row.size).
template <class Real, class Fill>
void add_position_bias(const Plan& plan, Pipeline<Real>& pipeline, Fill fill) {
    pipeline.bias.push_back([&plan, fill](const ScoreRow<Real>& row, const Recorder& record) {
        thread_local std::vector<Real> bias;
        bias.resize(static_cast<std::size_t>(row.size));
        fill(row, bias.data());
        record.write("position_bias", (row.head * plan.queries + row.query) * plan.keys, bias.data(),
                     row.size);
        for (Index key = 0; key < row.size; ++key)
            row.values[key] += bias[static_cast<std::size_t>(key)];
    });
}

/// What add_distance_bias() allocates.
inline StepMemory distance_bias_memory(const Plan& plan, const RunNeeds& needs) {
    return {.kept = elements(plan.heads, std::max(plan.queries, plan.keys)) * needs.real};
}

/// The same for a bias that only |i - j| decides: bias(head, distance), worked out once for every distance.
template <class Real, class Bias>
void add_distance_bias(const Plan& plan, Pipeline<Real>& pipeline, const Bias& bias) {
    const Index distances = std::max(plan.queries, plan.keys);
    Real* biases = pipeline.operands.allocate(plan.heads * distances);
    for (Index head = 0; head < plan.heads; ++head)
        for (Index distance = 0; distance < distances; ++distance)
            biases[head * distances + distance] = static_cast<Real>(bias(head, distance));
    add_position_bias(plan, pipeline, [=](const ScoreRow<Real>& row, Real* numbers) {
        for (Index key = 0; key < row.size; ++key)
            numbers[key] = biases[row.head * distances + std::abs(row.query - key)];
    });
}

}  // namespace headlight
