#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_inducing_points() {
    Mechanism mechanism;
    mechanism.name = "Inducing points (ISAB)";
    mechanism.also_known_as = {"induced set attention", "Luna", "pack and unpack attention"};
    mechanism.family = "Low rank";
    mechanism.order = 3640;
    mechanism.formula =
        R"(@packed_values{Y = @pack_weights{\operatorname{softmax}\left(@pack_scores{\frac{P\,)"
        R"(@key{K}^\top}{\sqrt{d}}}\right)}\,@value{V}},\quad )"
        R"(@output{O = @unpack_weights{\operatorname{softmax}\left(@unpack_scores{\frac{@query{Q}\,)"
        R"(@point_keys{(Y W)}^\top}{\sqrt{d}}}\right)}\,Y},\quad )"
        R"(@weights{A = \operatorname{softmax}(Q \ldots)\,\operatorname{softmax}(P \ldots)})";
    mechanism.papers = {{"Lee et al., Set Transformer: A Framework for Attention-based "
                         "Permutation-Invariant Neural Networks (section 3.1)",
                         2019},
                        {"Ma et al., Luna: Linear Unified Nested Attention", 2021},
                        {"Jaegle et al., Perceiver: General Perception with Iterative Attention", 2021}};
    mechanism.explanation =
        "Tokens do not look at each other but at s points between them. A point, a row of P, is a learned "
        "vector, the same for every text. It asks the tokens something and packs the answer into one "
        "vector, a row of Y. Y W are the keys under which tokens then find the answers, and unpack what "
        "they need. Two maps of s rows and of s columns take the place of one of n × n, so that time grows "
        "with the length. The map of all pairs is their product: its rows sum to 1, its rank is at most s, "
        "and with one point all its rows are equal. What a token can learn of another must have passed "
        "through the points. Luna does the same and hands the packed vectors on to the next layer. "
        "Perceiver packs once and works on the points from then on: with `layers` they look at each other "
        "before they are read. In the Set Transformer each of the two attentions is a block, with what "
        "asked, a layer and norms (`block`).";
    mechanism.cost =
        "s (n + m) (d + d_v) multiply-adds per head for s points, and s h d d_v per head for their keys; "
        "memory s (n + m). The map of all pairs is worked out for the eye alone.";
    mechanism.correction =
        "The map depends on the values as well: the keys of the points are made of what the points have "
        "found. Without blocks the second attention has no matrix for its values: for a single head W_o "
        "takes its place. The map of all pairs is the way through the points; what a block adds, and what "
        "points find in each other, is not in it. Luna and the paper’s code project the points as they do "
        "queries, which is a part of P here, and that code divides by the root of the whole width, not by "
        "that of a head.";
    mechanism.related = {"agent", "attention_pooling", "external_memory", "linformer", "nystrom"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::inducing_points;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "king queen prince princess dog cat horse cow";
    mechanism.example.look_for =
        "All rows are nearly one row, for what a word gets has passed through four points, and untrained "
        "points ask nothing in particular. Step to the pack weights: four rows, whatever the length of the "
        "text. With one point the rows are equal to the last digit.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties = {.permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
