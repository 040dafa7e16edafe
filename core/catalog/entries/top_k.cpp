#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_top_k() {
    Mechanism mechanism;
    mechanism.name = "Top-k attention";
    mechanism.also_known_as = {"explicit sparse transformer", "k-max attention"};
    mechanism.family = "Selections";
    mechanism.order = 5450;
    mechanism.formula = masked_formula(R"(s_{ij} \text{ is among the } k \text{ largest of its row})");
    mechanism.papers = {
        {"Zhao et al., Explicit Sparse Transformer: Concentrated Attention Through Explicit Selection",
         2019}};
    mechanism.explanation =
        "Of each row only the k largest scores are kept, and the softmax runs over these: noise from many "
        "keys of little weight is gone, and the row stays a softmax. With k = 1 attention is hard, with k = "
        "m nothing changes. The gradient flows through the kept keys alone. It saves nothing by itself, "
        "since all scores are needed to find the largest ones; the selections after it look for ways to "
        "guess them first. With ties at the k-th place all of them stay.";
    mechanism.cost =
        masked_cost("n m (d + d_v) multiply-adds per head and a selection in each row; memory n m.");
    mechanism.correction = "Implementations break ties differently: some keep exactly k keys, the lowest "
                           "ones, others, like this one, all that equal the k-th.";
    mechanism.equivalences = {equal_when("scaled_dot_product", "k is at least the number of keys",
                                         {.here = {{"k", Index(65536)}}})};
    mechanism.related = {"soft", "hard", "dsa"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.selection = {SelectionType::top_k, {{"k", Index(2)}}};
    compose(mechanism, spec, component_knobs(spec) + causal_knob() + token_knobs());

    mechanism.example.query = "the king and the queen met a man and a woman";
    mechanism.example.look_for = "Few cells in each row, and those are the strongest of the full map: "
                                 "compare with scaled dot-product.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties = {.permutation_equivariant = true, .data_dependent_mask = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
