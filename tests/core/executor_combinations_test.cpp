// Recording changes no bit of a run, for every combination of components and for shapes at the edge.

#include "core/attention/component.h"
#include "tests/support/executor_runs.h"

#include <gtest/gtest.h>

namespace headlight::executor_combinations_test { namespace {

using namespace test;

Mask mask_number(int number, Index queries, Index keys) {
    MatrixMask matrix;
    for (Index query = 0; query < queries; ++query)
        for (Index key = 0; key < keys; ++key) {
            matrix.allowed.resize(static_cast<std::size_t>(queries));
            matrix.allowed[static_cast<std::size_t>(query)].push_back((query + 2 * key) % 3 != 0 &&
                                                                      query != 2);
        }
    const Mask causal{CausalMask{}}, padding{PaddingMask{keys - 1}};
    switch (number) {
    case 0:
        return {NoMask{}};
    case 1:
        return causal;
    case 2:
        return {CausalMask{CausalAlignment::bottom_right}};
    case 3:
        return padding;
    case 4:
        return {matrix};
    case 5:
        return {AllOf{{causal, padding}}};
    case 6:
        return {AnyOf{{causal, Mask{matrix}}}};
    default:
        return {Not{{causal}}};
    }
}

AttentionSpec combination(SourceType source, ProjectionType projection, ScoreType score,
                          PositionType position) {
    AttentionSpec spec;
    spec.source.type = source;
    spec.projections.type = projection;
    spec.score.type = score;
    spec.position.type = position;
    return spec;
}

template <class Real>
void expect_recording_changes_nothing(const std::shared_ptr<const Plan>& plan) {
    Executor<Real> plain(plan), discarding(plan, Executor<Real>::Weights::discard), recording(plan);
    plain.run();
    discarding.run();
    Trace trace = empty_trace(*plan);
    recording.run(trace);
    const Result<Real> expected = numbers_of(plain);
    ASSERT_EQ(numbers_of(recording), expected);
    ASSERT_EQ(numbers_of(discarding).output, expected.output);
    ASSERT_TRUE(discarding.weights().empty());
    ASSERT_EQ(stage(trace, "weights"), std::vector<double>(expected.weights.begin(), expected.weights.end()));
    ASSERT_EQ(stage(trace, "output"), std::vector<double>(expected.output.begin(), expected.output.end()));
    recording.run();
    ASSERT_EQ(numbers_of(recording), expected) << "a plain run after a recorded one";
}

using Combination = std::tuple<SourceType, ProjectionType, ScoreType, PositionType>;
class Combinations : public testing::TestWithParam<Combination> {};

TEST_P(Combinations, RunAlikeRecordedOrNot) {
    const auto [source, projection, score, position] = GetParam();
    int turn = 0;  // what is not combined with everything takes turns
    for (int mask = 0; mask < 8; ++mask)
        for (const MaskOrder order : {MaskOrder::after_scale, MaskOrder::before_scale})
            for (int normalizer = 0; normalizer < 4; ++normalizer)
                for (const Index heads : {0, 1, 2}) {
                    AttentionSpec spec = combination(source, projection, score, position);
                    const bool is_cross = source == SourceType::cross;
                    const Inputs inputs = is_cross ? cross_inputs(5, 6, 4) : self_inputs(5, 4);
                    ++turn;
                    spec.projections.bias = turn % 2 == 0;
                    if (has_activation(score))
                        spec.score.activation = static_cast<Activation>(turn % 4);
                    spec.score.bias = turn % 3 == 0;
                    spec.mask = mask_number(mask, 5, is_cross ? 6 : 5);
                    spec.mask_order = order;
                    if (turn % 5 == 0)
                        spec.mask_value = -1.5;
                    spec.normalizer.type = normalizer < 2 ? NormalizerType::softmax : NormalizerType::hard;
                    spec.normalizer.temperature = normalizer == 1 ? 0.5 : 1;
                    spec.normalizer.mode = normalizer == 3 ? HardMode::sample : HardMode::argmax;
                    spec.normalizer.draws = 3;
                    spec.heads = heads ? Heads{HeadsType::multi, heads} : Heads{};
                    const auto made = planned(spec, inputs);
                    expect_recording_changes_nothing<double>(made);
                    expect_recording_changes_nothing<float>(made);
                    expect_distributions(*made, result_of(made).weights);
                    if (HasFatalFailure())
                        FAIL() << "mask " << mask << ", normalizer " << normalizer << ", heads " << heads;
                }
}

INSTANTIATE_TEST_SUITE_P(All, Combinations,
                         testing::Combine(testing::Values(SourceType::self, SourceType::cross),
                                          testing::Values(ProjectionType::none, ProjectionType::identity,
                                                          ProjectionType::learned),
                                          testing::ValuesIn(every_score),
                                          testing::Values(PositionType::none, PositionType::sinusoidal)));

struct Sizes {
    Index queries, keys, width, heads;
};
class Shapes : public testing::TestWithParam<Sizes> {};

TEST_P(Shapes, RunAlikeRecordedOrNot) {
    const auto [queries, keys, width, heads] = GetParam();
    for (const ScoreType score : every_score)
        for (const Mask& mask :
             {Mask{NoMask{}}, Mask{CausalMask{}}, Mask{CausalMask{CausalAlignment::bottom_right}}}) {
            AttentionSpec spec = multi_head(heads);
            spec.source.type = SourceType::cross;
            spec.score.type = score;
            spec.mask = mask;
            const auto made = planned(spec, cross_inputs(queries, keys, width));
            expect_recording_changes_nothing<double>(made);
            const Result<double> result = result_of(made);
            expect_distributions(*made, result.weights);
            const Result<float> single = result_of<float>(made);
            for (std::size_t i = 0; i < result.output.size(); ++i)
                ASSERT_NEAR(single.output[i], result.output[i], 2e-5);
        }
}

constexpr Sizes sizes[] = {{1, 1, 1, 1},   {1, 7, 4, 2},    {7, 1, 4, 4},   {3, 2, 1, 1},    {2, 5, 3, 3},
                           {17, 19, 6, 2}, {64, 65, 20, 4}, {70, 33, 8, 8}, {130, 129, 9, 1}};
INSTANTIATE_TEST_SUITE_P(Rows, Shapes, testing::ValuesIn(sizes), [](const auto& row) {
    const Sizes& s = row.param;
    return std::to_string(s.queries) + "_queries_" + std::to_string(s.keys) + "_keys_" +
           std::to_string(s.width) + "_wide_" + std::to_string(s.heads) + "_heads";
});

}}  // namespace headlight::executor_combinations_test
