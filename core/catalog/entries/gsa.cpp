#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_gsa() {
    Mechanism mechanism;
    mechanism.name = "Gated slot attention (GSA)";
    mechanism.also_known_as = {"slots with gates", "two passes of gated linear attention"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3440;
    mechanism.formula =
        R"(@output{o_i} = @slot_weights{\operatorname{softmax}\left(@slot_scores{\frac{@query{q_i}\,)"
        R"(\tilde{K}_i^\top}{\sqrt{d}}}\right)}\,\tilde{V}_i,\quad )"
        R"(\tilde{K}_i = \operatorname{diag}(@gates{\alpha_i})\,\tilde{K}_{i-1} + @slot_writes{(1 - )"
        R"(\alpha_i)}^\top @key{k_i},\quad )"
        R"(\tilde{V}_i = \operatorname{diag}(\alpha_i)\,\tilde{V}_{i-1} + (1 - \alpha_i)^\top @value{v_i},)"
        R"(\quad @weights{A_{ij} = \sum_s p_{is}\,(1 - \alpha_{js}) \prod_{l=j+1}^{i} \alpha_{ls}},\quad )"
        R"(p_i = \operatorname{softmax}\left(\ldots\right))";
    mechanism.papers = {
        {"Zhang et al., Gated Slot Attention for Efficient Linear-Time Sequence Modeling", 2024}};
    mechanism.explanation =
        "Attention keeps the key and the value of every token. Here each head keeps s of them, in slots, "
        "however long the text is. A token is written to all slots at once: a slot keeps the part α of what "
        "it holds and takes 1 − α of the new key and the new value, so that it holds a mean of the tokens in "
        "which the older ones fade. A gate near 1 makes a slot that remembers, one near 0 a slot that holds "
        "the newest token. Then the query looks at the slots as it would at tokens: it compares itself with "
        "their keys, and a softmax over the slots says how much of each slot’s value it gets. Other linear "
        "attention gives up the softmax; this one keeps it, over the slots. Written out, it is gated linear "
        "attention twice, with a softmax in between: once to find the scores of the slots, once to read. The "
        "map shown says how much each query gets of each token by way of all slots.";
    mechanism.cost = "3 n s (d + d_v) multiply-adds per head for s slots: to fade, to write and to read both "
                     "memories; state s (d + d_v). From the map, as here, n² (d + 2 s + d_v)";
    mechanism.correction =
        "The rows of the map sum to less than 1: slots begin empty, and what is missing has the weight of "
        "nothing. Nor is it softmax attention with as many slots as tokens. Then each token may have a slot "
        "of its own, but the slots that are still empty have score 0 and take part in the softmax. The paper "
        "passes queries, keys and values through SiLU first and does not divide by √d; both are left to what "
        "comes before. Its τ is 8 in the code, where it divides ln σ, as here.";
    mechanism.related = {"native_hybrid", "abc", "raven", "gla", "hgrn2"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::gated_slots;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec,
            with_help(without(component_knobs(spec), {"writing", "active", "window", "overlap"}),
                      "temperature", "The root that is taken of every gate: the larger, the nearer to 1.") +
                projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for = "No row sums to 1, for the slots begin empty and fill from word to word. "
                                 "With τ = 1 they forget faster and fill sooner: the last row sums to more "
                                 "than with τ = 8, and the newest words have most of it.";
    mechanism.properties = {.row_stochastic = false, .causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
