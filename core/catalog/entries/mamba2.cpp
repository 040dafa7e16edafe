#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_mamba2() {
    Mechanism mechanism;
    mechanism.name = "Mamba-2 (state space duality)";
    mechanism.also_known_as = {"SSD", "selective state space"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3420;
    mechanism.formula =
        R"(@output{@weights{\left(@decay_mask{L} \odot @similarities{@query{C}\,@key{B}^\top}\right) )"
        R"(\operatorname{diag}(@write_strengths{\Delta})}\,@value{X}},\quad )"
        R"(L_{ij} = \prod_{l=j+1}^{i} @gates{a_l},\quad a_l = \exp(-\Delta_l e^{A}),\quad )"
        R"(\Delta_l = \operatorname{softplus}(x_l W_\Delta + b_\Delta))";
    mechanism.papers = {{"Dao and Gu, Transformers are SSMs: Generalized Models and Efficient Algorithms "
                         "Through Structured State Space Duality",
                         2024}};
    mechanism.explanation =
        "A state space model keeps a state that fades and is written to. When the fading is one number for "
        "the whole state, it is attention without softmax: C plays the query, B the key, X the value, and L, "
        "the products of the gates between two tokens, the causal mask. Each token has a step Δ: a long step "
        "lets the state fade more and writes more, a step near 0 passes the token over. So what is ignored "
        "leaves the past untouched, which is what “selective” means. The convolution, the skip connection "
        "and the gate of the whole Mamba-2 block are left out here.";
    mechanism.cost = "3 n d d_v multiply-adds per head: to fade, to write and to read; state d d_v";
    mechanism.correction = "A state space layer does have attention weights: the map here is exact, not an "
                           "interpretation.";
    mechanism.equivalences = {
        {"retention",
         {{"forgets", false}, {"discretize", false}, {"scaled", true}},
         {{"gamma", 1.0}},
         "With open gates, scaled queries and steps that do not write, nothing fades in either.",
         1e-09},
    };
    mechanism.related = {"mamba3", "gla", "retention", "gated_delta", "log_linear"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::state_space;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "The decay mask is not a regular wedge: it drops where a token has a long step.";
    mechanism.example.stage = "decay_mask";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
