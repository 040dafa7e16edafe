#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_gla() {
    Mechanism mechanism;
    mechanism.name = "Gated linear attention";
    mechanism.also_known_as = {"GLA"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3410;
    mechanism.formula =
        R"(@state{S_i = \operatorname{diag}(@gates{\alpha_i})\,S_{i-1} + @key{k_i}^\top @value{v_i}},\quad )"
        R"(\alpha_i = \sigma(x_i W_\alpha + b_\alpha)^{1/\tau},\quad )"
        R"(@output{o_i = \frac{@query{q_i}}{\sqrt{d}}\,S_i},\quad )"
        R"(@weights{A_{ij}} = \sum_c \frac{q_{ic} k_{jc}}{\sqrt{d}} \prod_{l=j+1}^{i} \alpha_{lc})";
    mechanism.papers = {
        {"Yang et al., Gated Linear Attention Transformers with Hardware-Efficient Training", 2024}};
    mechanism.explanation =
        "Retention forgets at one fixed pace; here each token decides, for each feature of the "
        "key, how much of what was stored is kept. The gates come from the token’s own vector "
        "through a sigmoid, whose 16th root keeps them near 1. A pair’s weight is a sum over "
        "features, each multiplied by the product of the gates in between. Written as a quotient "
        "of cumulative products it overflows, since the product over a long text is almost 0; "
        "implementations therefore only divide within short chunks, and the map here is found by "
        "walking back from each query. Weights may be negative and rows do not sum to 1.";
    mechanism.correction = "A token’s gate does not dim what it writes itself: between key j and query i "
                           "stand the gates from j + 1 to i.";
    mechanism.cost =
        "3 n d d_v multiply-adds per head: to fade, to write and to read; state d d_v; gates n D d";
    mechanism.equivalences = {
        {"retention",
         {{"forgets", false}},
         {{"gamma", 1.0}},
         "With open gates and γ = 1 nothing fades in either.",
         1e-09},
        {"mamba2",
         {{"forgets", false}},
         {{"forgets", false}, {"discretize", false}, {"scaled", true}},
         "With open gates, scaled queries and steps that do not write, a state space is the same sum.",
         1e-09},
    };
    mechanism.related = {"retention", "mamba2", "kda", "linear"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::gated_linear;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Columns darken downwards at paces that differ from word to word: each token’s gates "
        "decide what is kept.";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
