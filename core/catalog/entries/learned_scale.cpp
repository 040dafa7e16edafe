#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_learned_scale() {
    Mechanism mechanism;
    mechanism.name = "Dot product with a learned scale";
    mechanism.also_known_as = {"scaled Luong attention", "use_scale"};
    mechanism.family = "Scores";
    mechanism.order = 510;
    mechanism.formula = R"(@output{@weights{\operatorname{softmax}(@scaled_scores{g\,@scores{@query{Q}\,)"
                        R"(@key{K}^\top}})}\,@value{V}})";
    mechanism.papers = {{"TensorFlow, the layer LuongAttention with scale", 2017},
                        {"Keras, the layer Attention with use_scale", 2019}};
    mechanism.explanation =
        "The dot product is multiplied by one number g that is learned with everything else. It starts at 1, "
        "so that at first this is the plain dot product; training may cool or sharpen the rows as it likes. "
        "A scale of g is the same as a temperature of 1/g. It is not the 1/√d_k of the Transformer, which is "
        "fixed and known before training: a g that starts at 1 leaves wide vectors saturated until it has "
        "been learned. One number serves all queries and heads.";
    mechanism.cost = "n m (d + d_v + 1) multiply-adds per head; memory n m; 1 parameter";
    mechanism.correction =
        "The Attention layer of Keras is often called scaled dot-product attention. By default it "
        "has no scale at all, and with use_scale=True it has this learned one, not 1/√d_k.";
    mechanism.equivalences = {
        equal_when("dot", "With g = 1, where training starts, it is the plain dot product."),
    };
    mechanism.related = {"dot", "scaled_dot_product", "soft"};

    AttentionSpec spec;
    spec.score.type = ScoreType::learned_scale;
    compose(mechanism, spec, {source_knob(), projections_knob(), key_lengths_knob()});

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for =
        "As long as g is 1 nearly every word finds only itself, as with plain dot products. Give g "
        "= 0.125 in an inputs file and it is the scaled product of vectors of 64 numbers.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
