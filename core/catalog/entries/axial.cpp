#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_axial() {
    Mechanism mechanism;
    mechanism.name = "Axial attention";
    mechanism.also_known_as = {"row and column attention", "criss-cross attention"};
    mechanism.family = "Images";
    mechanism.order = 3930;
    mechanism.formula = masked_formula(R"(y_i = y_j \text{ or } x_i = x_j)");
    mechanism.papers = {
        {"Ho et al., Axial Attention in Multidimensional Transformers", 2019},
        {"Huang et al., CCNet: Criss-Cross Attention for Semantic Segmentation (both axes at once)", 2019}};
    mechanism.explanation =
        "On a grid a patch sees its own row and its own column, so that two steps reach every other patch: "
        "along the row, then along the column. For an image of side a that is 2 a − 1 keys in place of a². "
        "Axial attention takes the axes one after another in layers of their own; criss-cross attention "
        "takes both at once, twice in a row with the same weights, and counts the patch itself a single "
        "time. Here the words of a text stand for the patches, three in a row.";
    mechanism.correction =
        "Axial and criss-cross attention are not the same: one looks along one axis a layer, the other along "
        "both at once. Row and column taken together without care count the patch itself twice.";
    mechanism.cost = masked_cost("n (a + b − 1) (d + d_v) multiply-adds per head on a grid of a × b when "
                                 "only allowed pairs are scored: n √n on a square.");
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "the grid is one row", {.here = {{"columns", Index(65536)}}}),
        equal_when("scaled_dot_product", "the grid is one column", {.here = {{"columns", Index(1)}}})};
    mechanism.related = {"swin", "neighbourhood", "strided"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::axial, {{"columns", Index(3)}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "red cat one blue dog two green cow three";
    mechanism.example.look_for = "The words are a grid of three rows of three: each sees its row, a colour, "
                                 "an animal and a number, and its column of one kind.";
    return mechanism;
}

}  // namespace headlight
