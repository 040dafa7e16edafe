#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_general() {
    Mechanism mechanism;
    mechanism.name = "General attention";
    mechanism.also_known_as = {"Luong general", "bilinear attention", "multiplicative attention"};
    mechanism.family = "Scores";
    mechanism.order = 1000;
    mechanism.formula = R"(@output{@weights{\operatorname{softmax}\left(@scores{@query{Q}\,W\,@key{K}^\top})"
                        R"(\right)}\,@value{V}})";
    mechanism.papers = {{"Luong, Pham and Manning, Effective Approaches to Attention-based Neural Machine "
                         "Translation (section 3.1, below equation 7)",
                         2015}};
    mechanism.explanation =
        "A learned matrix W stands between query and key: its cell (a, b) says how much feature a of the "
        "query asks for feature b of the key. The two may have different widths. W is a parameter, not the "
        "attention weights. With W = I it is the dot product, and a head’s projections are such a matrix in "
        "two factors, W = W_q W_k^T. Written with the key first the same score needs the transpose of W. A "
        "dense layer with a bias on the query computes something else: the bias adds b · k to every score, "
        "which depends on the key and changes the weights.";
    mechanism.cost = "n d_q d_k + n m (d_k + d_v) multiply-adds per head; memory n m; d_q d_k parameters";
    mechanism.correction =
        "W_a is a matrix of parameters, not the attention weights, as some texts call it. And h_s W y "
        "written with the encoder first needs the transpose of Luong’s h_t W_a h_s.";
    mechanism.equivalences = {
        equal_when("dot", "With W = I it is the plain dot product.", {.parameters = {{"W", "identity"}}})};
    mechanism.related = {"dot", "trilinear", "additive", "self_attention"};

    AttentionSpec spec;
    spec.score.type = ScoreType::general;
    compose(mechanism, spec, token_knobs());

    mechanism.example.query = "paris is in france and tokyo is in japan";
    mechanism.example.look_for =
        "Compare with the dot product: W decides which feature asks for which, so a word need not prefer "
        "itself and the scores are not symmetric.";
    mechanism.example.beside = "dot";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
