#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_streaming_sinks() {
    Mechanism mechanism;
    mechanism.name = "Attention sinks with a window";
    mechanism.also_known_as = {"StreamingLLM", "sink tokens"};
    mechanism.family = "Masks";
    mechanism.order = 2920;
    mechanism.formula = masked_formula(R"(j \le i \text{ and } (j < s \text{ or } i - j < w))");
    mechanism.papers = {{"Xiao et al., Efficient Streaming Language Models with Attention Sinks", 2024}};
    mechanism.explanation =
        "A model that was trained on full attention breaks down when the cache drops its first tokens, "
        "although these say little: a softmax has to put its weight somewhere, and trained heads put what "
        "they do not need on the first tokens, the sinks. Keep the first s keys beside the window of the "
        "last w, and the model goes on for millions of tokens at a fixed cost. It remembers nothing in "
        "between. Positions are counted inside the cache there, not in the text. In this picture nothing is "
        "trained, so the sink shows its place, not its pull.";
    mechanism.cost = masked_cost("n (s + w) (d + d_v) multiply-adds per head when only allowed pairs are "
                                 "scored; s + w keys and values in the cache.");
    mechanism.correction =
        "The sink is an effect of the softmax and of training, not of a meaning of the first word; a learned "
        "sink logit or a softmax with one more 1 in its sum takes its place.";
    mechanism.equivalences = {equal_when("window", "there is no sink",
                                         {.here = {{"sinks", Index(0)}}, .there = {{"size", Index(3)}}}),
                              equal_when("causal", "the window is at least as long as the sequence",
                                         {.here = {{"size", Index(65536)}}})};
    mechanism.related = {"window", "causal", "longformer", "delta_correction"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = AllOf{
        {Mask{CausalMask{}}, Mask{AnyOf{{Mask{PatternMask{MaskPattern::sinks, {{"sinks", Index(1)}}}},
                                         Mask{PatternMask{MaskPattern::window, {{"size", Index(3)}}}}}}}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "one two three four five six seven eight nine ten";
    mechanism.example.look_for =
        "A band along the diagonal and the first column beside it; everything between is gone.";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
