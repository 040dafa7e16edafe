#include "core/catalog/knob.h"

#include <string>

namespace headlight {

Mechanism declare_abc() {
    Mechanism mechanism;
    mechanism.name = "Bounded-memory control (ABC)";
    mechanism.also_known_as = {"attention with bounded-memory control", "ABC-MLP"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3445;
    mechanism.formula =
        R"(@output{o_i} = @slot_weights{\operatorname{softmax}\left(@slot_scores{\frac{@query{q_i}\,)"
        R"(\tilde{K}_i^\top}{\sqrt{d}}}\right)}\,\tilde{V}_i,\quad \tilde{K}_i = \Phi_i\,@key{K},\quad )"
        R"(\tilde{V}_i = \Phi_i\,@value{V},\quad )"
        R"(\Phi_{i,sj} = \frac{e^{@slot_numbers{z_{js}}}}{\sum_{l \le i} e^{z_{ls}}} \text{ for } j \le i,)"
        R"(\quad z = X W + b,\quad @weights{A = \operatorname{softmax}\left(\ldots\right) \Phi})";
    mechanism.papers = {{"Peng et al., ABC: Attention with Bounded-memory Control", 2022}};
    mechanism.explanation =
        "A memory of s slots stands for a text of any length, and what differs between many ways to save "
        "attention’s memory is who is written to which slot: Linformer mixes by place, a window keeps the "
        "last s tokens. ABC lets a network decide. Each token has a number for each slot, made from its own "
        "vector, and a softmax over the tokens so far turns the numbers into shares. The slot’s key is the "
        "mean of the keys by these shares, its value that of the values, and the query attends to the s "
        "slots as if they were tokens. Nothing has to be kept but the slots and a sum for each: a new token "
        "makes the shares of all others smaller by one factor. Gates came later; seen from there, ABC is a "
        "gated slot whose gate is what remains of the sum, e^(z₁ − z₂) of the logarithms before and after.";
    mechanism.cost = "3 n s (d + d_v) multiply-adds per head for s slots; state s (d + d_v + 1). From the "
                     "map, as here, n² (d + 2 s + d_v)";
    mechanism.correction = "The softmax stands over the tokens of a slot, not over the slots of a token: "
                           "what a token gives to the slots need not sum to 1, but what a slot takes does, "
                           "and so every row of the map sums to 1. An old token keeps its part beside those "
                           "that came with it; gates that the token sets, as in GSA, can forget it.";
    mechanism.related = {"gsa", "linformer", "inducing_points", "efficient"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::gated_slots;
    spec.algorithm.options = {{"writing", std::string("shares")}};
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec,
            without(component_knobs(spec), {"writing", "temperature", "active", "window", "overlap"}) +
                projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Set the slots to 1: no query chooses any more, and one word has the same share beside another in "
        "every row. With more slots a query can prefer the slots whose means suit it.";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
