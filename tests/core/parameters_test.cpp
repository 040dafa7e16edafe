#include "core/attention/parameters.h"

#include "core/tensor/memory.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace headlight::parameters_test { namespace {

using Given = std::map<std::string, Tensor>;

struct Case {
    const char* name;
    AttentionSpec spec;
    TokenDimensions tokens;
    Given given;
    const char* required;
};

/// "W_q [4, 6], W_k [4, 6]"
std::string listed(const std::vector<ParameterInfo>& parameters) {
    std::string text;
    for (const ParameterInfo& info : parameters)
        text += (text.empty() ? "" : ", ") + info.name + " " + to_string(info.shape);
    return text;
}

AttentionSpec with(Score score, Projections projections = {}, Heads heads = {}) {
    AttentionSpec spec;
    spec.score = std::move(score);
    spec.projections = projections;
    spec.heads = heads;
    return spec;
}

constexpr ProjectionType learned = ProjectionType::learned;
constexpr Heads two_heads{HeadsType::multi, 2};

class Required : public testing::TestWithParam<Case> {};

TEST_P(Required, AreThese) {
    const Case& row = GetParam();
    EXPECT_EQ(listed(required_parameters(row.spec, row.tokens, row.given)), row.required);
}

const Case cases[] = {
    {"nothing", with({}), {4, 4, 4}, {}, ""},
    {"identity", with({}, {ProjectionType::identity}), {4, 4, 4}, {}, ""},
    {"learned", with({}, {learned}), {4, 4, 4}, {}, "W_q [4, 4], W_k [4, 4], W_v [4, 4]"},
    {"learned_cross", with({}, {learned}), {4, 5, 6}, {}, "W_q [4, 4], W_k [5, 4], W_v [6, 4]"},
    {"dimension", with({}, {learned, false, 6}), {4, 5, 3}, {}, "W_q [4, 6], W_k [5, 6], W_v [3, 6]"},
    {"bias",
     with({}, {learned, true}),
     {4, 4, 4},
     {},
     "W_q [4, 4], b_q [4], W_k [4, 4], b_k [4], W_v [4, 4], b_v [4]"},
    {"multi",
     with({}, {learned, true}, two_heads),
     {4, 4, 4},
     {},
     "W_q [4, 4], b_q [4], W_k [4, 4], b_k [4], W_v [4, 4], b_v [4], W_o [4, 4], b_o [4]"},
    {"multi_without_projections", with({}, {}, two_heads), {4, 4, 4}, {}, ""},
    {"given_query_matrix_fixes_the_key_matrix",
     with({}, {learned}),
     {4, 4, 4},
     {{"W_q", Tensor({4, 8})}},
     "W_q [4, 8], W_k [4, 8], W_v [4, 8]"},
    {"given_key_matrix_fixes_the_query_matrix",
     with({}, {learned}),
     {4, 4, 4},
     {{"W_k", Tensor({4, 8})}},
     "W_q [4, 8], W_k [4, 8], W_v [4, 8]"},
    {"given_value_matrix",
     with({}, {learned}, two_heads),
     {4, 4, 4},
     {{"W_v", Tensor({4, 10})}},
     "W_q [4, 4], W_k [4, 4], W_v [4, 10], W_o [10, 4]"},
    {"given_output_matrix",
     with({}, {learned}, two_heads),
     {4, 4, 4},
     {{"W_o", Tensor({6, 3})}},
     "W_q [4, 4], W_k [4, 4], W_v [4, 6], W_o [6, 3]"},
    {"learned_scale", with({ScoreType::learned_scale}), {4, 4, 4}, {}, "g [1]"},
    {"general", with({ScoreType::general}), {4, 6, 6}, {}, "W [4, 6]"},
    {"general_per_head", with({ScoreType::general}, {}, two_heads), {4, 6, 6}, {}, "W [2, 3]"},
    {"general_of_other_widths",
     with({ScoreType::general}, {learned}),
     {4, 4, 4},
     {{"W_q", Tensor({4, 8})}, {"W_k", Tensor({4, 2})}},
     "W_q [4, 8], W_k [4, 2], W_v [4, 8], W [8, 2]"},
    {"concat", with({ScoreType::concat}), {4, 6, 6}, {}, "W [10, 4], v [4]"},
    {"concat_bias",
     with({ScoreType::concat, Activation::relu, true}),
     {4, 6, 6},
     {},
     "W [10, 4], b [4], v [4]"},
    {"concat_width_of_given_v",
     with({ScoreType::concat}),
     {4, 6, 6},
     {{"v", Tensor({3})}},
     "W [10, 3], v [3]"},
    {"concat_width_of_given_W",
     with({ScoreType::concat}),
     {4, 6, 6},
     {{"W", Tensor({10, 7})}},
     "W [10, 7], v [7]"},
    {"additive",
     with({ScoreType::additive, Activation::tanh, true, 5}, {}, two_heads),
     {4, 6, 6},
     {},
     "W_1 [2, 5], W_2 [3, 5], b [5], v [5]"},
    {"additive_width_of_given_W_2",
     with({ScoreType::additive}),
     {4, 6, 6},
     {{"W_2", Tensor({6, 9})}},
     "W_1 [4, 9], W_2 [6, 9], v [9]"},
    {"self_similarity",
     with({ScoreType::self_similarity}, {learned, true}, two_heads),
     {4, 4, 4},
     {},
     "W_v [4, 4], b_v [4], W_o [4, 4], b_o [4]"},
};

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Rows, Required, testing::ValuesIn(cases), name_of);

TEST(Parameters, OfAnySpecAreKnownByName) {
    for (const Case& row : cases)
        for (const ParameterInfo& info : required_parameters(row.spec, row.tokens, row.given)) {
            const auto& known = known_parameters();
            EXPECT_NE(std::ranges::find(known, info.name, &KnownParameter::name), known.end()) << info.name;
            EXPECT_FALSE(info.meaning.empty()) << info.name;
        }
}

/// Where components use one name for different things, each of them is said.
TEST(Parameters, MeanWhatTheirComponentSays) {
    const auto& known = known_parameters();
    const auto beta = std::ranges::find(known, "W_beta", &KnownParameter::name);
    ASSERT_NE(beta, known.end());
    for (const char* part : {"path: [d, h]: ", "2 sigmoid", "delta", "gated_kalma, gated_oja, ",
                             "titans, ttt: [d, h]: ", "write strength"})
        EXPECT_NE(beta->meaning.find(part), std::string::npos) << beta->meaning;
    const auto pairs = std::ranges::find(known, "W", &KnownParameter::name);
    ASSERT_NE(pairs, known.end());
    EXPECT_TRUE(pairs->meaning.starts_with("[d_q, d_k] per head, shared by the heads: pairs query features"))
        << pairs->meaning;
    for (const char* part : {"; concat: [d_q + d_k, d_a] per head, ", "; mlp: [4 d_k, d_a] per head, "})
        EXPECT_NE(pairs->meaning.find(part), std::string::npos) << pairs->meaning;
    const auto written = std::ranges::find(known, "W_path", &KnownParameter::name);
    EXPECT_TRUE(described(*written).starts_with("[d, h d_k]: ")) << described(*written);
    EXPECT_TRUE(written->meaning.ends_with(" (path)")) << written->meaning;
}

TEST(Parameters, MeanInAPlanWhatIsKnownOfThem) {
    const std::map<std::string, Tensor> given;
    const std::vector<KnownParameter> own{{"W_own", "[d]", "is the component’s"},
                                          {"b_k", "[D]", "is something else"}};
    ParameterList list(given);
    list.begin_component(own);
    list.add("W_own", {2});
    list.add("b_q", {2});
    list.add("b_k", {2});
    list.add_typed("b_v", {2});
    EXPECT_THROW(list.add("W_nobody", {2}), std::logic_error);
    list.begin_component({});
    EXPECT_THROW(list.add("W_own", {2}), std::logic_error);
    std::vector<std::string> meanings;
    for (const ParameterInfo& info : list.take())
        meanings.push_back(info.meaning);
    EXPECT_EQ(meanings, (std::vector<std::string>{"is the component’s", "is added to every query",
                                                  "is something else", "a parameter of the formula"}));
}

TEST(Parameters, AreDrawnWithinTheirBounds) {
    const std::vector<ParameterInfo> required{{"W_q", {30, 20}, ""}, {"b_q", {400}, ""}, {"g", {1}, "", 1.0}};
    const auto drawn = resolve_parameters(required, {}, 7);
    const auto largest = [&](const std::string& name) {
        double size = 0;
        for (const double value : drawn.at(name).values())
            size = std::max(size, std::abs(value));
        return size;
    };
    EXPECT_LT(largest("W_q"), std::sqrt(6.0 / 50));
    EXPECT_GT(largest("W_q"), 0.95 * std::sqrt(6.0 / 50));
    EXPECT_LT(largest("b_q"), 0.05);
    EXPECT_GT(largest("b_q"), 0.9 * 0.05);
    EXPECT_EQ(drawn.at("g").values()[0], 1);
    double mean = 0;
    for (const double value : drawn.at("W_q").values())
        mean += value / 600;
    EXPECT_NEAR(mean, 0, 0.03);
}

TEST(Parameters, HaveStreamsOfTheirOwn) {
    const std::vector<ParameterInfo> required{{"W_q", {3, 3}, ""}, {"W_k", {3, 3}, ""}};
    const auto drawn = resolve_parameters(required, {}, 7);
    EXPECT_EQ(drawn, resolve_parameters(required, {}, 7));
    EXPECT_NE(drawn.at("W_q"), resolve_parameters(required, {}, 8).at("W_q"));
    EXPECT_NE(drawn.at("W_q"), drawn.at("W_k"));
    const Tensor own({3, 3}, 1.0);
    const auto with_own = resolve_parameters(required, {{"W_q", own}}, 7);
    EXPECT_EQ(with_own.at("W_q"), own);
    EXPECT_EQ(with_own.at("W_k"), drawn.at("W_k"));
}

struct Refusal {
    const char* name;
    AttentionSpec spec;
    Given given;
    const char* message;
};

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, WithReason) {
    const MemoryLimit limit(4'000'000'000);
    const Refusal& row = GetParam();
    EXPECT_EQ(test::refusal([&] { required_parameters(row.spec, {4, 4, 4}, row.given); }), row.message);
}

const Refusal refusals[] = {
    {"other_rows",
     with({}, {learned}),
     {{"W_q", Tensor({5, 4})}},
     "W_q: parameter: expected shape [4, 4], got shape [5, 4]"},
    {"other_widths",
     with({}, {learned}),
     {{"W_q", Tensor({4, 4})}, {"W_k", Tensor({4, 6})}},
     "scaled_dot score: expected queries and keys of one width, got queries of width 4 and keys of width 6 "
     "(general, "
     "concat and additive scores accept that)"},
    {"not_a_matrix",
     with({}, {learned}),
     {{"W_q", Tensor({4})}},
     "W_q: parameter: expected a matrix, got a tensor of shape [4]"},
    {"empty",
     with({}, {learned}),
     {{"W_q", Tensor({4, 0})}},
     "W_q: parameter: expected a matrix, got a tensor of shape [4, 0]"},
    {"not_a_vector",
     with({ScoreType::additive}),
     {{"v", Tensor({4, 1})}},
     "v: parameter: expected a vector, got a tensor of shape [4, 1]"},
    {"dimension_against_matrix",
     with({}, {learned, false, 6}),
     {{"W_q", Tensor({4, 8})}},
     "W_q: parameter: expected shape [4, 6], got shape [4, 8]"},
    {"attention_dimension_against_v",
     with({ScoreType::concat, Activation::tanh, false, 5}),
     {{"v", Tensor({3})}},
     "v: parameter: expected shape [5], got shape [3]"},
    {"scale_of_many",
     with({ScoreType::learned_scale}),
     {{"g", Tensor({2})}},
     "g: parameter: expected shape one number, got shape [2]"},
    {"heads_do_not_divide",
     with({}, {}, {HeadsType::multi, 3}),
     {},
     "queries: split into heads: expected 1, 2 or 4 heads for rows of 4 numbers, or change the "
     "dimension to one that 3 heads divide evenly, got 3 heads"},
    {"heads_do_not_divide_values",
     with({}, {learned}, two_heads),
     {{"W_v", Tensor({4, 5})}},
     "values: split into heads: expected 1 or 5 heads for rows of 5 numbers, or change the "
     "dimension to one that 2 heads divide evenly, got 2 heads"},
    {"no_heads",
     with({}, {}, {HeadsType::multi, 0}),
     {},
     "heads.heads: attention spec: expected 1 or more, got 0"},
    {"no_dimension",
     with({}, {learned, false, 0}),
     {},
     "projections.dimension: attention spec: expected 1 or more, got 0"},
    {"negative_attention_dimension",
     with({ScoreType::concat, Activation::tanh, false, -2}),
     {},
     "score.attention_dimension: attention spec: expected 1 or more, got -2"},
    {"beyond_memory",
     with({}, {learned, false, Index(1) << 40}),
     {},
     "W_q: parameter: expected at most 4.0 GB of memory, as --memory says, got 35.2 TB: shape [4, "
     "1099511627776]"},
};

std::string refusal_name(const testing::TestParamInfo<Refusal>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Rows, Refused, testing::ValuesIn(refusals), refusal_name);

TEST(Parameters, AcceptOneNumberOfAnyRank) {
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{1, 1}})
        EXPECT_NO_THROW(
            required_parameters(with({ScoreType::learned_scale}), {4, 4, 4}, {{"g", Tensor(shape)}}));
}

}}  // namespace headlight::parameters_test
