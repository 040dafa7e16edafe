#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_neighbourhood() {
    Mechanism mechanism;
    mechanism.name = "Neighbourhood attention";
    mechanism.also_known_as = {"NATTEN", "NAT", "DiNAT"};
    mechanism.family = "Images";
    mechanism.order = 3940;
    mechanism.formula = masked_formula(
        R"(j \in N_k(i), \text{ the } k \times k \text{ cells nearest to } i \text{ inside the grid})");
    mechanism.papers = {{"Hassani et al., Neighborhood Attention Transformer (section 3.1)", 2023},
                        {"Hassani and Shi, Dilated Neighborhood Attention Transformer", 2022}};
    mechanism.explanation =
        "Every patch looks at the k × k patches around it, a window that slides instead of jumping. At the "
        "border the window is not cut but pushed back inside: a corner patch is then not at the centre of "
        "its neighbourhood, and every query sees exactly k² keys. That keeps the softmax comparable "
        "everywhere, and growing k ends in full attention. With a dilation δ the neighbours are those δ "
        "cells apart, k² of them still and δ times as far: layers with a dilation and without take turns, "
        "and what lies between two far neighbours has been gathered by the near ones. Here the words of a "
        "text stand for the patches, three in a row, and k is 2; the papers take odd numbers from 3 on.";
    mechanism.cost =
        masked_cost("n k² (d + d_v) multiply-adds per head when only allowed pairs are scored; memory n k².");
    mechanism.correction =
        "A dilated window at the border is moved inside among the cells of its own net, one in δ down and "
        "across; it is no window cut out of all cells. A published mask without dilation, attention-gym’s, "
        "holds rows and columns inside with the same number and is right on square grids only.";
    mechanism.equivalences = {equal_when("scaled_dot_product", "the neighbourhood covers the grid",
                                         {.here = {{"size", Index(4096)}}})};
    mechanism.related = {"sliding_tile", "swin", "symmetric_window", "axial"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::neighbourhood, {{"columns", Index(3)}, {"size", Index(2)}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "red cat one blue dog two green cow three";
    mechanism.example.look_for = "Exactly four cells in each row, also for the words at the corners of the "
                                 "grid of three rows of three.";
    return mechanism;
}

}  // namespace headlight
