// One mechanism as a case of another, and hard attention.

#include "tests/support/executor_runs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headlight::executor_kinds_test { namespace {

using namespace test;

TEST(ExecutorKinds, ProjectsByIdentityLikeNotAtAll) {
    AttentionSpec none, identity;
    identity.projections.type = ProjectionType::identity;
    EXPECT_EQ(result_of(none, self_inputs(5, 4)), result_of(identity, self_inputs(5, 4)));
}

TEST(ExecutorKinds, ScoresConcatLikeAdditive) {
    AttentionSpec concat = cross_spec(), additive = cross_spec();
    concat.score.type = ScoreType::concat;
    additive.score.type = ScoreType::additive;
    Inputs inputs = cross_inputs(5, 6, 4);
    inputs.parameters["v"] = Tensor({3}, std::vector<double>{0.4, -1.2, 0.7});
    const Tensor upper = cross_inputs(4, 4, 3).query, lower = *cross_inputs(4, 4, 3).key;
    inputs.parameters["W"] = stacked(upper, lower);
    inputs.parameters["W_1"] = upper;
    inputs.parameters["W_2"] = lower;
    EXPECT_EQ(result_of(concat, inputs), result_of(additive, inputs));
}

TEST(ExecutorKinds, ScoresGeneralWithIdentityLikeDot) {
    AttentionSpec general, dot;
    general.score.type = ScoreType::general;
    dot.score.type = ScoreType::dot;
    Inputs inputs = self_inputs(5, 3);
    inputs.parameters["W"] = identity(3);
    EXPECT_EQ(result_of(general, inputs), result_of(dot, inputs));
}

TEST(ExecutorKinds, DoesNotProjectWhatSelfSimilarityCompares) {
    AttentionSpec similarity, dot;
    similarity.score.type = ScoreType::self_similarity;
    similarity.projections.type = ProjectionType::learned;
    dot.score.type = ScoreType::dot;
    const Inputs inputs = self_inputs(4, 3);
    const auto made = planned(similarity, inputs);
    const Trace trace = record(made);
    EXPECT_TRUE(std::ranges::equal(stage(trace, "query"), inputs.query.values()));
    EXPECT_NE(stage(trace, "value"), stage(trace, "query"));
    EXPECT_EQ(result_of(made).weights, result_of(dot, inputs).weights);
}

TEST(ExecutorKinds, MasksBeforeTheScaleWithTheScaledMask) {
    AttentionSpec before, after;
    before.mask.rule = after.mask.rule = CausalMask{};
    before.mask_order = MaskOrder::before_scale;
    before.mask_value = -3;
    after.mask_value = -3 / std::sqrt(6.0);  // softmax((S + M) c) = softmax(S c + M c)
    const auto inside = result_of(before, self_inputs(5, 6)), outside = result_of(after, self_inputs(5, 6));
    EXPECT_TRUE(within(inside.weights, outside.weights, 1e-14));
    after.mask_value = -3;
    EXPECT_FALSE(within(result_of(after, self_inputs(5, 6)).weights, inside.weights, 1e-3));
}

AttentionSpec hard(HardMode mode, Index draws = 1) {
    AttentionSpec hard;
    hard.score.type = ScoreType::dot;
    hard.normalizer = {NormalizerType::hard, 1, mode, draws};
    return hard;
}

TEST(ExecutorKinds, BreakTiesTowardsTheLowestKey) {
    Inputs inputs;
    inputs.query = Tensor{{1, 0}, {0, 2}, {1, 0}, {0, 2}};
    EXPECT_EQ(result_of(hard(HardMode::argmax), inputs).weights,
              (std::vector<double>{1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}));
}

TEST(ExecutorKinds, DrawKeysInProportionToTheSoftRow) {
    const auto made = planned(hard(HardMode::sample, 20000), self_inputs(4, 3), 5);
    const Trace trace = record(made);
    const auto frequencies = stage(trace, "frequencies"), weights = stage(trace, "weights"),
               draw = stage(trace, "draw");
    EXPECT_TRUE(within(frequencies, stage(trace, "soft_weights"), 0.015));
    for (std::size_t query = 0; query < 4; ++query)
        for (std::size_t key = 0; key < 4; ++key)
            EXPECT_EQ(weights[query * 4 + key], draw[query] == static_cast<double>(key) ? 1 : 0);
    Trace again = empty_trace(*made);
    Executor<double> executor(made);
    executor.run(again);
    executor.run(again);
    EXPECT_EQ(stage(again, "frequencies"), frequencies) << "frequencies of one run, not the sum of two";
}

TEST(ExecutorKinds, DrawOtherKeysWithAnotherSeed) {
    const Inputs inputs = self_inputs(60, 3);
    const auto weights = [&](std::uint64_t seed) {
        return result_of(planned(hard(HardMode::sample), inputs, seed)).weights;
    };
    EXPECT_EQ(weights(1), weights(1));
    EXPECT_NE(weights(1), weights(2));
}

TEST(ExecutorKinds, DrawNothingInAFullyMaskedRow) {
    AttentionSpec masked = hard(HardMode::sample, 4);
    masked.mask.rule = PaddingMask{0};
    const Trace trace = record(planned(masked, self_inputs(2, 2)));
    EXPECT_EQ(stage(trace, "draw"), (std::vector<double>{-1, -1}));
    EXPECT_EQ(stage(trace, "frequencies"), std::vector<double>(4, 0.0));
    EXPECT_EQ(stage(trace, "soft_weights"), std::vector<double>(4, 0.0));
}

}}  // namespace headlight::executor_kinds_test
