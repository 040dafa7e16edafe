#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_quantized_cache() {
    Mechanism mechanism;
    mechanism.name = "Attention with a rounded cache (KIVI)";
    mechanism.also_known_as = {"KV cache quantisation", "KIVI", "SageAttention"};
    mechanism.family = "Execution";
    mechanism.order = 1810;
    mechanism.formula =
        R"(@output{O} = @weights{\operatorname{softmax}\left(@scores{\frac{@query{Q}\,@rounded_key{)"
        R"(\hat{K}}^\top}{\sqrt{d_k}}}\right)}\,@rounded_value{\hat{V}},\quad )"
        R"(\hat{x} = z + s \left\lfloor \frac{x - z}{s} + \tfrac{1}{2} \right\rfloor,\quad )"
        R"(z = \min x,\quad s = \frac{\max x - \min x}{2^b - 1},\quad )"
        R"(@weight_errors{E = A - @exact_weights{\operatorname{softmax}\left(\frac{Q\,@key{K}^\top}{)"
        R"(\sqrt{d_k}}\right)}})";
    mechanism.papers = {
        {"Liu et al., KIVI: A Tuning-Free Asymmetric 2bit Quantization for KV Cache", 2024},
        {"Zhang et al., SageAttention: Accurate 8-Bit Attention for Plug-and-play Inference Acceleration",
         2025}};
    mechanism.explanation =
        "The cache of keys and values is what fills the memory while a long text is written. It gets "
        "smaller if each of its numbers has fewer bits. With b bits a number is one of 2^b, evenly spaced "
        "between the smallest and the largest of those that are rounded together; these two are kept as they "
        "are, and of each number the place between them. What should be rounded together? In the keys of "
        "language models a few channels are large in all tokens. Rounded token by token, these would set the "
        "spacing for all others, whose differences are then lost. So keys are rounded channel by channel, "
        "over a group of tokens, and an unusual channel harms no other. Values have no such channels, and "
        "each token’s are rounded by themselves, which also keeps what is lost inside the token. The newest "
        "tokens, which most queries look at, may stay as they are. SageAttention rounds for speed and not "
        "for room: queries and keys, token by token, so that scores are products of whole numbers, and "
        "keys without their mean over all tokens, which adds one number to a whole row of scores and is "
        "what made some channels large. The map is that of the rounded keys; beside it stands the exact "
        "one, and what lies between them.";
    mechanism.cost = "b bits in place of 16 for each number of the cache, and two numbers more for each "
                     "channel of a group of keys and for each token’s values; multiply-adds as before, n m "
                     "(d + d_v) per head. Here the exact map is made too, to be compared.";
    mechanism.correction =
        "Rounding keys changes weights, rounding values does not: with equal values it is what comes out "
        "that is wrong, not the map. Here all queries read one cache, of which the same tokens are the "
        "newest. In the paper keys stay exact until a number of them is complete, which are then rounded "
        "together, values until as many newer ones have come; and a prompt reads itself exactly, so that "
        "only what is written after it reads rounded numbers. Values are rounded in groups of channels "
        "there, and all of a head’s together here. SageAttention’s whole numbers lie on both sides of 0 and "
        "are shared by blocks of tokens, and its weights and values are halves of the usual length. "
        "Rounding has no slope, and no network is trained through it.";
    mechanism.related = {"kv_cache", "online_softmax", "scaled_dot_product", "latent"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::quantized_cache;
    compose(mechanism, spec, component_knobs(spec) + projections_knob() + source_knob());

    mechanism.example.query = "once upon a time there lived the wise old king";
    mechanism.example.look_for =
        "With 2 bits each column of the rounded keys has four numbers at most. Step on to the errors of the "
        "weights, which sum to 0 in each row, and add bits: they vanish.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties.needs_whole_text = true;
    return mechanism;
}

}  // namespace headlight
