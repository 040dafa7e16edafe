#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_blocks() {
    Mechanism mechanism;
    mechanism.name = "Block attention";
    mechanism.also_known_as = {"block-diagonal attention", "chunked attention"};
    mechanism.family = "Masks";
    mechanism.order = 5400;
    mechanism.formula = masked_formula(R"(\lfloor i / c \rfloor = \lfloor j / c \rfloor)");
    mechanism.papers = {{"Qiu et al., Blockwise Self-Attention for Long Document Understanding", 2020},
                        {"Meta, The Llama 4 herd: The beginning of a new era of natively multimodal AI "
                         "innovation (causal, its chunks)",
                         2025}};
    mechanism.explanation =
        "The sequence is cut into blocks of c tokens, and each attends within itself. Blocks are independent "
        "small attentions, which run side by side and cost n c in place of n²; what stands on two sides of a "
        "border never meets in this layer. So models mix in layers without blocks, or move the borders from "
        "layer to layer. Llama 4 uses causal chunks of 8192 tokens in three layers out of four.";
    mechanism.cost =
        masked_cost("n c (d + d_v) multiply-adds per head when only the blocks are scored; memory n c.");
    mechanism.correction = "A block is not a window: the last token of a block sees c keys, the first of the "
                           "next one, with a causal mask, only itself.";
    mechanism.equivalences = {equal_when("scaled_dot_product", "one block holds the whole sequence",
                                         {.here = {{"size", Index(65536)}}}),
                              equal_when("causal",
                                         "one block holds the whole sequence, and the mask is causal",
                                         {.here = {{"size", Index(65536)}, {"causal", true}}})};
    mechanism.related = {"window", "documents", "swin"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::blocks, {{"size", Index(3)}}};
    compose(mechanism, spec, component_knobs(spec) + causal_knob() + token_knobs());

    mechanism.example.query = "red green blue cat dog cow one two three";
    mechanism.example.look_for =
        "Three squares along the diagonal: colours, animals and numbers keep to themselves.";
    return mechanism;
}

}  // namespace headlight
