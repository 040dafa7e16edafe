#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_window() {
    Mechanism mechanism;
    mechanism.name = "Sliding window attention";
    mechanism.also_known_as = {"causal local attention", "banded attention"};
    mechanism.family = "Masks";
    mechanism.order = 2600;
    mechanism.formula = masked_formula(R"(0 \le i - j < w)");
    mechanism.papers = {
        {"Child et al., Generating Long Sequences with Sparse Transformers (part A of strided attention)",
         2019},
        {"Beltagy et al., Longformer", 2020},
        {"Jiang et al., Mistral 7B (section 2)", 2023}};
    mechanism.explanation =
        "A token sees itself and the w − 1 tokens before it. The cost grows with the length and not with its "
        "square, and while generating only the last w keys and values have to be kept. Information still "
        "travels further: each layer reaches w − 1 tokens beyond what the one before had, so that L layers "
        "see L (w − 1) + 1 tokens. Gemma, gpt-oss and others alternate such layers with full ones. With w = "
        "1 a token sees itself alone and the output is its value.";
    mechanism.cost = masked_cost("n w (d + d_v) multiply-adds per head when only the band is scored, n w − w "
                                 "(w − 1) / 2 pairs; w keys and values in the cache.");
    mechanism.correction =
        "Off by one: Keras, this program and the cache of Mistral’s reference code count the query among the "
        "w keys; that code’s mask of a whole text and attention-gym, i − j ≤ w, see w + 1; FlashAttention’s "
        "window_size is w − 1. Always ask how many keys a query sees.";
    mechanism.equivalences = {equal_when("causal", "the window is at least as long as the sequence",
                                         {.here = {{"size", Index(65536)}}})};
    mechanism.related = {"causal", "symmetric_window", "streaming_sinks"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::window, {{"size", Index(3)}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "one two three four five six seven eight nine ten";
    mechanism.example.look_for = "A band of three cells below the diagonal; the first two rows have fewer, "
                                 "for nothing comes before them.";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
