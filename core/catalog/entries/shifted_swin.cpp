#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_shifted_swin() {
    Mechanism mechanism;
    mechanism.name = "Shifted windows";
    mechanism.also_known_as = {"Swin, shifted windows", "SW-MSA"};
    mechanism.family = "Images";
    mechanism.order = 3920;
    mechanism.formula = masked_formula(
        R"(\lfloor \frac{y_i + \lceil s/2 \rceil}{s} \rfloor = \lfloor \frac{y_j + \lceil s/2 \rceil}{s} )"
        R"(\rfloor \text{ and } \lfloor \frac{x_i + \lceil s/2 \rceil}{s} \rfloor = \lfloor \frac{x_j + )"
        R"(\lceil s/2 \rceil}{s} \rfloor)");
    mechanism.papers = {
        {"Liu et al., Swin Transformer: Hierarchical Vision Transformer using Shifted Windows (section 3.2)",
         2021}};
    mechanism.explanation =
        "Windows that never move never talk to each other. So every second layer moves their borders by half "
        "a window, down and to the right, and patches that stood on two sides of a border now share one. The "
        "code rolls the image around its edges to keep all windows full, and masks the pairs that only meet "
        "because of the roll: what remains are full windows inside and cut ones at the border. Here the "
        "words of a text stand for the patches, four in a row.";
    mechanism.cost =
        masked_cost("n s² (d + d_v) multiply-adds per head when only the windows are scored; memory n s².");
    mechanism.correction = "The original adds −100 to forbidden pairs, which leaves e^−100 of a weight; here "
                           "they are −∞ and the weights exactly 0.";
    mechanism.equivalences = {equal_when("swin", "every window is one patch",
                                         {.here = {{"size", Index(1)}}, .there = {{"size", Index(1)}}})};
    mechanism.related = {"swin", "blocks", "neighbourhood"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule =
        PatternMask{MaskPattern::shifted_grid_window, {{"columns", Index(4)}, {"size", Index(2)}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "red blue cat dog green black horse cow";
    mechanism.example.look_for =
        "Compare with the regular windows: now “blue” and “cat” share a window, and the corners are alone.";
    mechanism.example.beside = "swin";
    return mechanism;
}

}  // namespace headlight
