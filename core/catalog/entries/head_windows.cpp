#include "core/catalog/knob.h"
#include "core/catalog/masked_entry.h"

#include <vector>

namespace headlight {

Mechanism declare_head_windows() {
    Mechanism mechanism;
    mechanism.name = "A window for each head";
    mechanism.also_known_as = {"multi-scale attention", "a mask for each head"};
    mechanism.family = "Selections";
    mechanism.order = 5445;
    mechanism.formula = masked_formula(R"(|i - j| \le \omega_h)");
    mechanism.papers = {{"Guo et al., Multi-Scale Self-Attention for Text Classification", 2020}};
    mechanism.explanation =
        "Heads learn to look at different distances: some at the neighbour, some at the whole text. Here "
        "they are told to. Head h sees the tokens up to ω_h places away, on either side, and the softmax "
        "runs over these. One head sees itself alone, one its neighbours, one a phrase, one everything, so "
        "that small scales and large ones stand side by side in each layer. The authors give lower layers "
        "more narrow heads and higher ones more wide ones, as trained models have them. A mask of the whole "
        "attention, a causal one or padding, holds in every head beside its window. Three more lists make "
        "other masks of the windows, head by head: a shift of the middle (with a reach of 0 and a shift of "
        "−1 a head sees the token before, and nothing else), a stride (every third place), and a number of "
        "first keys (a window and the first tokens are what the streaming heads of DuoAttention see, beside "
        "others that see everything).";
    mechanism.cost = masked_cost("n Σ_h min(2 ω_h + 1, m) (d + d_v) multiply-adds, if only the windows are "
                                 "computed.");
    mechanism.correction =
        "The windows belong to the heads and not to the text: nothing is chosen by what a key holds. Where "
        "queries and keys are two sequences, distances are between places of the same number, and a query "
        "beyond the end of the keys may see none.";
    mechanism.related = {"symmetric_window", "adaptive_span", "alibi", "retention"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 4};
    spec.score.type = ScoreType::scaled_dot;
    spec.selection.type = SelectionType::head_windows;
    compose(mechanism, spec, {heads_knob(), causal_knob(), projection_bias_knob()});

    mechanism.example.query = "two boys played football and three girls played music";
    mechanism.example.look_for =
        "Go from head to head: the first map is a diagonal, the second a band of three, the third one of "
        "seven, and the fourth is full; then they begin anew.";
    mechanism.properties.sparse = true;
    return mechanism;
}

}  // namespace headlight
