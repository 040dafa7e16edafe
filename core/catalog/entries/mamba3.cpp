#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_mamba3() {
    Mechanism mechanism;
    mechanism.name = "Mamba-3";
    mechanism.also_known_as = {"trapezoidal state space", "complex state space", "data-dependent rotary"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3421;
    mechanism.formula =
        R"(S_t = \alpha_t\,S_{t-1} + (1 - @trapezoid_shares{\lambda_t})\,\Delta_t \alpha_t\,k_{t-1}^\top )"
        R"(v_{t-1} + \lambda_t\,@step_sizes{\Delta_t}\,@turned_key{k_t}^\top @value{v_t},\quad )"
        R"(\alpha_t = \exp(@log_gates{-\Delta_t\,@token_rates{a_t}}),\quad )"
        R"(@output{o_t = @turned_query{q_t}\,S_t},\quad )"
        R"(@weights{A_{ij} = @read_products{q_i \cdot k_j \prod_{l=j+1}^{i} \alpha_l}\,@trapezoids{()"
        R"(\lambda_j \Delta_j + (1 - \lambda_{j+1})\,\Delta_{j+1})}},\quad )"
        R"(q_t, k_t \text{ turned by } @turned_angles{\theta_t = \theta_{t-1} + \Delta_t\,\pi )"
        R"(\operatorname{tanh}(x_t W)})";
    mechanism.papers = {
        {"Lahoti et al., Mamba-3: Improved Sequence Modeling using State Space Principles", 2026}};
    mechanism.explanation =
        "A state space model is a differential equation, and a token is a step of time in it. Mamba-2 takes "
        "what comes in at the end of the step, and its whole step. The trapezoid rule takes something of "
        "both ends: a token writes itself with a share λ of its step, and once more what the token before "
        "wrote, with the rest. λ is chosen by the token. So each value is written twice, by its own token "
        "and by the next, and the short convolution in front of older layers is not needed. The second "
        "change is that the state is complex: it turns while it fades, by angles that the tokens choose. A "
        "product of turned vectors depends on the difference of the angles alone, as with rotary positions; "
        "here the angle is not the place but a sum over the text. With turns of half a circle a state can "
        "count whether a word came an even number of times, which no state that only fades can. Queries and "
        "keys are brought to one size, and a bias of each head is added, so that part of a state takes every "
        "token alike. The third change is for processors that wait for memory: a token may write along "
        "several keys and read with several queries (MIMO), which costs more products and no larger state.";
    mechanism.cost =
        "3 n d d_v multiply-adds per head, to fade, to write and to read, and n d for the turns; "
        "state d d_v, and d + d_v of the token before. As computed here, with the map, n² d.";
    mechanism.correction =
        "λ is not a gate of the state: with λ = 1 everywhere the rule is that of Mamba-2, with λ = 1/2 the "
        "plain trapezoid. The last token read has not been written a second time yet, which is why the "
        "diagonal of the map is smaller. With several inputs and outputs each feature of the values has a "
        "map of its own, and the mean is shown. Left out are the skip connection, the gate, and the factors "
        "of both norms. Angles are the tanh of what the token says, up to half a turn for each unit of time, "
        "and half of the features turn, as in the authors’ code.";
    mechanism.related = {"mamba2", "mamba", "rope", "gla"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::mamba3;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Step back to the trapezoids: off the diagonal each column has one number, on it a smaller one, for "
        "the next token has not written it again yet.";
    mechanism.example.beside = "mamba2";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
