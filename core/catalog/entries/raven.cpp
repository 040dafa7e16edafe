#include "core/catalog/knob.h"

#include <string>

namespace headlight {

Mechanism declare_raven() {
    Mechanism mechanism;
    mechanism.name = "Raven";
    mechanism.also_known_as = {"routed slots", "routing slot memories"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3442;
    mechanism.formula =
        R"(@output{o_i} = @slot_weights{\operatorname{softmax}\left(@slot_scores{\frac{@query{q_i}\,)"
        R"(\tilde{K}_i^\top}{\sqrt{d}}}\right)}\,\tilde{V}_i,\quad )"
        R"(\tilde{K}_i = \operatorname{diag}(@gates{\alpha_i})\,\tilde{K}_{i-1} + @slot_writes{(1 - )"
        R"(\alpha_i)}^\top @key{k_i},\quad )"
        R"(\tilde{V}_i = \operatorname{diag}(\alpha_i)\,\tilde{V}_{i-1} + (1 - \alpha_i)^\top @value{v_i},)"
        R"(\quad @weights{A_{ij} = \sum_s p_{is}\,(1 - \alpha_{js}) \prod_{l=j+1}^{i} \alpha_{ls}},\quad )"
        R"(p_i = \operatorname{softmax}\left(\ldots\right),\quad )"
        R"(\alpha_i = \sigma(x_i W + b)^{@slot_routes{m_i} / \tau},\quad )"
        R"(m_{is} = \frac{\sigma(r_{is})}{\sum_{t \text{ chosen}} \sigma(r_{it})} \text{ of the largest } )"
        R"(r_i = x_i W_r \text{, else } 0)";
    mechanism.papers = {
        {"Afzal et al., Raven: High-Recall Sequence Modeling with Sparse Memory Routing", 2026},
        {"Zhang et al., Gated Slot Attention for Efficient Linear-Time Sequence Modeling", 2024}};
    mechanism.explanation =
        "Gated slot attention writes every token to every slot, so that all slots fade with every token and "
        "nothing is kept for long. A sliding window is the other end: each token gets a slot of its own, and "
        "throws out the oldest. Raven lies between: a router chooses a few slots for each token, by a number "
        "for each slot, of which the largest count. Only these fade and take something of the token; all "
        "others stay exactly as they are. So what was put into a slot is still there after a thousand "
        "tokens, if none of them was sent to it. How much a chosen slot takes is divided up by the router: "
        "its share m makes the gate α^m, so that of a share of 0 a gate of 1 is left.";
    mechanism.cost = "n s multiply-adds more than gated slot attention for the router of s slots; what is "
                     "written are k slots a token. Memory s (d + d_v), whatever the length.";
    mechanism.correction =
        "The router decides where a token is written, not which slots a query reads: the softmax still runs "
        "over all of them, the empty ones too. While it learns, the authors add noise to the router’s "
        "numbers; here there is none. Their gates may also be one for each head, as in Mamba-2, and the "
        "router a small network; queries and keys pass through SiLU and a norm and are not divided by √d. "
        "All that is left out.";
    mechanism.related = {"gsa", "abc", "streaming_sinks", "head_mixture", "memory_mixture", "cyclic_flow"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::gated_slots;
    spec.algorithm.options["writing"] = std::string("routed");
    spec.algorithm.options["temperature"] = 1.0;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec,
            with_help(with_help(without(component_knobs(spec), {"writing", "window", "overlap"}), "active",
                                "How many slots the router chooses for a token, of all at most."),
                      "temperature", "The root that is taken of every gate: the larger, the nearer to 1.") +
                projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Step back to the routes: each word is sent to two of eight slots, both “door” to the same ones. In "
        "every other slot the gate is 1, and what it holds stays.";
    mechanism.example.beside = "gsa";
    mechanism.properties = {.row_stochastic = false, .causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
