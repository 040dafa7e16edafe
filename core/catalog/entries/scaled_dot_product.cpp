#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_scaled_dot_product() {
    Mechanism mechanism;
    mechanism.name = "Scaled dot-product attention";
    mechanism.also_known_as = {"SDPA", "Transformer attention"};
    mechanism.family = "Scores";
    mechanism.order = 500;
    mechanism.formula = R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{)"
                        R"(@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}}\right)}\,@value{V}})";
    mechanism.papers = {{"Vaswani et al., Attention Is All You Need (equation 1)", 2017}};
    mechanism.explanation =
        "The dot products are divided by the square root of the width of a key. For random vectors this "
        "gives the scores a variance of 1 at every width; without it wide vectors saturate the softmax, "
        "whose gradient then vanishes. d_k is the width of one head’s keys: a model of width 512 with 8 "
        "heads divides by 8, not by 22.6. Dividing by √d_k is the same as a temperature of √d_k. Some "
        "libraries multiply by a learned number g instead, which starts at 1 and not at 1/√d_k.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head; memory n m";
    mechanism.correction =
        "d_k is the width of one head’s keys, not that of the model: with 512 numbers in 8 heads the scale "
        "is 8, not 22.6. The scale does not prevent vanishing gradients in general; it keeps the softmax "
        "from saturating, whose own derivative then vanishes. With the mask printed inside the division, (Q "
        "Kᵀ + M)/√d_k, the result is the same for 0 and −∞ alone.";
    mechanism.equivalences = {
        equal_when("learned_scale", "With a learned scale in place of 1/√d_k it is Luong’s scaled variant.",
                   {.here = {{"scale", std::string("learned_scale")}}}),
        equal_when("qk_norm", "It is what query-key normalisation is without the norm.",
                   {.there = {{"vector_norm", std::string("none")}}})};
    mechanism.related = {"dot", "learned_scale", "soft", "qk_norm", "softcap", "euclidean"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    compose(mechanism, spec,
            {source_knob(), projections_knob(), projection_bias_knob(), scale_knob(), key_lengths_knob()});

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for = "“king” and “queen” look at each other, and so do “man” and “woman”: the "
                                 "same sentence that saturated as plain dot products, divided by √d_k.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
