#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_symmetric_window() {
    Mechanism mechanism;
    mechanism.name = "Symmetric window attention";
    mechanism.also_known_as = {"local attention", "bidirectional sliding window"};
    mechanism.family = "Masks";
    mechanism.order = 2605;
    mechanism.formula = masked_formula(R"(|i - j| \le r)");
    mechanism.papers = {
        {"Beltagy, Peters and Cohan, Longformer: The Long-Document Transformer (section 3.1)", 2020}};
    mechanism.explanation =
        "Encoders read in both directions, so the window reaches r tokens to each side: 2 r + 1 keys in all, "
        "fewer at the ends of the text. It is a convolution whose weights depend on what is there. Stacked "
        "layers widen the view by r tokens on each side per layer; without tokens that see everything, two "
        "ends of a long document meet only after many layers.";
    mechanism.cost = masked_cost("n (2 r + 1) (d + d_v) multiply-adds per head when only the band is scored, "
                                 "n (2 r + 1) − r (r + 1) pairs; memory n (2 r + 1).");
    mechanism.correction = "The attention_window of Longformer’s own code is one side, r; that of Hugging "
                           "Face’s is both sides together, 2 r.";
    mechanism.equivalences = {equal_when("scaled_dot_product", "the window covers the sequence",
                                         {.here = {{"reach", Index(65536)}}})};
    mechanism.related = {"window", "dilated", "longformer"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::symmetric_window, {{"reach", Index(1)}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "the small dog chased the black cat home";
    mechanism.example.look_for =
        "A band of three cells around the diagonal: each word knows its neighbours and nobody else.";
    return mechanism;
}

}  // namespace headlight
