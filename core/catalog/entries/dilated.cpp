#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_dilated() {
    Mechanism mechanism;
    mechanism.name = "Dilated window attention";
    mechanism.also_known_as = {"dilated sliding window", "strided local attention"};
    mechanism.family = "Masks";
    mechanism.order = 2620;
    mechanism.formula = masked_formula(R"(|i - j| \le r \text{ and } (i - j) \bmod s = 0)");
    mechanism.papers = {
        {"Beltagy, Peters and Cohan, Longformer: The Long-Document Transformer (section 3.1)", 2020}};
    mechanism.explanation =
        "A window with gaps: of the keys within r, only every s-th is seen, as in a dilated convolution. For "
        "the same number of keys the view is s times as wide. By itself it splits the text into s combs that "
        "never meet, even and odd tokens for s = 2, so some heads leave no gaps, or layers change the step. "
        "Longformer uses it in a few heads of its upper layers.";
    mechanism.correction =
        "The wider view is not free: what lies in the gaps is not seen, in however many layers of the same "
        "step. Heads or layers with another step have to stand beside it.";
    mechanism.cost =
        masked_cost("n (2 ⌊r / s⌋ + 1) (d + d_v) multiply-adds per head when only allowed pairs are scored.");
    mechanism.equivalences = {equal_when("symmetric_window", "there are no gaps",
                                         {.here = {{"step", Index(1)}}, .there = {{"reach", Index(4)}}})};
    mechanism.related = {"symmetric_window", "strided", "neighbourhood"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::dilated, {{"reach", Index(4)}, {"step", Index(2)}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "red one blue two green three black four white five";
    mechanism.example.look_for =
        "A comb: colours see colours only and numbers see numbers, for they stand at even and odd places.";
    return mechanism;
}

}  // namespace headlight
