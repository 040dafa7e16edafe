#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_hgrn() {
    Mechanism mechanism;
    mechanism.name = "HGRN";
    mechanism.also_known_as = {"hierarchically gated recurrent network", "element-wise linear recurrence"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3411;
    mechanism.formula =
        R"(@feature_states{h_t = @gates{f_t} \circ h_{t-1} + (1 - f_t) \circ @activated_value{)"
        R"(\operatorname{silu}(@value{v_t})}},\quad f_t = \gamma + (1 - \gamma)\,\sigma(@key{k_t}),\quad )"
        R"(@output{@context{o_t = @output_gate{\operatorname{silu}(@query{q_t})} \circ h_t}},\quad )"
        R"(@weights{A_{ij} = \frac{1}{d} \sum_c (1 - f_{jc}) \prod_{l=j+1}^{i} f_{lc}})";
    mechanism.papers = {
        {"Qin, Yang and Zhong, Hierarchically Gated Recurrent Neural Network for Sequence Modeling", 2023}};
    mechanism.explanation =
        "The gates of an LSTM look at what the cell remembers, so that each token waits for the one before. "
        "Here they look at the token alone, and nothing in the recurrence is more than a product: each "
        "feature of the state keeps a share f of what it holds and takes the rest from the new value. Such a "
        "chain can be computed for all tokens at once. Every feature has a map of its own, made of its gates "
        "alone: what a token has in a later state is what was written, times all that was kept since. No two "
        "tokens are compared. What makes it hierarchical is a lower bound γ of the gates that grows from "
        "layer to layer, so that upper layers must remember long, and lower ones may forget.";
    mechanism.cost = "4 n d multiply-adds, and a state of d numbers; as computed here, with a map for each "
                     "feature, 2 n² d.";
    mechanism.correction =
        "There is no query that asks: what is called so here only opens the output, and keys are the gates. "
        "HGRN2 has a matrix for a state, so that queries do ask. The paper’s states are complex, which turns "
        "them while they fade; its authors’ later code has real ones, as here. The norm in front of the "
        "output’s gate and the short convolutions are left out. The map shown is the mean over the features.";
    mechanism.related = {"hgrn2", "mamba", "rwkv4", "aft"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::hgrn;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the storm was terrible but the harbour was safe";
    mechanism.example.look_for =
        "Each row is the one above, a little fainter, and a new weight at its end. Set γ to 0.9: little is "
        "written, and it stays.";
    mechanism.properties = {.row_stochastic = false, .causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
