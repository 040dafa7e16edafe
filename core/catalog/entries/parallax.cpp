#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_parallax() {
    Mechanism mechanism;
    mechanism.name = "Parallax";
    mechanism.also_known_as = {"parameterized local linear attention"};
    mechanism.family = "Heads";
    mechanism.order = 3805;
    mechanism.formula =
        R"(@context{o = \sum_j @weights{p_j\,(1 + @probe_means{\operatorname{E}_p[s]} - s_j)}\,@value{v_j} )"
        R"(= \operatorname{E}_p[v] - \operatorname{Cov}_p(s, v)},\quad )"
        R"(@soft_weights{p = \operatorname{softmax}\left(@scaled_scores{\frac{@scores{@query{q}\,)"
        R"(@key{K}^\top}}{\sqrt{d_k}}}\right)},\; @probe_products{s = \gamma\,@probe{r}\,@key{K}^\top},\; )"
        R"(@probe{r = @tokens{x} W_r})";
    mechanism.papers = {
        {"Zuo et al., Parallax: Parameterized Local Linear Attention for Language Modeling", 2026}};
    mechanism.explanation =
        "Softmax attention is a weighted mean: it guesses the value at the query by a constant fitted to the "
        "keys around it, and where the keys lie to one side of the query, so does the guess. A fitted line "
        "would follow the slope. Local linear attention fits one, at the price of a system of equations for "
        "every query; Parallax lets a learned matrix propose the answer instead. Beside its query q a token "
        "has a probe r, and what is taken off the mean is the covariance of r · k with the values: how the "
        "values change along r among the keys that are looked at. A key that the probe finds above the "
        "average loses weight, one below gains, so that a row still sums to 1 but may go below 0 and above "
        "1. With W_r = 0 nothing is corrected, so that a model trained with softmax attention can start from "
        "there.";
    mechanism.cost = "n m (2 d_k + d_v) multiply-adds per head: a second product for every pair, but neither "
                     "keys nor values beyond those of softmax attention, so that its cache is the same.";
    mechanism.correction =
        "It is not linear in cost: “linear” is the line that is fitted, and every pair is still compared. "
        "The product of probe and key is not divided by √d_k.";
    mechanism.equivalences = {equal_when("scaled_dot_product",
                                         "with r = 0 nothing is corrected and softmax attention remains",
                                         {.here = {{"strength", 0.0}}})};
    mechanism.related = {"local_linear", "differential", "scaled_dot_product", "cog", "gaussian_kernel"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::parallax;
    compose(mechanism, spec,
            component_knobs(spec) + projections_knob() + causal_knob() + source_knob() + temperature_knob());

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for =
        "Step from the soft weights to the weights. In the row of king the probe finds “a” above the mean of "
        "the row, so that its weight falls below 0, and king itself far below, so that it rises above 1: the "
        "guess goes past the value of king, away from that of “a”. Every row still sums to 1.";
    mechanism.properties = {.permutation_equivariant = true, .is_signed = true};
    return mechanism;
}

}  // namespace headlight
