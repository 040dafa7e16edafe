#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_laser() {
    Mechanism mechanism;
    mechanism.name = "LASER attention";
    mechanism.also_known_as = {"attention with exponential transformation"};
    mechanism.family = "Heads";
    mechanism.order = 3807;
    mechanism.formula = R"(@output{o_{ic} = \ln @mean_exponentials{\sum_j @weights{A_{ij}}\,)"
                        R"(@exponential_values{e^{@value{v_{jc}} - M_c}}} + M_c},\quad )"
                        R"(@weights{A = \operatorname{softmax}\left(@scores{\frac{@query{Q}\,@key{K}^\top}{)"
                        R"(\sqrt{d}}}\right)},\quad M_c = \max_j v_{jc})";
    mechanism.papers = {{"Duvvuri and Dhillon, LASER: Attention with Exponential Transformation", 2025}};
    mechanism.explanation =
        "A softmax learns in proportion to its weights: how the output changes with a score is the weight "
        "times v − o, how far the value is from the output. Most weights of trained models are next to 0, "
        "and so is what they learn from. LASER leaves the weights as they are and attends to the "
        "exponentials of the values, feature by feature; the logarithm of the mean brings the result back to "
        "the size of the values. Now the output changes with a score by the weight times e^(v − o) − 1, "
        "which grows without end for a value above the output: a key of small weight that has something "
        "large to say is heard. The result lies between the mean of the values and the largest of them. For "
        "small values it is the mean, and values that are all alike come back as they are. M, the largest "
        "value of a feature, changes nothing; it keeps the powers from overflowing.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds per head as in softmax attention, m d_v exponentials and n d_v "
        "logarithms; memory n m. Here d_v n m exponentials more, for rows whose mean would vanish.";
    mechanism.correction =
        "The weights are those of softmax attention, but what a query gets is not the sum of each weight "
        "times its value: a picture of the weights alone shows no difference. M is taken over all keys, "
        "also those that a mask hides, since it cancels; a row that sees only values far below it "
        "would be the logarithm of 0, and is worked out in logarithms here. x-transformers keeps such rows "
        "away by another change: it bounds the values by 15 tanh(v / 15).";
    mechanism.related = {"scaled_dot_product", "parallax", "softpick", "aft"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::laser;
    compose(mechanism, spec, component_knobs(spec) + token_knobs() + causal_knob());

    mechanism.example.query = "the storm was terrible but the harbour was safe";
    mechanism.example.look_for =
        "The weights are those of scaled dot-product attention. What they give is not: in the row of “safe” "
        "feature 35 is 1.51, where the mean of the values is 0.99 and the largest 2.06. No feature is "
        "below its mean.";
    mechanism.example.stage = "context";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
