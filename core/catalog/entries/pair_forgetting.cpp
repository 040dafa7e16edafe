#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_pair_forgetting() {
    Mechanism mechanism;
    mechanism.name = "Forget gates of each query";
    mechanism.also_known_as = {"per-row data-dependent ALiBi"};
    mechanism.family = "Positions";
    mechanism.order = 5332;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{\frac{@scores{)"
        R"(@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}} + @position_bias{\sum_{t=j}^{i-1} \log )"
        R"(@pair_gates{f_{it}}}}\right)}\,@value{V}},\quad )"
        R"(@pair_gates{f_{it} = \sigma\left(\frac{q'_i \cdot k'_t}{\sqrt{w}}\right)})";
    mechanism.papers = {{"Wang, x-transformers (PerRowDataDependentAlibi)", 2025},
                        {"Lin et al., Forgetting Transformer: Softmax Attention with a Forget Gate (one gate "
                         "for each token)",
                         2025}};
    mechanism.explanation =
        "In the Forgetting Transformer a token has one gate, whoever asks: what it has closed stays closed "
        "for all later words. Here the gate belongs to a pair. Each query compares itself, by a few numbers "
        "made for this alone, with every token before it, and a sigmoid of that says how much of all that "
        "stands there and further back it still lets through. Going back from the query the gates multiply, "
        "so that a token can be a border for one word and none for the next. As logarithms they add up, row "
        "by row from the right, and are added to the scores.";
    mechanism.cost =
        "n² w multiply-adds per head for the gates and n² additions beside n² (d_k + d_v); the sums of a row "
        "cannot be shared with the next.";
    mechanism.correction = "The gate of the key itself counts, and that of the query’s own place does not: "
                           "the sum runs from j to i − 1. In the Forgetting Transformer it is the other way "
                           "round, from j + 1 to i. It is a causal rule: keys behind the query are not held "
                           "back.";
    mechanism.related = {"forgetting", "alibi", "cope", "stick_breaking"};

    AttentionSpec spec;
    spec.position.type = PositionType::pair_forgetting;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + heads_knob(1) + projections_knob());

    mechanism.example.query = "we won and then we lost and then we slept";
    mechanism.example.look_for =
        "In each row the bias falls from right to left, by steps of that row’s own: a word that holds back "
        "much "
        "in one row may hold back little in the next. Words that are the same have the same gate in a row.";
    mechanism.example.stage = "position_bias";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
