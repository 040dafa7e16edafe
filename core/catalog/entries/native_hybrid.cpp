#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_native_hybrid() {
    Mechanism mechanism;
    mechanism.name = "Native hybrid attention (NHA)";
    mechanism.also_known_as = {"slots and window in one softmax", "gated slots beside newest keys"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3441;
    mechanism.formula =
        R"(@output{o_i} = \operatorname{softmax}\left(\left[@slot_scores{\frac{@query{q_i}\,)"
        R"(\tilde{K}_{i-w}^\top}{\sqrt{d}}},\; @scores{\frac{q_i \cdot @key{k_j}}{\sqrt{d}}},\; i - w < j )"
        R"(\le i\right]\right) \left[\tilde{V}_{i-w};\; @value{v_j}\right],\quad )"
        R"(\tilde{K}_t = \operatorname{diag}(@gates{\alpha_t})\,\tilde{K}_{t-1} + @slot_writes{(1 - )"
        R"(\alpha_t)}^\top k_t,\quad )"
        R"(@weights{A_{ij} = @window_shares{p_{ij}} + \sum_s @slot_weights{p_{is}}\,(1 - \alpha_{js}) )"
        R"(\prod_{l=j+1}^{i-w} \alpha_{ls}})";
    mechanism.papers = {{"Du et al., Native Hybrid Attention for Efficient Sequence Modeling", 2026}};
    mechanism.explanation =
        "Hybrid models have layers of two kinds: some keep a state of fixed size for what is long ago, some "
        "look at a window of the newest words, exactly. Where both are in one layer, something has to say "
        "how much each counts, a fixed number or a learned gate. Here nothing has to. What gated slots keep "
        "are keys and values, as tokens have them; so slots and newest tokens stand side by side as what a "
        "query looks at, and one softmax shares its attention among all of them. If what it seeks is near, "
        "the window has nearly everything, if it is not, the slots have. A token is written to the slots "
        "when it leaves the window. The width of the window alone makes one layer recurrent and another one "
        "look at the whole text, with the same parameters.";
    mechanism.cost =
        "n (w + 3 s) (d + d_v) multiply-adds per head for a window w and s slots; state s (d + d_v) and the "
        "last w keys and values. From the map, as here, n² (d + 2 s + d_v).";
    mechanism.correction =
        "With a window over the whole text it is softmax attention beside s empty slots, each with the score "
        "0, not without them. Rows sum to less than 1 until the slots are full. The authors turn queries and "
        "keys of the window by rotary positions and pass those of the slots through SiLU in their place, "
        "which is left to what comes before, for both alike; values go through SiLU, too. In the setting of "
        "their layer the slots take every token at once, those of the window as well (`overlap`); their "
        "reference for long texts and for pretrained models writes them behind the window, as here.";
    mechanism.equivalences = {
        equal_when("gsa", "no key stands beside the slots", {.here = {{"window", Index(0)}}})};
    mechanism.related = {"gsa", "window", "infini", "native_sparse"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::gated_slots;
    spec.algorithm.options = {{"window", Index(3)}};
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec,
            with_help(without(component_knobs(spec), {"writing", "active"}), "temperature",
                      "The root that is taken of every gate: the larger, the nearer to 1.") +
                projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "The three newest words of each row have the proportions that softmax attention gives them; behind "
        "them is what eight slots keep of the older words, faint and much alike. Step to the weights of the "
        "newest keys and set the window to 10: the slots stay empty.";
    mechanism.properties = {.row_stochastic = false, .causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
