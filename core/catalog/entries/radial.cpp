#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_radial() {
    Mechanism mechanism;
    mechanism.name = "Radial attention";
    mechanism.also_known_as = {"spatiotemporal energy decay", "O(n log n) video attention"};
    mechanism.family = "Masks";
    mechanism.order = 5442;
    mechanism.formula = masked_formula(
        R"(|p_i - p_j| + 1 \le s / b \text{ with } b = 2^{\lfloor \log_2 \max(|f_i - f_j|,\, 1) \rfloor} )"
        R"(\le s,\text{ or } p_i = p_j \text{ and } \lceil b / s \rceil \text{ divides } |f_i - f_j|,)"
        R"(\text{ or } f_j = 0)");
    mechanism.papers = {
        {"Li et al., Radial Attention: O(n log n) Sparse Attention with Energy Decay for Long Video "
         "Generation",
         2025}};
    mechanism.explanation =
        "In models that make videos, what a place gives to another falls with their distance, in space and "
        "in time alike, as the loudness of a voice does. So the work is dealt out like that too. A token "
        "sees all of its own frame and of the next; of frames two and three away half the width around its "
        "own place, of the next four a quarter, and so on: each time the frames double, the width halves. "
        "Where less than one place would be left, only the own place is seen, and only in every second "
        "frame, then in every fourth. Each band of frames then costs about the same, and there are as many "
        "bands as the logarithm of the frames. The first frame stays whole, for much is looked for there.";
    mechanism.cost = masked_cost("At most about 4 s n log₂(n / s) (d + d_v) multiply-adds per head for "
                                 "frames of s tokens, of which s n are of the first frame.");
    mechanism.correction =
        "The mask follows equation 4. The authors’ code rounds: it halves widths from the next power of 2 "
        "above s, counts the border with |p_i − p_j| ≤ width, never goes below a block of 128 tokens, and "
        "keeps a block where enough of it is allowed. Distances in space are those in the order of the "
        "tokens of a frame, not of the picture.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "the video is one frame", {.here = {{"frame", Index(65536)}}})};
    mechanism.related = {"frame_heads", "sliding_tile", "log_sparse", "h_transformer"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::radial, {{"frame", Index(2)}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "cat dog cat dog cat dog cat dog cat dog cat dog cat dog cat dog";
    mechanism.example.look_for =
        "Eight frames of two places. Beside the two columns of the first frame each word sees the frames "
        "next to its own whole, its own place alone two and three frames away, and farther off its own "
        "place in every second frame.";
    mechanism.example.beside = "frame_heads";
    return mechanism;
}

}  // namespace headlight
