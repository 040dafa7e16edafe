#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_gated_oja() {
    Mechanism mechanism;
    mechanism.name = "Gated Oja’s rule";
    mechanism.also_known_as = {"Oja’s rule", "gated_oja_rule"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3521;
    mechanism.formula =
        R"(S_t = S_{t-1} \operatorname{diag}(\alpha_t) + @solved_keys{u_t}^\top @unit_value_direction{v_t},)"
        R"(\quad )"
        R"(u_t = @write_strengths{\beta_t}\,(@key{k_t} - S_{t-1} \operatorname{diag}(\alpha_t)\,v_t),\quad )"
        R"(@output{o_t = \frac{@query{q_t}}{\sqrt{d}}\,S_t},\quad )"
        R"(\alpha_t = e^{@log_gates{\ln \sigma(x_t W + b) / \tau}},\quad )"
        R"(@weights{A_{tj} = @read_products{\frac{q_t \cdot u_j}{\sqrt{d}}}\,\frac{1}{d} \sum_c )"
        R"(\prod_{l=j+1}^{t} \alpha_{lc}},\quad |v_t| = 1)";
    mechanism.papers = {
        paper_of("Yang and Zhang",
                 {.title = "flash-linear-attention",
                  .authors = "Yang, Songlin and Zhang, Yu",
                  .kind = Publication::Kind::other,
                  .venue = "https://github.com/fla-org/flash-linear-attention",
                  .year = 2025},
                 "the operation gated_oja_rule"),
        {"Oja, A Simplified Neuron Model as a Principal Component Analyzer (the rule)", 1982}};
    mechanism.explanation =
        "A neuron that learns by Hebb’s rule grows with every example: what fires together is wired "
        "together, without end. Oja subtracts from each change what the neuron has already, along the "
        "direction of its output, and the weights stay in bounds; what they find is the direction in which "
        "the inputs vary most. In a state of keys times values this is the delta rule turned round. The "
        "delta rule asks the state by the key what value it holds, and writes the difference of values. "
        "Oja’s rule asks by the value what key it holds, and writes the difference of keys: two tokens of "
        "one value are told apart by the newer key. Gates, one for each feature of the values, let the state "
        "fade. So the map has a fading of its own in every feature; shown is their mean.";
    mechanism.cost =
        "4 n d d_v multiply-adds per head: to fade, to ask, to write and to read; state d d_v. As "
        "computed here, with the maps of all features, of the order of n³ + n² d d_v.";
    mechanism.correction =
        "What comes out is a sum of directions of values: values have the length 1 here, as keys have in "
        "the delta rule. Otherwise I − β v vᵀ, by which the state is multiplied, would let it grow. "
        "flash-linear-attention, whose operation this is, gives queries and keys that length where it is "
        "asked to and leaves the values to the caller. The weights are not those of the output where gates "
        "differ from feature to feature, and a weight may be negative.";
    mechanism.related = {"delta", "gated_delta", "kda", "momentum_delta"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::gated_oja;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.values = {{"forgets", false}};
    mechanism.example.look_for =
        "Step back to the products of asking: the second “door” finds the value of the first one, and as "
        "much of it as its own write strength. That part of the old key is what its new key goes without.";
    mechanism.example.beside = "delta";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
