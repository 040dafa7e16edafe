#include "core/attention/trace.h"

#include "core/attention/executor.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace headlight::trace_test { namespace {

using enum Axis;

TEST(Trace, LaysStagesOutOneAfterAnother) {
    Trace trace({{.site = {}, .name = "scores", .axes = {head, query, key}, .shape = {2, 3, 4}},
                 {.site = "encoder.0.self", .name = "scores", .axes = {query, key}, .shape = {3, 4}}});
    ASSERT_EQ(trace.stages().size(), 2u);
    const Stage& first = trace.stages()[0];
    const Stage& second = trace.stages()[1];
    EXPECT_EQ(second.offset, 24);
    EXPECT_EQ(trace.find("scores"), &first);
    EXPECT_EQ(trace.find("scores", "encoder.0.self"), &second);
    EXPECT_EQ(trace.find("weights"), nullptr);
    EXPECT_EQ(first.extent(key), 4);
    EXPECT_EQ(second.extent(head), 0);
    EXPECT_FALSE(second.has_axis(head));
    trace.values(first)[13] = 5;
    EXPECT_EQ(std::as_const(trace).matrix(first, 1)[1], 5);
    EXPECT_EQ(trace.matrix(second, 7).size(), 12u);
    EXPECT_EQ(std::ranges::count(trace.values(second), 0), 12);
}

TEST(Trace, JoinedOnesShareTheirNumbersUntilOneOfThemIsChanged) {
    const std::vector<Stage> stages{{.site = {}, .name = "scores", .axes = {query, key}, .shape = {3, 4}},
                                    {.site = {}, .name = "weights", .axes = {query, key}, .shape = {3, 4}}};
    const Trace own(stages);
    Trace other(stages);
    other.values(other.stages()[1])[5] = 7;
    const std::string_view names[] = {"weights"};
    const Trace compared = std::as_const(other).only(names);
    ASSERT_EQ(compared.stages().size(), 1u);
    EXPECT_NE(compared.values(compared.stages()[0]).data(),
              std::as_const(other).values(other.stages()[1]).data());
    const Trace::Joined sites[] = {{"other", &compared}};
    Trace all = own.joined(sites);
    ASSERT_EQ(all.stages().size(), 3u);
    const Stage& scores = *all.find("scores");
    const Stage& weights = *all.find("weights", "other");
    EXPECT_EQ(std::as_const(all).values(weights)[5], 7);
    EXPECT_EQ(std::as_const(all).values(scores).data(), own.values(own.stages()[0]).data());
    EXPECT_EQ(std::as_const(all).values(weights).data(), compared.values(compared.stages()[0]).data());
    all.values(weights)[5] = 8;
    EXPECT_EQ(compared.values(compared.stages()[0])[5], 7);
    EXPECT_EQ(std::as_const(all).values(weights)[5], 8);
}

TEST(Trace, RefusesStagesBeyondMemory) {
    const Index huge = Index(1) << 30;
    EXPECT_FALSE(test::refusal([&] {
                     Trace({{.site = {}, .name = "a", .axes = {query, key}, .shape = {huge, huge}}});
                 }).empty());
    EXPECT_EQ(test::refusal([&] {
                  Trace({{.site = {}, .name = "a", .axes = {query}, .shape = {2, 2}}});
              }),
              "a: lay out a trace: expected an extent for each axis, got [2, 2]");
}

TEST(Trace, NamesItsAxes) {
    EXPECT_EQ(to_string(head), "head");
    EXPECT_EQ(to_string(feature), "d");
    EXPECT_EQ(to_string(attention), "d_a");
}

struct Case {
    const char* name;
    AttentionSpec spec;
    bool gives_key, gives_value;
    const char* stages;
};

AttentionSpec spec_of(void (*change)(AttentionSpec&)) {
    AttentionSpec spec;
    change(spec);
    return spec;
}

/// 3 queries of width 4, 5 keys of width 4, values of width 6.
Inputs inputs_for(const Case& row) {
    Inputs inputs;
    inputs.query = Tensor({3, 4}, 0.5);
    if (row.gives_key)
        inputs.key = Tensor({5, 4}, 0.25);
    if (row.gives_value)
        inputs.value = Tensor({row.gives_key ? 5 : 3, 6}, 0.125);
    return inputs;
}

std::string listed(const Trace& trace) {
    std::string text;
    for (const Stage& stage : trace.stages()) {
        text += (text.empty() ? "" : " ") + stage.name + "[";
        for (std::size_t i = 0; i < stage.shape.size(); ++i)
            text += std::string(i ? "," : "") + std::string(to_string(stage.axes[i])) + ":" +
                    std::to_string(stage.shape[i]);
        text += "]";
    }
    return text;
}

class RecordedStages : public testing::TestWithParam<Case> {};

TEST_P(RecordedStages, AreThese) {
    const Plan made = plan(GetParam().spec, inputs_for(GetParam()));
    EXPECT_EQ(listed(empty_trace(made)), GetParam().stages);
}

const Case cases[] = {
    {"plain",
     {},
     false,
     false,
     "tokens[query:3,d:4] query[head:1,query:3,d:4] key[head:1,key:3,d:4] value[head:1,key:3,d:4] "
     "scores[head:1,query:3,key:3] scaled_scores[head:1,query:3,key:3] biased_scores[head:1,query:3,key:3] "
     "masked_scores[head:1,query:3,key:3] row_maximum[head:1,query:3] exponentials[head:1,query:3,key:3] "
     "row_sum[head:1,query:3] weights[head:1,query:3,key:3] context[head:1,query:3,d:4] output[query:3,d:4]"},
    {"everything", spec_of([](AttentionSpec& spec) {
         spec.source.type = SourceType::cross;
         spec.position.type = PositionType::sinusoidal;
         spec.projections.type = ProjectionType::learned;
         spec.score = {ScoreType::additive, Activation::relu, false, 7};
         spec.mask_order = MaskOrder::before_scale;
         spec.normalizer = {NormalizerType::hard, 1, HardMode::sample, 2};
         spec.heads = {HeadsType::multi, 2};
     }),
     true, true,
     "tokens[query:3,d:4] key_tokens[key:5,d:4] value_tokens[key:5,d:6] position[query:3,d:4] "
     "key_position[key:5,d:4] "
     "query[head:2,query:3,d:2] key[head:2,key:5,d:2] value[head:2,key:5,d:2] "
     "energy[head:2,query:3,key:5,d_a:7] scores[head:2,query:3,key:5] masked_scores[head:2,query:3,key:5] "
     "scaled_scores[head:2,query:3,key:5] biased_scores[head:2,query:3,key:5] row_maximum[head:2,query:3] "
     "exponentials[head:2,query:3,key:5] row_sum[head:2,query:3] soft_weights[head:2,query:3,key:5] "
     "draw[head:2,query:3] frequencies[head:2,query:3,key:5] weights[head:2,query:3,key:5] "
     "context[head:2,query:3,d:2] concatenation[query:3,d:4] output[query:3,d:4]"},
    {"single_head_energy", spec_of([](AttentionSpec& spec) {
         spec.score.type = ScoreType::concat;
         spec.normalizer.type = NormalizerType::hard;
     }),
     false, true,
     "tokens[query:3,d:4] value_tokens[key:3,d:6] query[head:1,query:3,d:4] key[head:1,key:3,d:4] "
     "value[head:1,key:3,d:6] energy[query:3,key:3,d_a:4] scores[head:1,query:3,key:3] "
     "scaled_scores[head:1,query:3,key:3] biased_scores[head:1,query:3,key:3] "
     "masked_scores[head:1,query:3,key:3] "
     "row_maximum[head:1,query:3] exponentials[head:1,query:3,key:3] row_sum[head:1,query:3] "
     "soft_weights[head:1,query:3,key:3] weights[head:1,query:3,key:3] context[head:1,query:3,d:6] "
     "output[query:3,d:6]"},
};

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Rows, RecordedStages, testing::ValuesIn(cases), name_of);

TEST(EmptyTrace, LeavesOutAnEnergyBeyondTheLimitAndSaysSo) {
    AttentionSpec spec;
    spec.score.type = ScoreType::additive;
    Inputs inputs;
    inputs.query = Tensor({100, 50}, 0.5);
    const auto made = std::make_shared<const Plan>(plan(spec, inputs));
    const Trace trace = record(made, {.stage_byte_limit = 3'000'000});
    EXPECT_EQ(trace.find("energy"), nullptr);
    EXPECT_EQ(trace.omitted, (std::vector<std::string>{"energy: 4.0 MB, over the limit of 3.0 MB"}));
    EXPECT_TRUE(record(made).omitted.empty());
}

TEST(Record, KeepsWhatTheRunWasMadeFrom) {
    AttentionSpec spec;
    spec.mask.rule = MatrixMask{{{false, false}, {true, false}}};
    Inputs inputs;
    inputs.query = Tensor{{1, 2}, {3, 4}};
    inputs.tokens.query = {"a", "b"};
    const Trace trace = record(std::make_shared<const Plan>(plan(spec, inputs, {.seed = 77})));
    EXPECT_EQ(trace.spec, spec);
    EXPECT_EQ(trace.tokens, inputs.tokens);
    EXPECT_EQ(trace.seed, 77u);
    EXPECT_EQ(trace.fully_masked_queries, (std::vector<Index>{0}));
}

/// Every stage follows from those before it, by the formula in scalar arithmetic.
TEST(Record, HoldsTheArithmeticOfEveryStep) {
    AttentionSpec spec;
    spec.position.type = PositionType::sinusoidal;
    spec.projections = {ProjectionType::learned, true};
    spec.heads = {HeadsType::multi, 2};
    spec.mask.rule = CausalMask{};
    spec.normalizer.temperature = 2;
    Inputs inputs;
    inputs.query = Tensor{{0.1, 0.7, -0.3, 0.2}, {0.9, -0.4, 0.5, 0.6}, {-0.2, 0.8, 0.3, -0.9}};
    const auto made = std::make_shared<const Plan>(plan(spec, inputs));
    const Trace trace = record(made);
    const auto at = [&](const char* name, std::initializer_list<Index> place) {
        const Stage& stage = *trace.find(name);
        Index offset = 0;
        auto extent = stage.shape.begin();
        for (const Index index : place)
            offset = offset * *extent++ + index;
        return trace.values(stage)[static_cast<std::size_t>(offset)];
    };
    const auto projected = [&](const char* matrix, const char* bias, Index row, Index column) {
        double sum = made->parameter(bias).values()[static_cast<std::size_t>(column)];
        for (Index i = 0; i < 4; ++i)
            sum += (at("tokens", {row, i}) + at("position", {row, i})) * made->parameter(matrix)(i, column);
        return sum;
    };
    EXPECT_DOUBLE_EQ(at("position", {2, 2}), std::sin(0.02));
    EXPECT_DOUBLE_EQ(at("position", {2, 3}), std::cos(0.02));
    for (Index h = 0; h < 2; ++h)
        for (Index i = 0; i < 3; ++i) {
            double total = 0;
            for (Index c = 0; c < 2; ++c) {
                EXPECT_NEAR(at("query", {h, i, c}), projected("W_q", "b_q", i, 2 * h + c), 1e-15);
                EXPECT_NEAR(at("key", {h, i, c}), projected("W_k", "b_k", i, 2 * h + c), 1e-15);
                EXPECT_NEAR(at("value", {h, i, c}), projected("W_v", "b_v", i, 2 * h + c), 1e-15);
            }
            for (Index j = 0; j < 3; ++j) {
                const double score = at("query", {h, i, 0}) * at("key", {h, j, 0}) +
                                     at("query", {h, i, 1}) * at("key", {h, j, 1});
                EXPECT_NEAR(at("scores", {h, i, j}), score, 1e-15);
                EXPECT_EQ(at("scaled_scores", {h, i, j}), at("scores", {h, i, j}) * made->scale);
                EXPECT_EQ(at("biased_scores", {h, i, j}), at("scaled_scores", {h, i, j}));
                EXPECT_EQ(at("masked_scores", {h, i, j}),
                          j <= i ? at("biased_scores", {h, i, j}) : -INFINITY);
                EXPECT_LE(at("masked_scores", {h, i, j}), at("row_maximum", {h, i}));
                const double power =
                    std::exp((at("masked_scores", {h, i, j}) - at("row_maximum", {h, i})) / 2);
                EXPECT_NEAR(at("exponentials", {h, i, j}), power, 1e-15);
                EXPECT_EQ(at("weights", {h, i, j}), at("exponentials", {h, i, j}) / at("row_sum", {h, i}));
                total += at("exponentials", {h, i, j});
            }
            EXPECT_NEAR(at("row_sum", {h, i}), total, 1e-15);
            for (Index c = 0; c < 2; ++c) {
                double mixed = 0;
                for (Index j = 0; j < 3; ++j)
                    mixed += at("weights", {h, i, j}) * at("value", {h, j, c});
                EXPECT_NEAR(at("context", {h, i, c}), mixed, 1e-15);
                EXPECT_EQ(at("concatenation", {i, 2 * h + c}), at("context", {h, i, c}));
            }
        }
    for (Index i = 0; i < 3; ++i)
        for (Index c = 0; c < 4; ++c) {
            double sum = made->parameter("b_o").values()[static_cast<std::size_t>(c)];
            for (Index k = 0; k < 4; ++k)
                sum += at("concatenation", {i, k}) * made->parameter("W_o")(k, c);
            EXPECT_NEAR(at("output", {i, c}), sum, 1e-15);
        }
}

TEST(Record, HoldsTheEnergiesThatScoresAreWeighedFrom) {
    AttentionSpec spec;
    spec.score = {ScoreType::additive, Activation::tanh, true, 3};
    Inputs inputs;
    inputs.query = Tensor{{0.1, 0.7}, {0.9, -0.4}};
    const auto made = std::make_shared<const Plan>(plan(spec, inputs));
    const Trace trace = record(made);
    const auto energy = trace.values(*trace.find("energy"));
    const auto scores = trace.values(*trace.find("scores"));
    const auto v = made->parameter("v").values(), b = made->parameter("b").values();
    for (Index i = 0; i < 2; ++i)
        for (Index j = 0; j < 2; ++j) {
            double score = 0;
            for (Index c = 0; c < 3; ++c) {
                const auto cell = static_cast<std::size_t>((i * 2 + j) * 3 + c);
                double sum = b[static_cast<std::size_t>(c)];
                for (Index f = 0; f < 2; ++f)
                    sum += inputs.query(i, f) * made->parameter("W_1")(f, c) +
                           inputs.query(j, f) * made->parameter("W_2")(f, c);
                EXPECT_NEAR(energy[cell], std::tanh(sum), 1e-15);
                score += v[static_cast<std::size_t>(c)] * energy[cell];
            }
            EXPECT_NEAR(scores[static_cast<std::size_t>(i * 2 + j)], score, 1e-15);
        }
}

}}  // namespace headlight::trace_test
