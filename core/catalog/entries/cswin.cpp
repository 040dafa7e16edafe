#include "core/catalog/knob.h"
#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_cswin() {
    Mechanism mechanism;
    mechanism.name = "Cross-shaped windows";
    mechanism.also_known_as = {"CSWin", "stripes of rows and columns"};
    mechanism.family = "Images";
    mechanism.order = 3932;
    mechanism.formula = masked_formula(R"(\lfloor y_i / w \rfloor = \lfloor y_j / w \rfloor \text{ in the )"
                                       R"(first half of the heads, } \lfloor x_i / w \rfloor = \lfloor )"
                                       R"(x_j / w \rfloor \text{ in the other})");
    mechanism.papers = {{"Dong et al., CSWin Transformer: A General Vision Transformer Backbone with "
                         "Cross-Shaped Windows (section 3.2)",
                         2022}};
    mechanism.explanation =
        "Axial attention looks along the row in one layer and along the column in the next. Here one layer "
        "does both: half of the heads look along rows, the other half along columns, and the output "
        "projection puts the two together, so that every patch is reached in two layers and a cross of them "
        "in one. The lines are stripes w rows or columns wide. Near the input, where the grid is large and "
        "features are simple, a width of 1 is enough; deeper layers have smaller grids and wider stripes, "
        "and in the last one a stripe is the whole image. Here the words of a text stand for the patches, "
        "three in a row.";
    mechanism.cost = masked_cost("n w (a + b) / 2 (d + d_v) multiply-adds per head on a grid of a × b, when "
                                 "only the stripes are scored.");
    mechanism.correction =
        "No head sees the cross: each sees one of its arms, with a softmax of its own, while criss-cross "
        "attention has one softmax over both. Stripes do not slide; cells next to each other may lie in two. "
        "The paper gives the first half of the heads the rows, as here, the authors’ code the columns, which "
        "is the same for heads that are learned. CSWin also adds a filter over the values of the stripe "
        "(LePE) to the context; that is not here.";
    mechanism.equivalences = {
        equal_when("multi_head", "a stripe covers the grid", {.here = {{"width", Index(4096)}}})};
    mechanism.related = {"axial", "swin", "grid_stride", "head_windows"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 2};
    spec.score.type = ScoreType::scaled_dot;
    spec.selection.type = SelectionType::stripes;
    compose(mechanism, spec,
            std::vector<Knob>{heads_knob()} + component_knobs(spec) + projection_bias_knob());

    mechanism.example.values = {{"heads", Index(2)}};
    mechanism.example.query = "red cat one blue dog two green cow three";
    mechanism.example.look_for =
        "The words are a grid of three rows of three. The first head has a block for each row, a colour, an "
        "animal and a number; in the second “red” sees “blue” and “green” alone. Set the width to 2: two "
        "rows are one stripe, and the third one has a stripe to itself.";
    mechanism.example.beside = "axial";
    mechanism.properties.sparse = true;
    return mechanism;
}

}  // namespace headlight
