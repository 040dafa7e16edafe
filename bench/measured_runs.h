#pragma once

// What benchmarks of the engine run on, and how long a run takes.

#include "core/attention/executor.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <random>

namespace headlight {

/// One sequence of normally distributed token vectors, always the same.
inline Inputs random_inputs(Index tokens, Index width) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    Inputs inputs;
    inputs.query = Tensor({tokens, width});
    for (double& value : inputs.query.values())
        value = normal(random);
    return inputs;
}

/// Milliseconds of the fastest run in about half a second: untraced, float, weights not kept. At least three
/// runs, and `most` of them.
inline double fastest(const std::shared_ptr<const Plan>& plan, int most) {
    Executor<float> executor(plan, Executor<float>::Weights::discard);
    double best = std::numeric_limits<double>::infinity(), total = 0;
    for (int run = 0; run < most && (run < 3 || total < 500); ++run) {
        const auto start = std::chrono::steady_clock::now();
        executor.run();
        const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
        best = std::min(best, taken.count());
        total += taken.count();
    }
    return best;
}

}  // namespace headlight
