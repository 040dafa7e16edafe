// Invariants 40, 42, 43 and 45 for every score that is a component, and each among everything that is not its
// own: heads, masks, normalisers, norms, caps.

#include "core/attention/component.h"
#include "core/attention/explain.h"
#include "tests/oracle/oracle.h"
#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"

#include <numeric>

namespace headlight::invariants_every_score_test {

using namespace test;

namespace {

class EveryScoreComponent : public testing::TestWithParam<std::string> {
protected:
    static Inputs sequences(Index n, Index m, Index width, double scale = 0.7) {
        RandomEngine random(5);
        return {.query = random_tensor({n, width}, random, scale),
                .key = random_tensor({m, width}, random, scale),
                .value = random_tensor({m, width}, random, 1)};
    }
    static AttentionSpec score(const std::string& rest = "") {
        return spec(R"({"source": {"type": "cross"}, "score": {"type": ")" + GetParam() + "\"}" + rest + "}");
    }
};

std::vector<std::string> words_of_components() {
    std::vector<std::string> list;
    for (const ScoreComponent& component : score_components())
        list.push_back(component.word);
    return list;
}
INSTANTIATE_TEST_SUITE_P(Scores, EveryScoreComponent, testing::ValuesIn(words_of_components()),
                         [](const auto& row) { return row.param; });

TEST_P(EveryScoreComponent, Invariant40_OneKeyGetsEverything) {
    for (const Index n : {1, 4})
        EXPECT_EQ(run(score(), sequences(n, 1, 8)).weights,
                  std::vector<double>(static_cast<std::size_t>(n), 1.0));
}

TEST_P(EveryScoreComponent, Invariant42_FloatAgreesWithDouble) {
    for (const Index n : {1, 7, 64, 130}) {
        const auto plan = planned(score(), sequences(n, 2 * n, 16));
        EXPECT_TRUE(near(run<float>(plan), run<double>(plan), 1e-5)) << n;
    }
}

TEST_P(EveryScoreComponent, Invariant43_PaddingMayHoldAnything) {
    const AttentionSpec padded = score(R"(, "mask": {"type": "padding", "key_lengths": 3})");
    const Inputs inputs = sequences(4, 6, 8);
    Inputs spoilt = inputs;
    for (Index key = 3; key < 6; ++key)
        for (Index c = 0; c < 8; ++c)
            (*spoilt.key)(key, c) = (*spoilt.value)(key, c) = c % 2 ? std::nan("") : 1e30;
    spoilt.parameters = planned(padded, inputs)->inputs.parameters;
    EXPECT_TRUE(near(run(padded, spoilt), run(padded, inputs), 1e-12));
}

TEST_P(EveryScoreComponent, Invariant45_NothingAllowedIsZeroNotNaN) {
    const Numbers numbers =
        run(score(R"(, "mask": {"type": "padding", "key_lengths": 0})"), sequences(3, 4, 8));
    for (const double value : numbers.weights)
        EXPECT_EQ(value, 0);
    for (const double value : numbers.output)
        EXPECT_EQ(value, 0);
}

TEST_P(EveryScoreComponent, Invariant45_HugeNumbersDoNotOverflow) {
    for (const Numbers& numbers :
         {run<double>(score(), sequences(6, 6, 4, 100)), run<float>(score(), sequences(6, 6, 4, 100))})
        for (std::size_t row = 0; row < 6; ++row)
            EXPECT_NEAR(std::accumulate(numbers.weights.begin() + static_cast<Index>(row) * 6,
                                        numbers.weights.begin() + static_cast<Index>(row + 1) * 6, 0.0),
                        1, 1e-5);
}

TEST_P(EveryScoreComponent, Invariant45_ZerosGiveNumbers) {
    Inputs inputs = sequences(3, 4, 8);
    inputs.query = Tensor({3, 8});
    inputs.key = Tensor({4, 8});
    for (const double weight : run(score(), inputs).weights)
        EXPECT_TRUE(std::isfinite(weight));
}

// Both ways to say that a pair is forbidden run, for a finite value every pair is looked at.
TEST_P(EveryScoreComponent, TakesAFiniteMaskValue) {
    for (const std::string order : {"after_scale", "before_scale"}) {
        const AttentionSpec finite =
            score(R"(, "mask": {"type": "causal"}, "mask_value": -1.5, "mask_order": ")" + order + "\"");
        const auto plan = planned(finite, sequences(4, 5, 8));
        EXPECT_TRUE(near(run<float>(plan), run<double>(plan), 1e-5));
        for (const double weight : run(plan).weights)
            EXPECT_GT(weight, 0);
    }
}

TEST_P(EveryScoreComponent, ExplainsEveryStage) {
    AttentionSpec each = score(R"(, "mask": {"type": "causal"})");
    const auto plan = planned(each, sequences(3, 4, 4));
    const Trace trace = record(plan);
    for (const Stage& stage : trace.stages()) {
        const auto steps = explain_cell(*plan, trace, stage.name, 0, 0, 0);
        ASSERT_FALSE(steps.empty()) << stage.name;
        EXPECT_FALSE(steps.back().expression.empty()) << stage.name;
    }
}

const std::vector<std::string> surroundings{
    R"("heads": {"type": "talking", "heads": 2})",
    R"("heads": {"type": "multi", "heads": 2, "gate": "elementwise"})",
    R"("heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}, "position": {"type": "sinusoidal"})",
    R"("normalizer": {"type": "hard", "mode": "sample", "draws": 5})",
    R"("normalizer": {"type": "softmax", "temperature": 3})",
    R"("mask": {"type": "causal", "align": "bottom_right"}, "mask_order": "before_scale")",
    R"("mask": {"type": "causal"}, "mask_order": "before_scale", "mask_value": -1.5)",
    R"("mask": {"not": {"type": "causal"}})",
    R"("mask": {"type": "matrix", "allowed": [[0, 1, 1, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0],
        [1, 0, 0, 1, 0, 0, 1], [1, 1, 1, 1, 0, 1, 0], [0, 0, 0, 0, 0, 0, 1]]})",
};
const std::vector<std::string> settings{
    "",
    R"(, "vector_norm": "rms")",
    R"(, "softcap": 0.7)",
    R"(, "bias": true, "attention_dimension": 3)",
};

TEST_P(EveryScoreComponent, EqualsItsOracleInEverySurrounding) {
    const Inputs inputs = sequences(5, 7, 8);
    int plans = 0;
    for (const std::string& surrounding : surroundings)
        for (const std::string& setting : settings) {
            const std::string text =
                R"({"source": {"type": "cross"}, "projections": {"type": "learned"}, "score": {"type": ")" +
                GetParam() + "\"" + setting + "}, " + surrounding + "}";
            AttentionSpec given = spec(text);
            if (given.score.bias && has_activation(given.score.type))
                given.score.activation = Activation::sigmoid;
            std::shared_ptr<const Plan> plan;
            try {
                plan = planned(given, inputs);
            } catch (const Error&) {  // heads that mix what must be finished
                EXPECT_NE(surrounding.find("talking"), surrounding.npos) << text;
                continue;
            }
            ++plans;
            const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
            const Numbers expected{oracle.weights, oracle.output};
            EXPECT_TRUE(near(run<double>(plan), expected, 1e-12)) << text;
            EXPECT_TRUE(near(run<float>(plan), expected, 2e-5)) << text;
            EXPECT_EQ(stage(record(plan), "weights"), run<double>(plan).weights) << text;
        }
    EXPECT_GE(plans, 32);
}

}  // namespace

}  // namespace headlight::invariants_every_score_test
