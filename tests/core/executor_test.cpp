// Threads, memory, and numbers at the edge.

#include "tests/support/executor_runs.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::executor_test { namespace {

using namespace test;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Executor, GivesTheSameBitsWithAnyNumberOfThreads) {
    const int usual = omp_get_max_threads();
    for (const ScoreType score : {ScoreType::scaled_dot, ScoreType::general, ScoreType::additive}) {
        AttentionSpec spec = multi_head(4);
        spec.score.type = score;
        spec.mask.rule = CausalMask{};
        const auto made = planned(spec, self_inputs(300, 128));  // enough to be shared out
        omp_set_num_threads(1);
        const Result<float> expected = result_of<float>(made);
        for (const int threads : {2, 3, 7}) {
            omp_set_num_threads(threads);
            EXPECT_EQ(result_of<float>(made), expected) << threads << " threads";
        }
    }
    omp_set_num_threads(usual);
}

TEST(Executor, CanBeMoved) {
    Executor<double> first(planned(multi_head(2), self_inputs(4, 4)));
    Executor<double> second = std::move(first);
    second.run();
    EXPECT_EQ(numbers_of(second), result_of(multi_head(2), self_inputs(4, 4)));
}

TEST(Executor, SurvivesHugeScores) {
    Inputs inputs;
    inputs.query = Tensor{{100, 0}, {-100, 0}, {100, 1e-3}};  // scores of +-10000
    AttentionSpec spec;
    spec.score.type = ScoreType::dot;
    const Result<double> result = result_of(spec, inputs);
    const std::vector<double> expected{0.5, 0, 0.5, 0, 1, 0, 0.5, 0, 0.5};
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(result.weights[i], expected[i], 1e-6);
    EXPECT_EQ(result.weights[1], 0) << "an underflow is an exact zero";
    for (const float value : result_of<float>(spec, inputs).output)
        EXPECT_TRUE(std::isfinite(value));
}

TEST(Executor, NeverReadsKeysThatNobodyMayLookAt) {
    for (const ProjectionType projection : {ProjectionType::none, ProjectionType::learned})
        for (const ScoreType score : every_score) {
            AttentionSpec spec = cross_spec();
            spec.projections.type = projection;
            spec.score.type = score;
            spec.mask.rule = PaddingMask{3};
            Inputs clean = cross_inputs(4, 5, 4), poisoned = clean;
            poisoned.key->row(3)[1] = nan;
            poisoned.key->row(4)[0] = infinity;
            poisoned.value->row(3)[2] = nan;
            poisoned.value->row(4)[3] = -infinity;
            EXPECT_EQ(result_of(spec, poisoned), result_of(spec, clean));
            EXPECT_EQ(result_of<float>(spec, poisoned), result_of<float>(spec, clean));
            const Trace trace = record(planned(spec, poisoned));
            EXPECT_TRUE(std::isnan(stage(trace, "key_tokens")[3 * 4 + 1])) << "tokens are shown as given";
        }
}

TEST(Executor, WorksWithoutACellForEachPair) {
    // So long that no mask has them: a prefix has a number for each query, and one with a hole blocks.
    constexpr Index tokens = 2'100;
    AttentionSpec spec;
    for (const std::optional<double> value : {std::optional<double>(), std::optional(-3.0)}) {
        spec.mask_value = value;
        spec.mask.rule = CausalMask{};
        const auto prefixes = planned(spec, self_inputs(tokens, 4));
        std::vector<std::vector<bool>> cells(tokens, std::vector<bool>(tokens));
        for (std::size_t query = 0; query < tokens; ++query)
            std::fill_n(cells[query].begin(), query + 1, true);
        cells.back()[5] = false;
        spec.mask.rule = MatrixMask{cells};
        const auto with_blocks = planned(spec, self_inputs(tokens, 4));
        ASSERT_TRUE(prefixes->allowed.is_prefix());
        ASSERT_FALSE(with_blocks->allowed.is_prefix());
        for (const auto& each : {prefixes, with_blocks})
            ASSERT_EQ(each->allowed.rows_from(0), nullptr);
        const Result<double> one = result_of<double>(prefixes), other = result_of<double>(with_blocks);
        const auto same = static_cast<std::ptrdiff_t>((tokens - 1) * tokens);
        EXPECT_TRUE(std::equal(one.weights.begin(), one.weights.begin() + same, other.weights.begin()));
    }
}

TEST(Executor, DoesNotLetAnOverflowInAForbiddenValueThrough) {
    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.mask.rule = CausalMask{};
    Inputs inputs;
    inputs.query = Tensor{{1, 1}, {1, 1}, {1, 1e200}};
    inputs.parameters["W_q"] = inputs.parameters["W_k"] = Tensor({2, 2}, 0.0);
    inputs.parameters["W_v"] = Tensor{{1, 1}, {0, 1e200}};
    const Result<double> result = result_of(spec, inputs);
    EXPECT_EQ(result.output[0], 1);
    EXPECT_EQ(result.output[2], 1);
    EXPECT_EQ(result.output[1], 1e200);
    EXPECT_EQ(result.output[3], 1e200);
    EXPECT_EQ(result.output[5], infinity) << "the last query does look at it";
}

TEST(Executor, GivesFullyMaskedQueriesZeroContext) {
    AttentionSpec spec = multi_head(2);
    spec.mask.rule = MatrixMask{{{true, true}, {false, false}}};
    const auto made = planned(spec, self_inputs(2, 4));
    const Trace trace = record(made);
    EXPECT_EQ(trace.fully_masked_queries, (std::vector<Index>{1}));
    const auto context = stage(trace, "concatenation");
    EXPECT_TRUE(std::all_of(context.begin() + 4, context.end(), [](double value) { return value == 0; }));
    const auto output = stage(trace, "output");
    EXPECT_TRUE(std::ranges::equal(std::span(output).subspan(4), made->parameter("b_o").values()));
    EXPECT_EQ(stage(trace, "row_maximum")[1], -infinity);
    EXPECT_EQ(stage(trace, "row_sum")[1], 0);
}

TEST(Executor, KeepsForbiddenPairsAtZeroWhateverTheScale) {
    const Mask causal{CausalMask{}},
        scattered{MatrixMask{{{true, false, true}, {false, true, true}, {true, false, true}}}};
    for (const Mask& mask : {causal, scattered})
        for (const double g : {-2.0, 0.0, 3.0})
            for (const MaskOrder order : {MaskOrder::after_scale, MaskOrder::before_scale}) {
                AttentionSpec spec;
                spec.score.type = ScoreType::learned_scale;
                spec.mask = mask;
                spec.mask_order = order;
                Inputs inputs = self_inputs(3, 4);
                inputs.parameters["g"] = Tensor({1}, g);
                const auto made = planned(spec, inputs);
                const Trace trace = record(made);
                expect_distributions(*made, stage(trace, "weights"));
                expect_distributions(*made, result_of(made).weights);
                EXPECT_EQ(stage(trace, "scaled_scores")[1] == -infinity, order == MaskOrder::before_scale);
                EXPECT_EQ(stage(trace, "masked_scores")[1], -infinity);
            }
}

TEST(Executor, WeighsAPrefixLikeTheShorterSequenceBitForBit) {
    AttentionSpec spec = multi_head(2);
    spec.mask.rule = CausalMask{};
    Inputs whole = self_inputs(90, 8);
    const auto made = planned(spec, whole);
    const Result<float> expected = result_of<float>(made);
    for (const Index length : {1, 7, 64, 89}) {
        Inputs prefix = whole;
        prefix.parameters = made->inputs.parameters;
        prefix.query = Tensor({length, 8}, {whole.query.data(), whole.query.data() + length * 8});
        const Result<float> result = result_of<float>(spec, prefix);
        EXPECT_TRUE(std::ranges::equal(result.output, std::span(expected.output).first(result.output.size())))
            << length;
    }
}

}}  // namespace headlight::executor_test
