#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_coordinate() {
    Mechanism mechanism;
    mechanism.name = "Coordinate attention";
    mechanism.also_known_as = {"CoordAtt", "CA block"};
    mechanism.family = "Images";
    mechanism.order = 3962;
    mechanism.formula =
        R"(@output{o_{ij}} = @query{x_{ij}} \odot @feature_gates{@row_gate{\sigma(h(\bar{x}_{i\cdot}))"
        R"(\,W_r)} \odot @column_gate{\sigma(h(\bar{x}_{\cdot j})\,W_c)}},\quad )"
        R"(@hidden{h(z) = \operatorname{hswish}(@line_squeeze{z}\,W)},\quad )"
        R"(@weights{A_{ii} = \frac{1}{d} \sum_c g_{ic}})";
    mechanism.papers = {
        {"Hou, Zhou and Feng, Coordinate Attention for Efficient Mobile Network Design", 2021}};
    mechanism.explanation =
        "Squeeze-and-excitation takes one mean over the whole image and forgets where things are. Here a "
        "channel is summed up along lines instead: one mean for each row of the grid, one for each column. "
        "All of these means go through the same narrow layer; from what comes out of a row a second layer "
        "makes the gates of that row, another one makes those of a column. A place is multiplied by both, so "
        "that a channel can be opened at one height and one width, where the two lines cross: “something of "
        "this kind is up here, and something of this kind is on the left”. What cannot be said is “up left "
        "or down right, but not up right”, for the gates of a channel on the grid are a product of a row and "
        "a column, a table of rank one. Here the words of a text stand for the patches, four in a row.";
    mechanism.cost =
        "2 n d multiply-adds for the means, (r + c) (d + 2 d) d / 16 for the gates of r rows and c "
        "columns with a reduction of 16, and 2 n d to multiply; no map of tokens by tokens.";
    mechanism.correction =
        "It is no attention between places: each place is only multiplied. The gate of a row and that "
        "of a column are sigmoids of their own and are multiplied, so that with gates of a half each a "
        "quarter of the image is left. The authors’ code has batch normalisation behind the shared "
        "layer, as fixed numbers of a trained network it is part of that layer’s matrix and of a "
        "shift, which is left out here; and the shared layer has eight units at least.";
    mechanism.related = {"squeeze_excitation", "cbam", "triplet", "axial"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::coordinate, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black red cow";
    mechanism.example.stage = "feature_gates";
    mechanism.example.look_for =
        "Red stands in the first row and the first column, and again in the second row and the third "
        "column; its gates differ, for other words stand in its lines. Step to the gates of the rows: "
        "one row of numbers for each row of the grid. A row of the gates of the features is a product "
        "of one of these and of one of the columns.";
    mechanism.properties = {.row_stochastic = false, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
