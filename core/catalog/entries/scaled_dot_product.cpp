#include "core/catalog/knob.h"
#include "core/catalog/oracle.h"

namespace headlight {

Mechanism declare_scaled_dot_product() {
    Mechanism mechanism;
    mechanism.id = "scaled_dot_product";
    mechanism.name = "Scaled dot-product attention";
    mechanism.also_known_as = {"SDPA", "Transformer attention"};
    mechanism.family = "Scores";
    mechanism.order = 500;
    mechanism.formula = R"(\class{stage-output}{\class{stage-weights}{\operatorname{softmax}\left()"
                        R"(\class{stage-scaled_scores}{\frac{)"
                        R"(\class{stage-scores}{\class{stage-query}{Q}\,\class{stage-key}{K}^\top})"
                        R"(}{\sqrt{d_k}}}\right)}\,\class{stage-value}{V}})";
    mechanism.paper = "Vaswani et al., Attention Is All You Need (equation 1)";
    mechanism.year = 2017;
    mechanism.explanation =
        "The dot products are divided by the square root of the width of a key. For random vectors this "
        "gives the scores a variance of 1 at every width; without it wide vectors saturate the softmax, "
        "whose gradient then vanishes. d_k is the width of one head’s keys: a model of width 512 with 8 "
        "heads divides by 8, not by 22.6. Dividing by √d_k is the same as a temperature of √d_k. Some "
        "libraries multiply by a learned number g instead, which starts at 1 and not at 1/√d_k.";

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    compose(mechanism, spec,
            {source_knob(), projections_knob(ProjectionType::none), projection_bias_knob(), scale_knob(),
             key_lengths_knob()});

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for = "“king” and “queen” look at each other, and so do “man” and “woman”: the "
                                 "same sentence that saturated as plain dot products, divided by √d_k.";
    mechanism.properties.permutation_equivariant = true;
    mechanism.oracle = scalar_oracle;
    return mechanism;
}

}  // namespace headlight
