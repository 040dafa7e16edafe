#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_tree() {
    Mechanism mechanism;
    mechanism.name = "Tree attention";
    mechanism.also_known_as = {"ancestor mask", "speculative tree verification"};
    mechanism.family = "Masks";
    mechanism.order = 5440;
    mechanism.formula = masked_formula(R"(j = i \text{ or } j \text{ is an ancestor of } i)");
    mechanism.papers = {{"Miao et al., SpecInfer: Accelerating Large Language Model Serving with Tree-based "
                         "Speculative Inference",
                         2024}};
    mechanism.explanation =
        "A small model guesses several continuations at once, which share their beginnings: a tree. The "
        "large model checks all of it in one pass, with the tokens side by side in one sequence and a mask "
        "that shows each token the path to its root and nothing of the other branches. Each row is then what "
        "a causal row over that path alone would be. Positions are depths, not places in the sequence. Here "
        "the sequence is a trunk of two tokens with two branches that take turns.";
    mechanism.correction = "A token sees its ancestors and itself, and not all that stands before it. "
                           "Positions are depths: two branches have tokens at the same one.";
    mechanism.cost = masked_cost("the sum of the depths times (d + d_v) multiply-adds per head when only "
                                 "allowed pairs are scored: one pass for all branches.");
    mechanism.related = {"causal", "documents", "prefix_lm"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::tree, {{"parents", std::vector<Index>{-1, 0, 1, 1, 2, 3}}}};
    compose(mechanism, spec, token_knobs());

    mechanism.example.query = "the cat sat slept down well";
    mechanism.example.look_for = "Two interleaved triangles: “down” follows “sat” and cannot see “slept”, "
                                 "“well” follows “slept” and cannot see “sat”; both see “the cat”.";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
