#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_dot() {
    Mechanism mechanism;
    mechanism.name = "Dot-product attention";
    mechanism.also_known_as = {"Luong dot", "multiplicative attention without a matrix"};
    mechanism.family = "Scores";
    mechanism.order = 300;
    mechanism.formula = R"(@output{@weights{\operatorname{softmax}\left(@scores{@query{Q}\,@key{K}^\top})"
                        R"(\right)}\,@value{V}})";
    mechanism.papers = {
        {"Luong, Pham and Manning, Effective Approaches to Attention-based Neural Machine Translation",
         2015}};
    mechanism.explanation =
        "The score of a query and a key is their dot product, so both must have the same width. What asks "
        "(the query), what is compared (the key) and what is handed on (the value) are now three roles, "
        "which different vectors can play: with a second sequence as source, the decoder’s states ask and "
        "the encoder’s states answer. There is no scale: for random vectors the variance of the scores "
        "grows with their width, and the softmax of wide vectors collapses onto one key. The Attention "
        "layer of Keras is this by default, not the scaled one.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head; memory n m; no parameters";
    mechanism.correction =
        "The dot product needs queries and keys of one width, which texts often leave unsaid. The Attention "
        "layer of Keras is this by default, although it is often introduced as the scaled one.";
    mechanism.equivalences = {
        equal_when("general", "It is the general score with W = I.", {.parameters = {{"W", "identity"}}}),
        equal_when("learned_scale", "A learned scale starts at 1, and with 1 it is the plain dot product.")};
    mechanism.related = {"scaled_dot_product", "learned_scale", "general", "basic_self_attention"};

    AttentionSpec spec;
    spec.score.type = ScoreType::dot;
    compose(mechanism, spec, token_knobs());

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for =
        "Almost every word finds only itself, and equal words share: products of 64 numbers are large, and "
        "the softmax saturates. Compare with the scaled dot product.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
