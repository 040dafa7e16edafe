#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_gated_delta() {
    Mechanism mechanism;
    mechanism.name = "Gated DeltaNet";
    mechanism.also_known_as = {"GDN"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3510;
    mechanism.formula =
        R"(@state{S_i = @gates{\alpha_i} S_{i-1} + @write_strengths{\beta_i}\,@key_features{k_i}^\top )"
        R"(@errors{(@value{v_i} - @predictions{\alpha_i k_i S_{i-1}})}},\quad )"
        R"(\alpha_i = \exp(-e^{A} \operatorname{softplus}(x_i W + b)),\quad )"
        R"(@output{o_i = \frac{@query{q_i}}{\sqrt{d}}\,S_i = \sum_j @weights{A_{ij}} v_j})";
    mechanism.papers = {
        {"Yang, Kautz and Hatamizadeh, Gated Delta Networks: Improving Mamba2 with Delta Rule", 2025}};
    mechanism.explanation =
        "The delta rule replaces what one key had written, but cannot clear the rest; a gate "
        "clears everything at once, but cannot aim. Gated DeltaNet has both: the whole state is "
        "multiplied by α, then the error of the current key is written with strength β. Both "
        "numbers come from the token’s vector, one of each for a head. With α = 1 it is DeltaNet, "
        "with β k kᵀ left out it is Mamba-2. Several recent language models alternate such layers "
        "with a few of softmax attention. Weights may be negative and rows do not sum to 1. Keys have "
        "length 1; queries keep theirs, where the authors’ code gives them length 1 as well: that "
        "scales the rows.";
    mechanism.correction = "The gate comes first: the error is what the dimmed state lacks. The other order "
                           "is another recurrence.";
    mechanism.cost =
        "4 n d d_v multiply-adds per head: to fade, to predict, to write and to read; state d d_v";
    mechanism.equivalences = {
        {"delta", {{"forgets", false}}, {}, "With α = 1 only the delta rule is left.", 1e-09},
    };
    mechanism.related = {"delta", "mamba2", "kda", "delta_product", "comba"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::gated_delta;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Columns fade downwards as in Mamba-2, and the first “door” is overwritten by the second "
        "as in DeltaNet.";
    mechanism.example.beside = "delta";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
