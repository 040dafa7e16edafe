#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_softcap() {
    Mechanism mechanism;
    mechanism.name = "Attention with soft-capped scores";
    mechanism.also_known_as = {"logit soft-capping", "tanh cap"};
    mechanism.family = "Scores";
    mechanism.order = 5120;
    mechanism.formula = R"(@output{@weights{\operatorname{softmax}(@scaled_scores{c \tanh\left(\frac{)"
                        R"(@scores{@query{Q}\,@key{K}^\top}}{c \sqrt{d_k}}\right)})}\,@value{V}})";
    mechanism.papers = {
        {"Gemma Team, Gemma 2: Improving Open Language Models at a Practical Size (section 2)", 2024}};
    mechanism.explanation =
        "Each scaled score s becomes c tanh(s / c): small scores stay as they are, large ones bend "
        "towards c and never pass it. The order of the keys is kept, but no row can become harder "
        "than scores of c and −c allow, so its entropy has a floor. Gemma 2 uses c = 50, Grok-1 "
        "uses 30; the small value here is for seeing it. The cap must stand before the mask: after "
        "it, the −∞ of a forbidden key would become −c, and the future would be visible again.";
    mechanism.cost = "n m (d + d_v) multiply-adds and n m tanh per head; memory n m";
    mechanism.correction =
        "Printed after the mask it is wrong: c tanh(−∞ / c) = −c is a score like any other.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "With a cap far above the scores nothing is bent.",
                   {.here = {{"softcap", 10000.0}}, .tolerance = 1e-6}),
    };
    mechanism.related = {"scaled_dot_product", "qk_norm", "soft"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    compose(mechanism, spec, {softcap_knob(2), source_knob(), projections_knob(), key_lengths_knob()});

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for =
        "Compare with the scaled dot product: a word can no longer keep nearly all its weight for "
        "itself, because the largest score is 2.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
