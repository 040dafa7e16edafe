// The collection of published and derived reference numbers (fixtures.json in the folder that
// HEADLIGHT_SHARED names; without it these tests say so and are skipped). One row for each case that the
// engine's components can express.

#include "tests/contract/fixture_row.h"

#include <cstdlib>

namespace headlight::fixtures_test {

using namespace test;

namespace {

std::vector<Row> published_rows() {
    const auto X = at("/inputs/X");
    const std::string cross = R"({"source": {"type": "cross"}, )";
    return {
        {"seed002_pytorch_concat",
         "seed002_pytorch_concat",
         cross + R"("score": {"type": "concat", "bias": true}})",
         {{"query", row_at("/inputs/decoder_hidden")},
          {"key", at("/inputs/encoder_outputs")},
          {"W", transposed_at("/params/attn_weight_8x16_rows_out__cols_dec_then_enc")},
          {"b", at("/params/attn_bias")},
          {"v", at("/params/v")}},
         {{"energy", "/intermediates/energy_tanh", {}, 1e-8},
          {"scores", "/intermediates/scores", {}, 1e-8},
          {"weights", "/expected/alpha", {}, 1e-8},
          {"context", "/expected/context", {}, 1e-8},
          {"weights", "/printed/alpha"},
          {"output", "/printed/context"}}},
        {"ch03_simple_selfattn",
         "ch03_simple_selfattn",
         R"({"score": {"type": "self_similarity"}})",
         {{"query", X}},
         {{"scores", "/expected/scores"},
          {"weights", "/expected/A"},
          {"output", "/expected/O"},
          {"weights", "/printed/A_row1", 1},
          {"output", "/printed/O_row1", 1}}},
        {"ch03_selfattn_v1",
         "ch03_selfattn_v1_seed123",
         R"({"projections": {"type": "learned"}, "score": {"type": "scaled_dot"}})",
         {{"query", X}, {"W_q", at("/params/Wq")}, {"W_k", at("/params/Wk")}, {"W_v", at("/params/Wv")}},
         {{"query", "/expected/Q"},
          {"key", "/expected/K"},
          {"value", "/expected/V"},
          {"weights", "/expected/A"},
          {"output", "/expected/O"},
          {"output", "/printed/O"}}},
        {"ch03_selfattn_v2",
         "ch03_selfattn_v2_seed789_and_causal",
         R"({"projections": {"type": "learned"}, "score": {"type": "scaled_dot"}})",
         {{"query", X},
          {"W_q", transposed_at("/params/Wq")},
          {"W_k", transposed_at("/params/Wk")},
          {"W_v", transposed_at("/params/Wv")}},
         {{"scores", "/expected/S"},
          {"weights", "/expected/A"},
          {"output", "/expected/O"},
          {"output", "/printed/O_row0", 0}}},
        {"ch03_selfattn_v2_causal",
         "ch03_selfattn_v2_seed789_and_causal",
         R"({"projections": {"type": "learned"}, "score": {"type": "scaled_dot"}, "mask": {"type": "causal"}})",
         {{"query", X},
          {"W_q", transposed_at("/params/Wq")},
          {"W_k", transposed_at("/params/Wk")},
          {"W_v", transposed_at("/params/Wv")}},
         {{"weights", "/expected/A_causal"}, {"weights", "/printed/A_causal_row2", 2}}},
        // Two causal heads side by side, without an output projection: W_o = I.
        {"ch03_mha_wrapper",
         "ch03_mha_wrapper_seed123",
         R"({"projections": {"type": "learned"}, "score": {"type": "scaled_dot"}, "mask": {"type": "causal"},
             "heads": {"type": "multi", "heads": 2}})",
         {{"query", X},
          {"W_q", beside(transposed_at("/params/head0/Wq"), transposed_at("/params/head1/Wq"))},
          {"W_k", beside(transposed_at("/params/head0/Wk"), transposed_at("/params/head1/Wk"))},
          {"W_v", beside(transposed_at("/params/head0/Wv"), transposed_at("/params/head1/Wv"))},
          {"W_o", unit(4)}},
         {{"output", "/expected/O"}, {"output", "/printed/O_row2", 2}}},
        {"keras_dot",
         "keras_attention_correctness",
         cross + R"("score": {"type": "dot"}})",
         {{"query", at("/inputs/query")}, {"key", at("/inputs/key")}, {"value", at("/inputs/value")}},
         {{"weights", "/expected/dot/A", {}, 1e-10},
          {"output", "/expected/dot/O", {}, 1e-10},
          {"weights", "/printed/dot_A"},
          {"output", "/printed/dot_O"}}},
        // Keras adds query and key without matrices: W_1 = W_2 = I, v = 1.
        {"keras_additive",
         "keras_attention_correctness",
         cross + R"("score": {"type": "additive"}})",
         {{"query", at("/inputs/query")},
          {"key", at("/inputs/key")},
          {"value", at("/inputs/value")},
          {"W_1", unit(2)},
          {"W_2", unit(2)},
          {"v", filled({2}, 1)}},
         {{"scores", "/expected/concat_or_additive_use_scale_false/S", {}, 1e-10},
          {"weights", "/expected/concat_or_additive_use_scale_false/A", {}, 1e-10},
          {"output", "/expected/concat_or_additive_use_scale_false/O", {}, 1e-10},
          {"weights", "/printed/concat_A"},
          {"output", "/printed/concat_O"}}},
        {"keras_value_mask",
         "keras_attention_masks",
         cross + R"("score": {"type": "dot"}, "mask": {"type": "padding", "key_lengths": 1}})",
         {{"query", at("/inputs/query")}, {"key", at("/inputs/value")}},
         {{"weights", "/expected/A"}, {"output", "/expected/O/0", 0}}},
        // Keras' query mask zeroes the output row and leaves the weights; as a mask of pairs it empties the
        // row of weights too, and the output is the one that Keras gives.
        {"keras_query_mask",
         "keras_attention_masks",
         cross + R"("score": {"type": "dot"}, "mask": {"type": "matrix", "allowed": [[1, 0], [0, 0]]}})",
         {{"query", at("/inputs/query")}, {"key", at("/inputs/value")}},
         {{"weights", "/expected/A/0", 0}, {"output", "/expected/O"}}},
        {"allennlp_additive_0",
         "allennlp_additive",
         cross + R"("score": {"type": "additive"}})",
         {{"query", row_at("/inputs/vectors/0")},
          {"key", at("/inputs/matrices/0")},
          {"W_1", at("/params/W")},
          {"W_2", at("/params/U")},
          {"v", at("/params/v")}},
         {{"scores", "/expected/scores/0"}}},
        {"allennlp_additive_1",
         "allennlp_additive",
         cross + R"("score": {"type": "additive"}})",
         {{"query", row_at("/inputs/vectors/1")},
          {"key", at("/inputs/matrices/1")},
          {"W_1", at("/params/W")},
          {"W_2", at("/params/U")},
          {"v", at("/params/v")}},
         {{"scores", "/expected/scores/1"}}},
        {"allennlp_dot_zero",
         "allennlp_dot_scaled_cosine",
         cross + R"("score": {"type": "dot"}})",
         {{"query", row_at("/inputs/q/0")}, {"key", at("/inputs/keys/0")}},
         {{"scores", "/expected/dot/0"}}},
        // AllenNLP scales by a number that its caller gives, 9 here, and divides by its root.
        {"allennlp_dot_and_scaled",
         "allennlp_dot_scaled_cosine",
         cross + R"("score": {"type": "learned_scale"}})",
         {{"query", row_at("/inputs/q/1")},
          {"key", at("/inputs/keys/1")},
          {"g", literal("[0.333333333333333333]")}},
         {{"scores", "/expected/dot/1"}, {"scaled_scores", "/expected/scaled_by_sqrt9/1"}}},
        // w . [x; y] + b is an additive score of one hidden unit without a squashing function.
        {"allennlp_linear",
         "allennlp_linear_bidaf",
         cross + R"("score": {"type": "additive", "activation": "identity", "bias": true}})",
         {{"query", row_at("/inputs/linear/x")},
          {"key", at("/inputs/linear/ys")},
          {"W_1", literal("[[-0.3], [0.5], [2.0]]")},
          {"W_2", literal("[[-1.0], [1], [1]]")},
          {"b", literal("[0.1]")},
          {"v", literal("[1]")}},
         {{"weights", "/expected/linear_softmax"}}},
        // BiDAF's w . [x; y; x * y] is bilinear in [x; 1] and [y; 1].
        {"allennlp_bidaf",
         "allennlp_linear_bidaf",
         cross + R"("score": {"type": "general"}})",
         {{"query", beside(row_at("/inputs/bidaf/x"), filled({1, 1}, 1))},
          {"key", beside(at("/inputs/bidaf/ys"), filled({4, 1}, 1))},
          {"W", literal("[[1, 0, -0.3], [0, 1, 0.5], [2, -1, 0]]")}},
         {{"scores", "/expected/bidaf_scores", {}, 1e-10}}},
        {"entmax_readme_softmax",
         "entmax_readme",
         cross + R"("score": {"type": "dot"}})",
         {{"query", filled({1, 1}, 1)}, {"key", column_at("/inputs/x")}},
         {{"weights", "/expected/softmax"}}},
        {"tf_transformer_tutorial",
         "tf_transformer_tutorial_sdpa",
         cross + R"("score": {"type": "scaled_dot"}})",
         {{"query", at("/inputs/Q")}, {"key", at("/inputs/K")}, {"value", at("/inputs/V")}},
         {{"weights", "/expected/A"}, {"output", "/expected/O"}}},
        // Equal keys: uniform over those that are real, whatever the query and the score.
        {"d2l_dot_2_real_keys",
         "d2l_masked_softmax_additive_dot",
         cross + R"("score": {"type": "scaled_dot"}, "mask": {"type": "padding", "key_lengths": 2}})",
         {{"query", literal("[[0.3, -1.2]]")}, {"key", filled({10, 2}, 1)}, {"value", counting({10, 4})}},
         {{"output", "/expected/O/0"}}},
        {"d2l_dot_6_real_keys",
         "d2l_masked_softmax_additive_dot",
         cross + R"("score": {"type": "scaled_dot"}, "mask": {"type": "padding", "key_lengths": 6}})",
         {{"query", literal("[[0.3, -1.2]]")}, {"key", filled({10, 2}, 1)}, {"value", counting({10, 4})}},
         {{"output", "/expected/O/1"}}},
        {"d2l_additive_2_real_keys",
         "d2l_masked_softmax_additive_dot",
         cross + R"("score": {"type": "additive"}, "mask": {"type": "padding", "key_lengths": 2}})",
         {{"query", literal("[[0.3, -1.2, 0.8]]")},
          {"key", filled({10, 2}, 1)},
          {"value", counting({10, 4})}},
         {{"output", "/expected/O/0"}}},
        {"d2l_additive_6_real_keys",
         "d2l_masked_softmax_additive_dot",
         cross + R"("score": {"type": "additive"}, "mask": {"type": "padding", "key_lengths": 6}})",
         {{"query", literal("[[0.3, -1.2, 0.8]]")},
          {"key", filled({10, 2}, 1)},
          {"value", counting({10, 4})}},
         {{"output", "/expected/O/1"}}},
    };
}

Operand canonical(const std::string& name) { return at("/canon/" + name); }

/// Vectors scaled to length 1.
Operand normalized(const Operand& vectors) {
    return [=](const Json& fixture) {
        Tensor rows = vectors(fixture);
        for (Index r = 0; r < rows.rows(); ++r) {
            double square = 0;
            for (const double x : rows.row(r))
                square += x * x;
            for (double& x : rows.row(r))
                x /= std::sqrt(square);
        }
        return rows;
    };
}

/// Keys with one more column that carries -|k|^2 / 2.
Operand with_half_norms(const Operand& keys) {
    return [=](const Json& fixture) {
        const Tensor rows = keys(fixture);
        Tensor norms({rows.rows(), 1});
        for (Index r = 0; r < rows.rows(); ++r)
            for (const double x : rows.row(r))
                norms(r, 0) -= x * x / 2;
        return side_by_side(rows, norms);
    };
}

/// g v / |v| with g = 1 / sqrt(3): tf/nmt's normed_bahdanau as a plain additive score.
Tensor normed_v(const Json& fixture) {
    Tensor v = canonical("v")(fixture);
    double square = 0;
    for (const double x : v.values())
        square += x * x;
    for (double& x : v.values())
        x *= std::sqrt(1.0 / 3) / std::sqrt(square);
    return v;
}

std::vector<Row> derived_rows() {
    const std::map<std::string, Operand> qkv{
        {"query", canonical("Q")}, {"key", canonical("K")}, {"value", canonical("V")}};
    const auto with = [&](std::map<std::string, Operand> more) {
        more.insert(qkv.begin(), qkv.end());
        return more;
    };
    const std::vector<Check> checks{{"weights", "/case/A"}, {"output", "/case/O"}};
    const std::string cross = R"({"source": {"type": "cross"}, )";
    const std::string scaled = cross + R"("score": {"type": "scaled_dot"})";
    std::vector<Row> rows{
        {"dot", "dot", cross + R"("score": {"type": "dot"}})", qkv, checks},
        {"scaled_dot", "scaled_dot", scaled + "}", qkv, checks},
        {"general_W", "general_W", cross + R"("score": {"type": "general"}})", with({{"W", canonical("Wg")}}),
         checks},
        {"temperature_half", "temperature_0.5",
         scaled + R"(, "normalizer": {"type": "softmax", "temperature": 0.5}})", qkv, checks},
        {"temperature_2", "temperature_2",
         scaled + R"(, "normalizer": {"type": "softmax", "temperature": 2}})", qkv, checks},
        {"hardmax", "hardmax", scaled + R"(, "normalizer": {"type": "hard", "mode": "argmax"}})", qkv,
         checks},
        {"causal", "mask_causal", scaled + R"(, "mask": {"type": "causal"}})", qkv, checks},
        {"mha2_identity_proj_causal", "mha2_identity_proj_causal",
         scaled + R"(, "mask": {"type": "causal"}, "heads": {"type": "multi", "heads": 2}})", qkv, checks},
        {"sinusoidal_6x8",
         "sinusoidal",
         R"({"position": {"type": "sinusoidal"}})",
         {{"query", filled({6, 8}, 0)}},
         {{"position", "/sinusoidal_6x8"}}},
        {"bahdanau_normalized", "bahdanau_normalized",
         cross + R"("score": {"type": "additive", "bias": true}})",
         with({{"W_1", transposed_at("/canon/W1")},
               {"W_2", transposed_at("/canon/W2")},
               {"v", normed_v},
               {"b", literal("[0.1, -0.2, 0.3]")}}),
         checks},
        {"cosine_beta5",
         "cosine_beta5",
         cross + R"("score": {"type": "learned_scale"}})",
         {{"query", normalized(canonical("Q"))},
          {"key", normalized(canonical("K"))},
          {"value", canonical("V")},
          {"g", literal("[5]")}},
         checks},
        // -|q - k|^2 / 2 is q . k - |k|^2 / 2 and a number for the whole row, which the softmax does not see.
        {"rbf_sigma1",
         "rbf_sigma1",
         cross + R"("score": {"type": "dot"}})",
         {{"query", beside(canonical("Q"), filled({6, 1}, 1))},
          {"key", with_half_norms(canonical("K"))},
          {"value", canonical("V")}},
         checks},
    };
    for (const std::string activation : {"tanh", "relu", "sigmoid"})
        rows.push_back({"additive_" + activation, "additive_" + activation,
                        cross + R"("score": {"type": "additive", "activation": ")" + activation + R"("}})",
                        with({{"W_1", transposed_at("/canon/W1")},
                              {"W_2", transposed_at("/canon/W2")},
                              {"v", canonical("v")}}),
                        checks});
    for (const std::string mask :
         {"causal", "window3_causal", "window_sym1", "dilated_w4_r2_sym", "strided_l3", "fixed_l3_c1",
          "prefix2", "sink1_window2", "block2", "block2_causal", "doc_2_4_causal", "longformer_w1_g0"})
        rows.push_back({"mask_" + mask, "mask_" + mask, scaled + "}", qkv, checks, "/case/mask"});
    return rows;
}

class PublishedFixture : public testing::TestWithParam<Row> {};
class DerivedFixture : public testing::TestWithParam<Row> {};

TEST_P(PublishedFixture, IsMet) { check_published(GetParam()); }

TEST_P(DerivedFixture, IsMet) { check_derived(GetParam()); }

const auto row_name = [](const auto& row) { return row.param.name; };
INSTANTIATE_TEST_SUITE_P(Fixtures, PublishedFixture, testing::ValuesIn(published_rows()), row_name);
INSTANTIATE_TEST_SUITE_P(Fixtures, DerivedFixture, testing::ValuesIn(derived_rows()), row_name);

}  // namespace

}  // namespace headlight::fixtures_test
