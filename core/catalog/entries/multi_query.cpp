#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_multi_query() {
    Mechanism mechanism;
    mechanism.name = "Multi-query attention";
    mechanism.also_known_as = {"MQA"};
    mechanism.family = "Heads";
    mechanism.order = 3000;
    mechanism.formula =
        R"(@output{\left[@context{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{)"
        R"(@query{Q_h}\,@key{K}^\top}}{\sqrt{d_k}}}\right)}\,@value{V}}\right]_{h=1}^{H}\,W_o})";
    mechanism.papers = {{"Shazeer, Fast Transformer Decoding: One Write-Head is All You Need", 2019}};
    mechanism.explanation =
        "Every head has queries of its own, but all heads share a single head of keys and values. While a "
        "decoder writes, each new token reads the whole cache of keys and values from memory, and that "
        "reading, not the arithmetic, is what takes the time; with one head of keys and values the cache is "
        "smaller by the number of heads. The maps still differ from head to head, because the queries do. "
        "Quality drops a little and training can become unstable, which is why grouped queries followed. In "
        "the picture the key and value stages have one head only.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds per head, as with multi-head; the keys and values take 2 d numbers per "
        "token in the cache in place of 2 H d, and their projections shrink likewise.";
    mechanism.correction =
        "It is sometimes said to save arithmetic: the products of queries and keys are as many as before. "
        "What is saved is memory traffic, and the projections of keys and values.";
    mechanism.equivalences = {equal_when("multi_head", "with a single head there is nobody to share with",
                                         {.here = {{"heads", Index(1)}}, .there = {{"heads", Index(1)}}})};
    mechanism.related = {"grouped_query", "multi_head", "latent", "kv_cache"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads.type = HeadsType::multi_query;
    compose(mechanism, spec,
            {heads_knob(), causal_knob(), projection_bias_knob(), source_knob(), temperature_knob()});

    mechanism.example.query = "the small dog and the big dog chased a ball";
    mechanism.example.look_for =
        "Step to the keys: there is one head of them, though every query head draws a map of its own.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
