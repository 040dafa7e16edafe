#include "core/attention/plan.h"

#include "core/tensor/memory.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace headlight::plan_test { namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Setting {
    AttentionSpec spec;
    Inputs inputs;
};

Setting ordinary() {
    Setting setting;
    setting.inputs.query = Tensor({3, 4}, 0.5);
    return setting;
}

Setting cross() {
    Setting setting = ordinary();
    setting.spec.source.type = SourceType::cross;
    setting.inputs.key = Tensor({5, 4}, 0.25);
    return setting;
}

struct Refusal {
    const char* name;
    std::function<void(Setting&)> spoil;
    const char* message;
};

class PlanRefuses : public testing::TestWithParam<Refusal> {};

TEST_P(PlanRefuses, WithReason) {
    const MemoryLimit limit(4'000'000'000);
    Setting setting = cross();
    GetParam().spoil(setting);
    EXPECT_EQ(test::refusal([&] { plan(setting.spec, setting.inputs); }), GetParam().message);
}

const Refusal refusals[] = {
    {"no_tokens",
     [](Setting& s) {
         s.inputs.query = Tensor({0, 4});
     },
     "query: token vectors: expected at least one token, got an empty sequence"},
    {"nothing_at_all", [](Setting& s) { s.inputs.query = Tensor(); },
     "query: token vectors: expected a matrix with a row for each token, got a tensor of shape []"},
    {"tokens_without_numbers",
     [](Setting& s) {
         s.inputs.key = Tensor({5, 0});
     },
     "key: token vectors: expected at least one number for each token, got shape [5, 0]"},
    {"no_keys",
     [](Setting& s) {
         s.inputs.key = Tensor({0, 4});
     },
     "key: token vectors: expected at least one token, got an empty sequence"},
    {"fewer_values",
     [](Setting& s) {
         s.inputs.value = Tensor({4, 2});
     },
     "value: token vectors: expected 5 rows, one for each key, got 4"},
    {"labels",
     [](Setting& s) {
         s.inputs.tokens.query = {"a", "b"};
     },
     "tokens.query: token labels: expected 3, one for each row, got 2"},
    {"key_labels", [](Setting& s) { s.inputs.tokens.key = {"a"}; },
     "tokens.key: token labels: expected 5, one for each row, got 1"},
    {"widths",
     [](Setting& s) {
         s.inputs.key = Tensor({5, 6});
     },
     "scaled_dot score: expected queries and keys of one width, got queries of width 4 and keys of width 6 "
     "(general, "
     "concat and additive scores accept that)"},
    {"self_similarity_widths",
     [](Setting& s) {
         s.inputs.key = Tensor({5, 6});
         s.spec.score.type = ScoreType::self_similarity;
         s.spec.projections.type = ProjectionType::learned;
     },
     "self_similarity score: expected queries and keys of one width, got queries of width 4 and keys of "
     "width 6 (general, "
     "concat and additive scores accept that)"},
    {"heads",
     [](Setting& s) {
         s.spec.heads = {HeadsType::multi, 3};
     },
     "queries: split into heads: expected 1, 2 or 4 heads for rows of 4 numbers, or change the "
     "dimension to one that 3 heads divide evenly, got 3 heads"},
    {"mask_shape",
     [](Setting& s) {
         s.spec.mask.rule = MatrixMask{{{true, true}}};
     },
     "mask.allowed: matrix mask: expected [3, 5]: a row for each query, a cell for each key, got 1 row"},
    {"key_lengths", [](Setting& s) { s.spec.mask.rule = PaddingMask{6}; },
     "mask.key_lengths: padding mask: expected 0 to 5, the number of keys, got 6"},
    {"no_temperature", [](Setting& s) { s.spec.normalizer.temperature = 0; },
     "normalizer.temperature: normalizer: expected a finite number above 0, got 0.000000"},
    {"infinite_temperature", [](Setting& s) { s.spec.normalizer.temperature = infinity; },
     "normalizer.temperature: normalizer: expected a finite number above 0, got inf"},
    {"no_draws", [](Setting& s) { s.spec.normalizer.draws = 0; },
     "normalizer.draws: normalizer: expected 1 to 1000000, got 0"},
    {"infinite_mask_value", [](Setting& s) { s.spec.mask_value = -infinity; },
     "mask_value: mask: expected a finite number; leave it out for minus infinity, got -inf"},
    {"unknown_parameter",
     [](Setting& s) {
         s.inputs.parameters["query_matrix"] = Tensor({4, 4});
     },
     "parameters: parameter: expected a name that \"headlight list --json\" has, got \"query_matrix\""},
    {"parameter_shape",
     [](Setting& s) {
         s.spec.projections.type = ProjectionType::learned;
         s.inputs.parameters["W_k"] = Tensor({3, 4});
     },
     "W_k: parameter: expected shape [4, 4], got shape [3, 4]"},
    {"nan", [](Setting& s) { s.inputs.query(1, 2) = nan; },
     "query, row 2, column 3: check the numbers: expected finite numbers, got NaN"},
    {"infinite_key", [](Setting& s) { (*s.inputs.key)(4, 0) = -infinity; },
     "key, row 5, column 1: check the numbers: expected finite numbers, got minus infinity"},
    {"infinite_value",
     [](Setting& s) {
         s.inputs.value = Tensor({5, 2});
         (*s.inputs.value)(0, 1) = infinity;
     },
     "value, row 1, column 2: check the numbers: expected finite numbers, got infinity"},
    {"nan_parameter",
     [](Setting& s) {
         s.spec.score = {ScoreType::additive, Activation::tanh, true, {}};
         s.inputs.parameters["b"] = Tensor({4}, std::vector<double>{0, 0, nan, 0});
     },
     "b, element 3: check the numbers: expected finite numbers, got NaN"},
    {"nan_in_a_key_that_a_finite_mask_lets_through",
     [](Setting& s) {
         s.spec.mask.rule = PaddingMask{4};
         s.spec.mask_value = -1e9;
         (*s.inputs.key)(4, 0) = nan;
     },
     "key, row 5, column 1: check the numbers: expected finite numbers, got NaN"},
    {"beyond_memory",
     [](Setting& s) {
         s.inputs.query = Tensor({40000, 1});
         s.inputs.key = Tensor({40000, 1});
     },
     "run: expected at most 4.0 GB of memory, as --memory says, got 89.6 GB: 1 head, 40000 queries, 40000 "
     "keys"},
    {"wide_projections",
     [](Setting& s) {
         s.inputs.query = Tensor({5000, 1});
         s.spec.projections = {ProjectionType::learned, false, 1000000};
     },
     "run: expected at most 4.0 GB of memory, as --memory says, got 240 GB: 1 head, 5000 queries, 5 keys"},
    {"state_of_an_algorithm",
     [](Setting& s) {
         s = ordinary();
         s.inputs.query = Tensor({1, 2048}, 0.1);
         s.spec.algorithm.type = AlgorithmType::based;
     },
     "run: expected at most 4.0 GB of memory, as --memory says, got 69.0 GB: 1 head, 1 query, 1 key"},
};

std::string name_of(const testing::TestParamInfo<Refusal>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Rows, PlanRefuses, testing::ValuesIn(refusals), name_of);

TEST(Plan, HoldsEverythingThatARunNeeds) {
    Setting setting = cross();
    setting.inputs.value = Tensor({5, 6}, 1.0);
    setting.spec.projections = {ProjectionType::learned, true, 8};
    setting.spec.heads = {HeadsType::multi, 2};
    const Plan made = plan(setting.spec, setting.inputs, {.seed = 3});
    EXPECT_EQ(made.heads, 2);
    EXPECT_EQ(made.queries, 3);
    EXPECT_EQ(made.keys, 5);
    EXPECT_EQ(made.head_query_width(), 4);
    EXPECT_EQ(made.head_value_width(), 4);
    EXPECT_EQ(made.output_width, 4);
    EXPECT_EQ(made.scale, 0.5);
    EXPECT_EQ(made.seed, 3u);
    for (const ParameterInfo& info : made.parameters)
        EXPECT_EQ(made.parameter(info.name).shape(), info.shape) << info.name;
}

TEST(Plan, TakesTheScaleFromTheScore) {
    Setting setting = ordinary();
    EXPECT_EQ(plan(setting.spec, setting.inputs).scale, 0.5);
    setting.spec.score.type = ScoreType::dot;
    EXPECT_EQ(plan(setting.spec, setting.inputs).scale, 1);
    setting.spec.score.type = ScoreType::learned_scale;
    EXPECT_EQ(plan(setting.spec, setting.inputs).scale, 1);
    setting.inputs.parameters["g"] = Tensor({1}, -2.5);
    EXPECT_EQ(plan(setting.spec, setting.inputs).scale, -2.5);
}

TEST(Plan, AcceptsAnythingInKeysThatNobodyLooksAt) {
    Setting setting = cross();
    setting.spec.mask.rule = PaddingMask{4};
    (*setting.inputs.key)(4, 0) = nan;
    setting.inputs.value = Tensor({5, 2});
    (*setting.inputs.value)(4, 1) = infinity;
    EXPECT_NO_THROW(plan(setting.spec, setting.inputs));
}

TEST(Plan, AcceptsParametersThatThisSpecDoesNotUse) {
    Setting setting = ordinary();
    setting.inputs.parameters["W_1"] = Tensor({7, 9}, nan);
    EXPECT_NO_THROW(plan(setting.spec, setting.inputs));
}

TEST(Plan, LetsSelfAttentionHaveValuesOfItsOwn) {
    Setting setting = ordinary();
    setting.inputs.value = Tensor({3, 7});
    EXPECT_EQ(plan(setting.spec, setting.inputs).output_width, 7);
}

TEST(Plan, PassesOverTheOtherSequenceInSelfAttention) {
    Setting setting = cross();
    setting.inputs.value = Tensor({5, 2}, nan);
    setting.inputs.tokens = {{"a", "b", "c"}, {"v", "w", "x", "y", "z"}, {}, {true, true, true, true, true}};
    setting.spec.source.type = SourceType::self;
    Inputs alone = ordinary().inputs;
    alone.tokens.query = setting.inputs.tokens.query;
    EXPECT_EQ(plan(setting.spec, setting.inputs).inputs, alone);
}

TEST(Inputs, RequireFiniteNamesTheFirstOffender) {
    Inputs inputs;
    inputs.query = Tensor({2, 2});
    EXPECT_NO_THROW(require_finite(inputs));
    inputs.key = Tensor{{1, 2}, {3, nan}};
    EXPECT_EQ(test::refusal([&] { require_finite(inputs); }),
              "key, row 2, column 2: check the numbers: expected finite numbers, got NaN");
}

}}  // namespace headlight::plan_test
