#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_halo() {
    Mechanism mechanism;
    mechanism.name = "Halo attention";
    mechanism.also_known_as = {"HaloNet", "blocked local attention"};
    mechanism.family = "Images";
    mechanism.order = 3942;
    mechanism.formula =
        masked_formula(R"(B_y(i) - h \le y_j < B_y(i) + b + h \text{ and } B_x(i) - h \le x_j < B_x(i) + )"
                       R"(b + h,\quad B_y(i) = b \lfloor y_i / b \rfloor)");
    mechanism.papers = {
        {"Vaswani et al., Scaling Local Self-Attention for Parameter Efficient Visual Backbones", 2021}};
    mechanism.explanation =
        "A window that slides along with every query fits images, and does not fit the hardware: each query "
        "has to fetch keys of its own. Windows that stand still are fast, and know nothing of what lies "
        "beyond their border. Halo attention stands between the two. Queries are cut into blocks of b × b, "
        "and each block fetches once the keys that any of its queries may want: its own cells and a halo of "
        "h cells around them. All queries of the block then see all of these, (b + 2 h)² keys, so that one "
        "in a corner of the block sees farther to one side than to the other. B in the formula is the first "
        "row or column of the query’s block. Here the words of a text stand for the patches, six in a row.";
    mechanism.cost =
        masked_cost("n (b + 2 h)² (d + d_v) multiply-adds per head when only the blocks and "
                    "their halos are scored; a key is fetched by (1 + 2 h / b)² blocks on average.");
    mechanism.correction =
        "At the border of the image part of the halo lies outside, and here there are no keys. Padding "
        "with zeros, and nothing more, would give these cells a share of the softmax. The first version of a "
        "widely copied code means to mask them and masks the cells inside the image instead.";
    mechanism.equivalences = {
        equal_when("swin", "without a halo the blocks are windows that know nothing of one another",
                   {.here = {{"halo", Index(0)}, {"columns", Index(4)}}}),
        equal_when("scaled_dot_product", "the halo covers the grid", {.here = {{"halo", Index(4096)}}})};
    mechanism.related = {"swin", "neighbourhood", "sliding_tile", "symmetric_window"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule =
        PatternMask{MaskPattern::halo, {{"columns", Index(6)}, {"size", Index(2)}, {"halo", Index(1)}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "red blue cat dog one two green black horse cow three four";
    mechanism.example.look_for =
        "A grid of two rows of six: colours, animals and numbers are a block each. The animals see one "
        "column of the colours and one of the numbers beside their own, all of them the same eight words.";
    return mechanism;
}

}  // namespace headlight
