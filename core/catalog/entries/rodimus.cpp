#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_rodimus() {
    Mechanism mechanism;
    mechanism.name = "Rodimus";
    mechanism.also_known_as = {"data-dependent tempered selection", "DDTS", "Rodimus*"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3415;
    mechanism.formula =
        R"(@output{o_i = @query{q_i}\,S_i},\quad )"
        R"(S_i = \operatorname{diag}(@gates{f_i})\,S_{i-1} + @written_keys{\left(g_i^{\tau_i}\,)"
        R"(\frac{k_i}{|k_i|}\right)}^\top @value{v_i},\quad @gates{f_i = e^{-g_i \tau_i}},\quad )"
        R"(@selection_gates{g_i = \ln(1 + e^{x_i W_g + b_g})},\quad )"
        R"(@temperature_gates{\tau_i = \sigma(x_i W_\tau + b_\tau)},\quad )"
        R"(@weights{A_{ij} = \sum_c q_{ic}\,g_{jc}^{\tau_{jc}}\,\frac{k_{jc}}{|k_j|} \prod_{l=j+1}^{i} )"
        R"(f_{lc}})";
    mechanism.papers = {
        {"He et al., Rodimus*: Breaking the Accuracy-Efficiency Trade-Off with Efficient Attentions", 2025}};
    mechanism.explanation =
        "How much of a memory to give up and how much of a new word to take are decisions that belong "
        "together; in a state-space model one step size makes both, e^(−Δ) and Δ. Rodimus keeps that number, "
        "g, for each feature, and adds a second one, the temperature τ between 0 and 1: what is kept is "
        "e^(−g τ), what is written is the key times g^τ. At τ = 1 the two are those of the step size. Near "
        "τ = 0 the feature fades no more, whatever g says, and the key is written once and whole. So a token "
        "can be taken in without paying for it with what was there before, which the gates of HGRN2 cannot "
        "do.";
    mechanism.cost =
        "3 n d d_v multiply-adds per head: to fade, to write and to read; state d d_v; 2 n d² to "
        "make both gates";
    mechanism.correction =
        "g alone does not say how fast a feature fades: τ slows it down, and it lifts g^τ towards 1 where g "
        "is below 1 and lowers it where it is above. Keys have the length 1, queries keep theirs. The layer "
        "has one head of keys as narrow as 64, a short convolution before queries, keys and gates, a gate of "
        "low rank over the values, a skip past the state and a gated norm behind it, all left out here; its "
        "code calls a kernel that divides by √d, the paper does not. Rodimus+ adds a window whose heads "
        "share one key.";
    mechanism.related = {"hgrn2", "gla", "mamba2", "longhorn"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::rodimus;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Both copies of “door” are written by one key, and one query reads them: in the row of the second "
        "the cell of the first is a sixth of the one on the diagonal, which is what six words’ gates have "
        "left of it. Step back to the gates: a feature near 1 there is written nonetheless.";
    mechanism.example.beside = "hgrn2";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
