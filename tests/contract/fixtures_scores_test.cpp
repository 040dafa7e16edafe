// Reference numbers of scores that are components: each case runs through the component of its name.

#include "tests/contract/fixture_row.h"

namespace headlight::fixtures_scores_test {

using namespace test;

namespace {

const std::string cross = R"({"source": {"type": "cross"}, )";

Operand canonical(const std::string& name) { return at("/canon/" + name); }

std::vector<Row> derived_rows() {
    const auto with = [](std::map<std::string, Operand> more) {
        more.insert({{"query", canonical("Q")}, {"key", canonical("K")}, {"value", canonical("V")}});
        return more;
    };
    const std::vector<Check> checks{{"weights", "/case/A"}, {"output", "/case/O"}};
    const auto score = [](const std::string& inside) { return cross + R"("score": {)" + inside + "}}"; };
    return {
        // g = 1/√3 is what the component starts with.
        {"bahdanau_normalized", "bahdanau_normalized", score(R"("type": "normalized_additive")"),
         with({{"W_1", transposed_at("/canon/W1")},
               {"W_2", transposed_at("/canon/W2")},
               {"v", canonical("v")},
               {"b", literal("[0.1, -0.2, 0.3]")}}),
         checks},
        {"cosine_beta5", "cosine_beta5", score(R"("type": "cosine", "beta": 5)"), with({}), checks},
        {"rbf_sigma1", "rbf_sigma1", score(R"("type": "gaussian", "sigma": 1)"), with({}), checks},
        {"l2_scaled", "l2_scaled", score(R"("type": "euclidean")"), with({}), checks},
        {"softcap_2", "softcap_2", score(R"("type": "scaled_dot", "softcap": 2)"), with({}), checks},
        {"selective_single_head", "selective_single_head",
         cross + R"("score": {"type": "selective"}, "mask": {"type": "causal"}})", with({}), checks},
        // A network of one layer over [q; k] whose W is W_1 above W_2.
        {"additive_tanh_as_network", "additive_tanh",
         score(R"("type": "mlp", "layers": 1, "features": "pair", "attention_dimension": 3)"),
         with({{"W",
                [](const Json& fixture) {
                    return stacked(transposed(canonical("W1")(fixture)),
                                   transposed(canonical("W2")(fixture)));
                }},
               {"v", canonical("v")}}),
         checks},
        // A slope of 0 below zero is ReLU.
        {"additive_relu_as_graph", "additive_relu", score(R"("type": "dynamic_graph", "slope": 0)"),
         with({{"W_1", transposed_at("/canon/W1")},
               {"W_2", transposed_at("/canon/W2")},
               {"v", canonical("v")}}),
         checks},
        // Filters that nobody listens to.
        {"additive_sigmoid_as_location_aware", "additive_sigmoid",
         score(R"("type": "location_aware", "activation": "sigmoid", "filters": 2)"),
         with({{"W_1", transposed_at("/canon/W1")},
               {"W_2", transposed_at("/canon/W2")},
               {"v", canonical("v")},
               {"U", filled({2, 3}, 0)}}),
         checks},
        {"general_as_trilinear", "dot", score(R"("type": "trilinear")"),
         with({{"w", literal("[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]")}}), checks},
        {"scaled_dot_as_multi_token", "scaled_dot",
         score(R"("type": "multi_token", "query_width": 1, "key_width": 1)"), with({}), checks},
        {"causal_as_multi_token", "mask_causal",
         cross + R"("score": {"type": "multi_token", "query_width": 1, "key_width": 1},
                    "mask": {"type": "causal"}})",
         with({}), checks},
    };
}

std::vector<Row> published_rows() {
    const std::map<std::string, Operand> keras{
        {"query", at("/inputs/query")}, {"key", at("/inputs/key")}, {"value", at("/inputs/value")}};
    const auto with = [](std::map<std::string, Operand> all, std::map<std::string, Operand> more) {
        all.merge(more);
        return all;
    };
    const std::string additive = "/expected/concat_or_additive_use_scale_false/";
    const std::vector<Check> keras_checks{{"scores", additive + "S", {}, 1e-10},
                                          {"weights", additive + "A", {}, 1e-10},
                                          {"output", additive + "O", {}, 1e-10},
                                          {"weights", "/printed/concat_A"},
                                          {"output", "/printed/concat_O"}};
    return {
        {"keras_additive", "keras_attention_correctness",
         cross + R"("score": {"type": "elementwise_additive"}})", with(keras, {{"v", filled({2}, 1)}}),
         keras_checks},
        {"keras_concat", "keras_attention_correctness", cross + R"("score": {"type": "elementwise_concat"}})",
         keras, keras_checks},
        {"allennlp_cosine",
         "allennlp_dot_scaled_cosine",
         cross + R"("score": {"type": "cosine", "beta": 1}})",
         {{"query", row_at("/inputs/q/1")}, {"key", at("/inputs/keys/1")}},
         {{"scores", "/expected/cosine/1"}}},
        {"allennlp_cosine_of_zeros",
         "allennlp_dot_scaled_cosine",
         cross + R"("score": {"type": "cosine", "beta": 1}})",
         {{"query", row_at("/inputs/q/0")}, {"key", at("/inputs/keys/0")}},
         {{"scores", "/expected/cosine/0"}}},
        {"allennlp_linear",
         "allennlp_linear_bidaf",
         cross + R"("score": {"type": "linear", "bias": true}})",
         {{"query", row_at("/inputs/linear/x")},
          {"key", at("/inputs/linear/ys")},
          {"w", at("/inputs/linear/w")},
          {"b", literal("[0.1]")}},
         {{"weights", "/expected/linear_softmax"}}},
        {"allennlp_bidaf",
         "allennlp_linear_bidaf",
         cross + R"("score": {"type": "trilinear"}})",
         {{"query", row_at("/inputs/bidaf/x")},
          {"key", at("/inputs/bidaf/ys")},
          {"w", at("/inputs/bidaf/w")}},
         {{"scores", "/expected/bidaf_scores", {}, 1e-10}}},
        {"allennlp_additive",
         "allennlp_additive",
         cross + R"("score": {"type": "coverage"}})",
         {{"query", row_at("/inputs/vectors/0")},
          {"key", at("/inputs/matrices/0")},
          {"W_1", at("/params/W")},
          {"W_2", at("/params/U")},
          {"v", at("/params/v")}},
         {{"scores", "/expected/scores/0"}}},
    };
}

class DerivedScore : public testing::TestWithParam<Row> {};
class PublishedScore : public testing::TestWithParam<Row> {};

TEST_P(DerivedScore, IsMet) { check_derived(GetParam()); }
TEST_P(PublishedScore, IsMet) { check_published(GetParam()); }

const auto row_name = [](const auto& row) { return row.param.name; };
INSTANTIATE_TEST_SUITE_P(Fixtures, DerivedScore, testing::ValuesIn(derived_rows()), row_name);
INSTANTIATE_TEST_SUITE_P(Fixtures, PublishedScore, testing::ValuesIn(published_rows()), row_name);

}  // namespace

}  // namespace headlight::fixtures_scores_test
