#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_dynamic_bias() {
    Mechanism mechanism;
    mechanism.name = "Dynamic position bias";
    mechanism.also_known_as = {"DPB", "MLP of the offset"};
    mechanism.family = "Positions";
    mechanism.order = 5382;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{\frac{@scores{)"
        R"(@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}} + @position_bias{f_h(i - j)}}\right)}\,@value{V}})";
    mechanism.papers = {
        {"Wang et al., CrossFormer: A Versatile Vision Transformer Hinging on Cross-scale Attention", 2022}};
    mechanism.explanation =
        "A table of biases has a number for each offset that occurred in training, and none for another. A "
        "network that is given the offset and returns the number, one for each head, has an answer for "
        "all. It is small, and it is asked once for every offset, not once for every pair: when the "
        "training is over its answers are a table again, of the size that is wanted. CrossFormer does this "
        "on a grid, where the network gets two offsets, so that one model can take groups of several "
        "sizes. On a line it gets i − j, or its logarithm, which keeps far offsets within reach of what it "
        "has seen. Unlike FIRE it does not divide by the length of the text. Here its weights are drawn at "
        "random, so that the curve is some curve.";
    mechanism.cost = "(n + m) hidden² for each layer of the network, on a line, beside n m (d_k + d_v)";
    mechanism.correction =
        "Called dynamic since the table is computed, not for depending on the tokens: it does not.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "with a network that ends in zeros no offset counts",
                   {.here = {{"heads", Index(1)}},
                    .parameters = {{"W_offset_out", "zeros"}, {"b_offset_out", "zeros"}}}),
    };
    mechanism.related = {"fire", "grid_bias", "t5", "grid_stride"};

    AttentionSpec spec;
    spec.position.type = PositionType::dynamic_bias;
    compose(mechanism, spec, component_knobs(spec) + heads_knob(2) + projections_knob() + causal_knob());

    mechanism.example.query = "once upon a time there lived a wise old king";
    mechanism.example.look_for =
        "The stage of the position bias: one number along every diagonal, above and below the middle by "
        "itself, and another curve in the other head.";
    mechanism.example.stage = "position_bias";
    return mechanism;
}

}  // namespace headlight
