#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_top_p() {
    Mechanism mechanism;
    mechanism.name = "Top-p attention";
    mechanism.also_known_as = {"Twilight", "nucleus selection of keys"};
    mechanism.family = "Selections";
    mechanism.order = 5451;
    mechanism.formula = masked_formula(R"(j \text{ is among the fewest keys with } \sum_j @full_shares{)"
                                       R"(\operatorname{softmax}_j(s_{ij})} \ge p)");
    mechanism.papers = {
        {"Lin et al., Twilight: Adaptive Attention Sparsity with Hierarchical Top-p Pruning", 2025}};
    mechanism.explanation =
        "Top-k keeps the same number of keys in every row. But some rows have nearly all of their weight on "
        "two keys, and others spread it over hundreds: k is too large for the first and too small for the "
        "second. Here not the number is set but the share. The keys of a row are taken from the largest "
        "weight down until these come to p, and the softmax runs over them alone: a sharp row keeps few, a "
        "flat one many. It is what nucleus sampling does with the next word. What is lost is bounded, too: "
        "the context misses keys that had no more than 1 − p of the weight.";
    mechanism.cost = masked_cost("n m d multiply-adds per head and a sort or a search in each row for the "
                                 "choice, and n k (d + d_v) for k keys that are kept on average.");
    mechanism.correction =
        "The weights of all keys are needed to find the fewest that come to p. Twilight first lets another "
        "selection keep more than enough, a quarter of the keys, and finds the weights of these with keys of "
        "four bits; a binary search for the smallest weight that stays takes the place of sorting. Here all "
        "keys are weighed exactly. The kept weights are normalised again; they sum to 1, not to p.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "all of the weight is kept", {.here = {{"p", 1.0}}})};
    mechanism.related = {"top_k", "quest", "xattention", "soft"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.selection.type = SelectionType::top_p;
    compose(mechanism, spec, component_knobs(spec) + causal_knob() + token_knobs());

    mechanism.example.query = "the cat sat on the mat and the king saw paris";
    mechanism.example.look_for =
        "Rows keep as many keys as they need: “paris”, which looks at itself, four for 85 hundredths of the "
        "weight, “cat” seven.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties = {.permutation_equivariant = true, .data_dependent_mask = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
