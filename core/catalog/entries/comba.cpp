#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_comba() {
    Mechanism mechanism;
    mechanism.name = "Comba";
    mechanism.also_known_as = {"closed-loop control", "scalar plus low rank"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3526;
    mechanism.formula =
        R"(S_t = \alpha_t\,S_{t-1} + @written_key{@write_strengths{\beta_t}\,)"
        R"(@unit_key_direction{k_t}}^\top (@value{v_t} - @feedback_key{b\,k_t}\,S_{t-1}),\quad )"
        R"(@output{o_t = \frac{@corrected_query{@query{q_t} - d_o\,k_t}}{\sqrt{d}}\,S_t = \sum_{j \le t} )"
        R"(@weights{A_{tj}}\,v_j},\quad )"
        R"(\alpha_t = e^{@log_gates{-e^{A} \operatorname{softplus}(x_t W + b_\Delta)}},\quad )"
        R"(A = @read_products{R}\,@inverse{(I + @asked_products{L})^{-1}},\quad b = \sigma(\text{feedback}))";
    mechanism.papers = {{"Hu et al., Comba: Improving Bilinear RNNs with Closed-loop Control", 2025}};
    mechanism.explanation =
        "Control theory has two kinds of loops. In an open one the input does what it does; in a closed one "
        "what comes out is measured and fed back. Linear attention and Mamba are open. The delta rule closes "
        "half of the loop: the state’s answer to the key is taken off the value before it is written. Comba "
        "closes it at both ends. The answer counts by b, a number between 0 and 1 that each head learns, so "
        "that erasing is gentler than writing; and the query is corrected by the same key, q − d k, so that "
        "it depends less on what the token has just written itself. The state is multiplied by the one "
        "number α and changed along the key, and the answer is that of the state before it fades. So the "
        "change of the state is an identity times a number, less one product of vectors, and the states of a "
        "stretch of tokens can be computed at once. Heads of values can be more than those of queries and "
        "keys: several states are then asked by one wide key, each with gates, values and an output of its "
        "own. Gated DeltaNet has this setting too.";
    mechanism.cost = "4 n d d_v multiply-adds per head: to fade, to ask, to write and to read; state d d_v. "
                     "As computed here, where the map is shown, of the order of n³ + n² d.";
    mechanism.correction =
        "α − b β k kᵀ is not α (I − b β k kᵀ): where the state has faded much, more is taken out than is "
        "left, and a weight falls below 0. The plain reference of flash-linear-attention fades first, its "
        "kernels do not; both can be had here. Its layer takes off D b k and not D k, and gives the vector "
        "that asks the length 1 afterwards, by which b drops out of the erasing. d is 0.02 at first for "
        "small models and 1 for large ones, as the authors advise. Convolutions and the gated norm of the "
        "output are left out, and queries keep their length.";
    mechanism.related = {"gated_delta", "delta", "mamba2", "gated_delta_2"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::comba;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.values = {{"forgets", false}};
    mechanism.example.look_for =
        "In the row of the second “door” the first one has 0.19, in DeltaNet beside it 0.12: less is taken "
        "out, since the answer of the state counts by 0.73. Set `forgets` to true, and it falls below 0: "
        "what is taken out has not faded, what is left has.";
    mechanism.example.beside = "delta";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
