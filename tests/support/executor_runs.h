#pragma once

// What the tests of the executor share: everything that a run returns, in its own precision, to be compared
// bit for bit.

#include "tests/support/attention_runs.h"

#include <memory>
#include <numeric>
#include <vector>

namespace headlight::test {

template <class Real>
struct Result {
    std::vector<Real> weights, context, output;
    bool operator==(const Result&) const = default;
};

template <class Real = double>
Result<Real> numbers_of(const Executor<Real>& executor) {
    const auto copy = [](std::span<const Real> numbers) {
        return std::vector<Real>(numbers.begin(), numbers.end());
    };
    return {copy(executor.weights()), copy(executor.context()), copy(executor.output())};
}

template <class Real = double>
Result<Real> result_of(const std::shared_ptr<const Plan>& plan) {
    Executor<Real> executor(plan);
    executor.run();
    return numbers_of(executor);
}

template <class Real = double>
Result<Real> result_of(const AttentionSpec& spec, const Inputs& inputs) {
    return result_of<Real>(planned(spec, inputs));
}

inline Tensor numbered(Shape shape, std::uint64_t seed) {
    RandomEngine random(seed);
    return random_tensor(std::move(shape), random);
}

/// Every row that has an allowed key sums to 1, and what is forbidden weighs exactly nothing.
inline void expect_distributions(const Plan& plan, std::span<const double> weights) {
    for (Index head = 0; head < plan.heads; ++head)
        for (Index query = 0; query < plan.queries; ++query) {
            const auto row =
                weights.subspan(static_cast<std::size_t>((head * plan.queries + query) * plan.keys),
                                static_cast<std::size_t>(plan.keys));
            const bool is_open = plan.spec.mask_value || plan.allowed.end(query) > 0;
            ASSERT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), is_open ? 1 : 0, 1e-12);
            for (Index key = 0; key < plan.keys; ++key) {
                const bool is_forbidden = !plan.spec.mask_value && !plan.allowed.allowed(query, key);
                ASSERT_TRUE(!is_forbidden || row[static_cast<std::size_t>(key)] == 0);
            }
        }
}

inline Inputs self_inputs(Index tokens, Index width) {
    Inputs inputs;
    inputs.query = numbered({tokens, width}, 3);
    return inputs;
}

inline Inputs cross_inputs(Index queries, Index keys, Index width) {
    Inputs inputs = self_inputs(queries, width);
    inputs.key = numbered({keys, width}, 4);
    inputs.value = numbered({keys, width}, 5);
    return inputs;
}

inline AttentionSpec cross_spec() {
    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    return spec;
}

inline AttentionSpec multi_head(Index heads) {
    AttentionSpec spec;
    spec.projections = {ProjectionType::learned, true};
    spec.heads = {HeadsType::multi, heads};
    return spec;
}

inline constexpr ScoreType every_score[] = {
    ScoreType::dot,    ScoreType::scaled_dot, ScoreType::learned_scale,  ScoreType::general,
    ScoreType::concat, ScoreType::additive,   ScoreType::self_similarity};

}  // namespace headlight::test
