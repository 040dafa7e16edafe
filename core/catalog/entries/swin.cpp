#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_swin() {
    Mechanism mechanism;
    mechanism.name = "Window attention on a grid";
    mechanism.also_known_as = {"Swin, regular windows", "W-MSA"};
    mechanism.family = "Images";
    mechanism.order = 3910;
    mechanism.formula =
        masked_formula(R"(\lfloor y_i / s \rfloor = \lfloor y_j / s \rfloor \text{ and } \lfloor x_i / s )"
                       R"(\rfloor = \lfloor x_j / s \rfloor)");
    mechanism.papers = {
        {"Liu et al., Swin Transformer: Hierarchical Vision Transformer using Shifted Windows (section 3.2)",
         2021}};
    mechanism.explanation =
        "An image is cut into patches, the patches into windows of s × s, and each window attends within "
        "itself. The cost grows with the number of patches and not with its square. In the sequence of "
        "patches, which runs row by row, a window is no run of neighbours: its mask is a pattern of small "
        "squares, and becomes block-diagonal when the patches are put in the order of the windows. Here the "
        "words of a text stand for the patches, four in a row, and the windows are 2 × 2.";
    mechanism.cost =
        masked_cost("n s² (d + d_v) multiply-adds per head when only the windows are scored; memory n s².");
    mechanism.correction =
        "Swin adds a learned bias for each relative place in the window; this entry has the windows alone.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "one window covers the grid", {.here = {{"size", Index(4096)}}})};
    mechanism.related = {"shifted_swin",     "halo",          "grid_stride",  "blocks", "neighbourhood",
                         "bi_level_routing", "window_tokens", "region_tokens"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::grid_window, {{"columns", Index(4)}, {"size", Index(2)}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "red blue cat dog green black horse cow";
    mechanism.example.look_for = "The words are a grid of two rows of four: the colours of the left half are "
                                 "one window, the animals of the right half the other.";
    return mechanism;
}

}  // namespace headlight
