#include "core/catalog/masked_entry.h"

namespace headlight {
namespace {

/// One that the mask and the bias have in common.
Knob shared_knob(MechanismParameter parameter, const char* of_mask, const char* of_bias) {
    return {std::move(parameter), [=](AttentionSpec& spec, const ParameterValue& value) {
                std::get<PatternMask>(spec.mask.rule).options[of_mask] = std::get<Index>(value);
                spec.position.options[of_bias] = std::get<Index>(value);
            }};
}

Knob columns_knob() {
    return shared_knob(
        {.name = "columns",
         .label = "Columns",
         .kind = MechanismParameter::Kind::integer,
         .standard = Index(4),
         .minimum = 1,
         .maximum = 65536,
         .help = "How many tokens a row of the grid has, for the windows and for the offsets."},
        "columns", "columns");
}

Knob window_knob() {
    return shared_knob({.name = "window",
                        .label = "Window",
                        .kind = MechanismParameter::Kind::integer,
                        .standard = Index(2),
                        .minimum = 1,
                        .maximum = 64,
                        .help = "Side w of a window in cells: a query sees w² keys, and the table has "
                                "(2 w − 1)² offsets."},
                       "size", "window");
}

}  // namespace

Mechanism declare_grid_bias() {
    Mechanism mechanism;
    mechanism.name = "Relative position bias on a grid";
    mechanism.also_known_as = {"Swin’s position bias", "continuous position bias", "CPB", "CoAtNet"};
    mechanism.family = "Positions";
    mechanism.order = 5380;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@masked_scores{@biased_scores{@scaled_scores{\frac{)"
        R"(@scores{@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}} + @position_bias{B_h[y_i - y_j,\, x_i - x_j]}} + )"
        R"(M}\right)}\,@value{V}})";
    mechanism.papers = {
        {"Liu et al., Swin Transformer: Hierarchical Vision Transformer using Shifted Windows (section 3.2)",
         2021},
        {"Liu et al., Swin Transformer V2: Scaling Up Capacity and Resolution (section 3.3)", 2022},
        {"Dai et al., CoAtNet: Marrying Convolution and Attention for All Data Sizes", 2021}};
    mechanism.explanation =
        "Within a window of w × w patches an offset of rows lies between −(w − 1) and w − 1, and so does "
        "one of columns. There are (2 w − 1)² such offsets, and each head learns a number for each of "
        "them, which is added to the score: a small image that says where a head likes to look, whatever "
        "it sees. M is the mask of the windows. CoAtNet adds such a table over the whole image, and the "
        "sum of content and offset is then attention and convolution in one. A table fits one size of "
        "window. Swin V2 learns a small network instead, which gets both offsets and returns the number, "
        "so that a model can be moved to larger windows; it gets their logarithms, so that the offsets of "
        "the large window are not far beyond those it has seen. Here the numbers are drawn at random, and "
        "the words of a text stand for the patches, four in a row.";
    mechanism.cost = masked_cost("n w² (d + d_v) multiply-adds per head and n w² additions when only the "
                                 "windows are scored; (2 w − 1)² h parameters.");
    mechanism.correction =
        "Swin V2’s paper takes ln(1 + |Δ|), its released code scales Δ to 8 at the border of the window, "
        "takes log₂(1 + |Δ|) / 3, and lets the bias be 16 σ of the network’s number, between 0 and 16; "
        "both are a `form` here. It also compares by cosines, which is a mechanism of its own here.";
    mechanism.equivalences = {
        equal_when("swin", "with a table of zeros the windows are left",
                   {.here = {{"heads", Index(1)}}, .parameters = {{"grid_table", "zeros"}}})};
    mechanism.related = {"swin", "scaled_cosine", "t5", "dynamic_bias", "grid_rope"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::grid_window, {{"columns", Index(4)}, {"size", Index(2)}}};
    spec.position.type = PositionType::grid_bias;
    spec.position.options = {{"columns", Index(4)}, {"window", Index(2)}};
    compose(mechanism, spec,
            without(component_knobs(spec), {"columns", "window", "size"}) + columns_knob() + window_knob() +
                heads_knob(2) + projections_knob());

    mechanism.example.query = "red blue cat dog green black horse cow";
    mechanism.example.look_for =
        "The stage of the position bias: from “red” to “blue” and from “cat” to “dog” it is one number, "
        "for both look one column to the right, and so it is for all pairs with one offset. The other head "
        "has its own.";
    mechanism.example.stage = "position_bias";
    return mechanism;
}

}  // namespace headlight
