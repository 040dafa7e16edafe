// Invariant 33: what is worked out from weights keeps their sums.

#include "core/analysis/rollout.h"
#include "core/analysis/value_norms.h"
#include "tests/support/attention_runs.h"
#include "tests/support/refusal.h"

#include <numeric>

namespace headlight::invariants_analysis_test {

using namespace test;

namespace {

double sum(std::span<const double> numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0); }

Tensor stage_tensor(const Trace& trace, const std::string& name) {
    return {trace.find(name)->shape, stage(trace, name)};
}

/// The recorded run of a layer with projections of its own over `tokens` tokens.
Trace layer(Index tokens, std::uint64_t seed, const std::string& heads, const std::string& rest = "") {
    RandomEngine random(seed);
    const Inputs inputs{.query = random_tensor({tokens, 8}, random, 1)};
    return record(planned(spec(R"({"projections": {"type": "learned"}, "heads": )" + heads + rest + "}"),
                          inputs, seed));
}

const std::string two_heads = R"({"type": "multi", "heads": 2})";

/// The heads of weights [head, token, token].
LayerWeights heads_of(const Tensor& weights) {
    LayerWeights heads;
    const Index size = weights.size() / weights.extent(0);
    for (Index head = 0; head < weights.extent(0); ++head) {
        const auto map =
            weights.values().subspan(static_cast<std::size_t>(head * size), static_cast<std::size_t>(size));
        heads.emplace_back(std::vector<double>(map.begin(), map.end()));
    }
    return heads;
}

Tensor whole_rollout(std::span<const LayerWeights> layers, Index tokens) {
    return attention_rollout(layers, tokens, 0, tokens);
}

TEST(Invariant33, RolloutRowsSumToOne) {
    for (const std::string rest :
         {"", R"(, "mask": {"type": "causal"})", R"(, "normalizer": {"type": "relu"})",
          R"(, "normalizer": {"type": "off_by_one"})"}) {
        std::vector<LayerWeights> layers;
        for (const std::uint64_t seed : {1, 2, 3, 4}) {
            layers.push_back(heads_of(stage_tensor(layer(6, seed, two_heads, rest), "weights")));
            const Tensor rollout = whole_rollout(layers, 6);
            for (Index token = 0; token < 6; ++token)
                EXPECT_NEAR(sum(rollout.row(token)), 1, 1e-14) << rest;
        }
    }
}

TEST(Invariant33, RolloutIsTheProductOfHalfWeightsAndHalfResidual) {
    const Tensor first = stage_tensor(layer(5, 1, two_heads), "weights");
    const Tensor second = stage_tensor(layer(5, 2, two_heads), "weights");
    const auto half = [](const Tensor& weights) {
        Tensor mixing({5, 5});
        for (Index cell = 0; cell < 25; ++cell)
            mixing[cell] = (weights[cell] + weights[25 + cell]) / 4 + (cell % 6 == 0 ? 0.5 : 0);
        return mixing;
    };
    const LayerWeights layers[]{heads_of(first), heads_of(second)};
    const Tensor expected = product(half(second), half(first));
    EXPECT_TRUE(within(whole_rollout(std::span(layers).first(1), 5).values(), half(first).values(), 1e-15));
    EXPECT_TRUE(within(whole_rollout(layers, 5).values(), expected.values(), 1e-15));
    for (Index row = 0; row < 5; ++row)
        EXPECT_TRUE(within(attention_rollout(layers, 5, row, 1).values(), expected.row(row), 1e-15)) << row;
}

TEST(Invariant33, TokensThatLookAtThemselvesStayThemselves) {
    const Tensor itself({1, 3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1}), nothing({2, 3, 3});
    for (const Tensor& weights : {itself, nothing}) {
        const LayerWeights layers[]{heads_of(weights), heads_of(weights)};
        EXPECT_EQ(whole_rollout(layers, 3), identity(3));
    }
}

TEST(Invariant33, RolloutRefusesWhatHasNoShares) {
    expect_refusal([] { whole_rollout({}, 3); }, {"at least one layer"});
    const LayerWeights unequal[]{{std::vector<double>(9)}, {std::vector<double>(4)}};
    expect_refusal([&] { whole_rollout(unequal, 3); }, {"layer 2", "weights of 3 tokens", "4 numbers"});
    const LayerWeights headless[]{{}};
    expect_refusal([&] { whole_rollout(headless, 3); }, {"layer 1", "at least one head"});
    const LayerWeights negative[]{{Storage<const double>{-0.5}}};
    expect_refusal([&] { whole_rollout(negative, 1); }, {"0 and more", "-0.5"});
}

TEST(Invariant33, WeightedValuesSumToTheOutput) {
    for (const std::string& heads :
         {two_heads, std::string(R"({"type": "multi_query", "heads": 4})"),
          std::string(R"({"type": "grouped_query", "heads": 4, "kv_heads": 2})")}) {
        RandomEngine random(3);
        const Inputs inputs{.query = random_tensor({6, 8}, random, 1)};
        const auto plan =
            planned(spec(R"({"projections": {"type": "learned"}, "heads": )" + heads + "}"), inputs);
        const Trace trace = record(plan);
        const Tensor weights = stage_tensor(trace, "weights");
        const Tensor transformed = transformed_values(stage_tensor(trace, "value"), plan->parameter("W_o"));
        const Tensor of_keys = norms_of_keys(transformed);
        Tensor output({6, 8});
        for (Index query = 0; query < 6; ++query)
            for (Index key = 0; key < 6; ++key)
                for (Index head = 0; head < plan->heads; ++head) {
                    double squares = 0;
                    const double weight = weights[(head * 6 + query) * 6 + key];
                    for (Index to = 0; to < 8; ++to) {
                        const double part = weight * transformed[(head * 6 + key) * 8 + to];
                        output(query, to) += part;
                        squares += part * part;
                    }
                    EXPECT_NEAR(weight * of_keys(head, key), std::sqrt(squares), 1e-14);
                }
        EXPECT_TRUE(near(output.values(), stage(trace, "output"), 1e-14)) << heads;
    }
}

TEST(Invariant33, ValueNormsRefuseWhatDoesNotFit) {
    expect_refusal([] { transformed_values(Tensor({2, 3, 4}), Tensor({7, 8})); }, {"[2, 3, 4]", "[7, 8]"});
    expect_refusal([] { transformed_values(Tensor({2, 3, 4}), Tensor({12, 8})); }, {"[12, 8]"});
}

}  // namespace

}  // namespace headlight::invariants_analysis_test
