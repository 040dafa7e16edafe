#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_kv_cache() {
    Mechanism mechanism;
    mechanism.name = "Attention with a KV cache";
    mechanism.also_known_as = {"cached decoding", "incremental decoding", "PagedAttention"};
    mechanism.family = "Execution";
    mechanism.order = 1800;
    mechanism.formula =
        R"(@cached_rows{K_{1..t} = [K_{1..t-1};\, @key{k_t}]},\quad )"
        R"(V_{1..t} = [V_{1..t-1};\, @value{v_t}],\quad )"
        R"(@output{o_t = @weights{\operatorname{softmax}\left(@masked_scores{\frac{@query{q_t})"
        R"(\,K_{1..t}^\top}{\sqrt{d_k}}}\right)}\,V_{1..t}})";
    mechanism.papers = {{"Vaswani et al., Attention Is All You Need (causal decoding)", 2017},
                        {"Pope et al., Efficiently Scaling Transformer Inference", 2023},
                        {"Kwon et al., Efficient Memory Management for Large Language Model Serving with "
                         "PagedAttention",
                         2023}};
    mechanism.explanation =
        "While a decoder writes, the keys and values of the tokens so far do not change, because nothing "
        "before a token may see it. So they are kept: each step works out one new query, key and value, "
        "appends the last two to the cache, and attends over what is there. The numbers are exactly those of "
        "causal attention over the whole sequence. Without the cache every step would repeat all earlier "
        "ones. The price is memory that grows with every token, in every layer, which is what grouped "
        "queries and latents make smaller. With a capacity, the oldest rows are overwritten and the cache "
        "becomes a sliding window. Nobody knows how long an answer will get, and room for the longest one "
        "is mostly wasted: so the cache may be cut into pages of a few rows, each put wherever one is free "
        "and found by a table (PagedAttention); what is empty then is less than a page. Most of what else "
        "a model has, ALiBi, soft caps, other normalisers, stands beside it.";
    mechanism.cost = "t (d + d_v) multiply-adds per head at step t; the cache takes 2 H d numbers per token "
                     "and layer (2 G d with G grouped heads, d_c + d_R with latents).";
    mechanism.correction = "With a cache there is one query and many keys: a causal mask that starts at the "
                           "top left would let it see the first key only. It has to be aligned at the bottom "
                           "right, or left out, for a cache holds nothing from the future.";
    mechanism.equivalences = {equal_when("causal", "step by step gives what all steps at once give")};
    mechanism.related = {"causal", "window", "grouped_query", "latent", "streaming_sinks"};

    AttentionSpec spec;
    spec.mask.rule = CausalMask{};
    spec.algorithm.type = AlgorithmType::kv_cache;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "once upon a time there lived a wise old king";
    mechanism.example.look_for =
        "Cell by cell the map of causal attention: each step appends one row, and the bytes grow with it. "
        "Set the capacity to 3 and the weights become a band.";
    mechanism.example.beside = "causal";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
