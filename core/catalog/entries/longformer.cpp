#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_longformer() {
    Mechanism mechanism;
    mechanism.name = "Longformer";
    mechanism.also_known_as = {"global and local attention", "sliding window with global tokens"};
    mechanism.family = "Masks";
    mechanism.order = 2610;
    mechanism.formula = masked_formula(R"(|i - j| \le r \text{ or } i \in G \text{ or } j \in G)");
    mechanism.papers = {{"Beltagy, Peters and Cohan, Longformer: The Long-Document Transformer", 2020}};
    mechanism.explanation =
        "A band of local attention and a few global tokens: these see every key, and every query sees them, "
        "so that any two words are at most two steps apart. In the paper the global tokens are the "
        "classification token, or the words of a question, chosen by whoever uses the model. Global tokens "
        "have projections W_q, W_k and W_v of their own there (“global_projections”); here there is one set, "
        "so that the mask is all that differs from full attention.";
    mechanism.cost = masked_cost("n (2 r + 1 + 2 g) (d + d_v) multiply-adds per head for g global tokens "
                                 "when only allowed pairs are scored.");
    mechanism.correction = "Local rows see the global keys through the local W_k and W_v, in one softmax "
                           "with their window; only the rows of global tokens use the global projections.";
    mechanism.equivalences = {
        equal_when("symmetric_window", "no token is global", {.here = {{"globals", Index(0)}}}),
        equal_when("scaled_dot_product", "the window covers the sequence",
                   {.here = {{"reach", Index(65536)}}})};
    mechanism.related = {"symmetric_window", "bigbird", "streaming_sinks", "global_projections"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = AnyOf{{Mask{PatternMask{MaskPattern::symmetric_window, {{"reach", Index(1)}}}},
                            Mask{PatternMask{MaskPattern::global, {{"tokens", std::vector<Index>{0}}}}}}};
    compose(mechanism, spec, component_knobs(spec) + global_tokens_knob() + token_knobs());

    mechanism.example.query = "question the small dog chased the black cat home";
    mechanism.example.look_for = "A cross of lines on a band: the first row and the first column are full, "
                                 "the others see their neighbours and the first word.";
    return mechanism;
}

}  // namespace headlight
