#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_token_merging() {
    Mechanism mechanism;
    mechanism.name = "Token merging (ToMe)";
    mechanism.also_known_as = {"proportional attention", "bipartite soft matching"};
    mechanism.family = "Low rank";
    mechanism.order = 3659;
    mechanism.formula =
        R"(@output{O = @weights{\operatorname{softmax}\left(@scores{\frac{@merged_query{\bar Q}\,)"
        R"(@merged_key{\bar K}^\top}{\sqrt{d}}} + \ln s\right)}\,@merged_value{\bar V}},\quad )"
        R"(@merged_query{\bar Q} = @group_shares{G}\,@query{Q},\quad )"
        R"(@merged_key{\bar K} = @group_shares{G}\,@key{K},\quad )"
        R"(@merged_value{\bar V} = @group_shares{G}\,@value{V})";
    mechanism.papers = {{"Bolya et al., Token Merging: Your ViT But Faster", 2023}};
    mechanism.explanation =
        "Many tokens say almost the same: patches of one wall, of one sky. Every other token looks for the "
        "one among the rest whose key points most nearly where its own does, and the r most similar pairs "
        "become one: their mean. Nothing need be trained for it. A token that is the mean of s others counts "
        "for s of them, ln s is added to its scores, so that a wall does not weigh less because its patches "
        "have become one. Layer after layer r tokens disappear, and what is left is computed faster. Here "
        "every token is shown as it was: those that have become one have the same row, and share their "
        "column’s weight.";
    mechanism.cost =
        "n² d / 4 multiply-adds for the cosines, then (n − r)² (d + d_v) per head; memory (n − r)². Here the "
        "map is drawn in full, [n, n].";
    mechanism.correction =
        "Tokens are dealt out in two sets first, every other one, so that no chain of merges has to be "
        "followed: two of one set become one only where both join the same third. The paper compares keys of "
        "one layer to merge tokens for the rest of that layer and all after it; here the same keys decide "
        "and are merged. The choice itself has no gradient.";
    mechanism.equivalences = {equal_when("scaled_dot_product",
                                         "where none becomes one with another it is attention",
                                         {.here = {{"merged", Index(0)}}, .tolerance = 1e-12})};
    mechanism.related = {"token_sampling", "clustered", "agent", "multiresolution", "spatial_reduction"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::token_merging;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "red green blue dog cat horse bread cheese";
    mechanism.example.look_for =
        "“cat” becomes one with “dog”, and “red” with “green”: both have one row, and columns that are the "
        "same. With r = 3 “blue” joins them, and all colours are one.";
    mechanism.properties.needs_whole_text = true;
    return mechanism;
}

}  // namespace headlight
