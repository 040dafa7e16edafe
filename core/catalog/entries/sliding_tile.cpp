#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_sliding_tile() {
    Mechanism mechanism;
    mechanism.name = "Sliding tile attention";
    mechanism.also_known_as = {"STA"};
    mechanism.family = "Images";
    mechanism.order = 3946;
    mechanism.formula = masked_formula(
        R"(T(j) \in N_w(T(i)), \text{ the } w \times w \text{ tiles nearest to } T(i) = (\lfloor y_i / t )"
        R"(\rfloor, \lfloor x_i / t \rfloor) \text{ inside the grid})");
    mechanism.papers = {{"Zhang et al., Fast Video Generation with Sliding Tile Attention", 2025}};
    mechanism.explanation =
        "Neighbourhood attention moves its window from cell to cell. Kernels work on tiles of queries and "
        "keys, and of such a window most tiles are seen by some queries of the tile and not by others: "
        "they are computed, masked, and half of the work is thrown away. Here the window moves from tile "
        "to tile. All queries of a tile see the same w × w tiles, each as a whole, and no tile is mixed; "
        "at the border the window is pushed back inside. The paper does this with the three axes of a "
        "video, whose models spend most of their time in attention and look mostly near by; here there are "
        "two, and the words of a text stand for the patches, six in a row.";
    mechanism.cost =
        masked_cost("n (w t)² (d + d_v) multiply-adds per head when only whole tiles are scored, "
                    "and none of them for nothing.");
    mechanism.correction =
        "Implementations number tokens tile by tile, so that a tile is a run of the sequence; here they "
        "run row by row, and the tiles are where they are in the image. Both are one mask, with rows and "
        "columns in another order.";
    mechanism.equivalences = {
        equal_when("neighbourhood", "each cell is a tile",
                   {.here = {{"tile", Index(1)}, {"columns", Index(3)}}}),
        equal_when("scaled_dot_product", "the window covers the grid", {.here = {{"window", Index(4096)}}})};
    mechanism.related = {"neighbourhood", "swin", "halo"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::sliding_tile,
                                 {{"columns", Index(6)}, {"tile", Index(2)}, {"window", Index(2)}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "red blue cat dog one two green black horse cow three four";
    mechanism.example.look_for =
        "A grid of two rows of six and three tiles: colours, animals, numbers. Every word sees two whole "
        "tiles: colours and animals each other, numbers the animals and themselves.";
    mechanism.example.beside = "halo";
    return mechanism;
}

}  // namespace headlight
