#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_row_norm() {
    Mechanism mechanism;
    mechanism.name = "Normalised attention";
    mechanism.also_known_as = {"NAP", "attention without a probability cage",
                               "layer norm in place of softmax"};
    mechanism.family = "Normalisers";
    mechanism.order = 5632;
    mechanism.formula =
        R"(@weights{A_{ij} = \frac{@scaled_scores{s_{ij}} - @row_mean{\mu_i}}{\sqrt{\sigma_i^2 + )"
        R"(\varepsilon}}},\text{ or } \frac{s_{ij}}{\sqrt{\sum_k s_{ik}^2}},\quad )"
        R"(\frac{s_{ij}}{\sqrt{n}},\quad \frac{s_{ij}}{\sum_k s_{ik}},\quad )"
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j})";
    mechanism.papers = {{"Richter and Wattenhofer, Normalized Attention Without Probability Cage", 2020}};
    mechanism.explanation =
        "Weights of a softmax are shares: none is negative, and they sum to 1. So an output lies between the "
        "values, and cannot point away from any of them. Richter and Wattenhofer call that a cage, and open "
        "it by what is done with layers anyhow: each row of scores is normalised to mean 0 and variance 1, "
        "with no exponential. A key that fits less than the others do gets a negative weight, and what it "
        "holds is taken off. A row of equal scores is 0, where a softmax would give the mean of all values. "
        "Other numbers of the row may stand below the line as well. The root of the sum of squares gives "
        "rows of length 1. The root of the number of keys keeps the variance of the output, if scores and "
        "values are independent, whatever the length. The plain sum looks most like the softmax, and is the "
        "worst: it may be next to 0, and then the row explodes.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head, no exponentials; memory n m.";
    mechanism.correction =
        "The rows of the first form sum to 0, and not to 1, and a part that all values share is lost in "
        "them. The paper learns a gain and a shift for the row, which are 1 and 0 here, and adds a norm and "
        "a dense layer behind. A row with a single key has weight 0. Divided by the plain sum, raw scores "
        "are shares only where all of them are positive.";
    mechanism.related = {"raw_scores", "shaped", "cog", "relu"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::row_norm;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs() + causal_knob());

    mechanism.example.query = "the government raises the tax while my kitten sleeps";
    mechanism.example.look_for =
        "Every row has negative weights and positive ones, which sum to 0. Divide by the length: then the "
        "squares of a row sum to 1, and negative are only the weights whose scores are.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true, .is_signed = true};
    return mechanism;
}

}  // namespace headlight
