#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_grouped_query() {
    Mechanism mechanism;
    mechanism.name = "Grouped-query attention";
    mechanism.also_known_as = {"GQA"};
    mechanism.family = "Heads";
    mechanism.order = 3010;
    mechanism.formula =
        R"(@output{\left[@context{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{)"
        R"(@query{Q_h}\,@key{K_{\lfloor h G / H \rfloor}}^\top}}{\sqrt{d_k}}}\right)}\,@value{V_{\lfloor h )"
        R"(G / H \rfloor}}}\right]_{h=0}^{H-1}\,W_o})";
    mechanism.papers = {{"Ainslie et al., GQA: Training Generalized Multi-Query Transformer Models from "
                         "Multi-Head Checkpoints",
                         2023}};
    mechanism.explanation =
        "A middle way between multi-head and multi-query attention: the H query heads form G groups of "
        "neighbours, and each group shares one head of keys and values. The cache shrinks by H / G, while "
        "quality stays close to that of multi-head attention. A trained multi-head model can be converted: "
        "the keys and values of a group are averaged and training goes on for a little while. Most large "
        "language models since Llama 2 use it with eight groups. Within a group the maps differ only because "
        "the queries do, so that its heads resemble one another more than heads of different groups.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds per head; 2 G d numbers per token in the cache in place of 2 H d.";
    mechanism.correction =
        "Query head i reads head floor(i G / H) of the keys: neighbours share. Some libraries repeat the "
        "heads the other way round, i modulo G; that is the same class of functions with other weights, so a "
        "checkpoint of one is wrong in the other.";
    mechanism.equivalences = {
        equal_when("multi_head", "with as many heads of keys as of queries each head has its own",
                   {.here = {{"kv_heads", Index(8)}}}),
        equal_when("multi_query", "with one group all heads share the same keys and values",
                   {.here = {{"kv_heads", Index(1)}}})};
    mechanism.related = {"multi_query", "multi_head", "latent", "kv_cache"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads.type = HeadsType::grouped_query;
    compose(mechanism, spec,
            {heads_knob(), kv_heads_knob(), causal_knob(), projection_bias_knob(), source_knob(),
             temperature_knob()});

    mechanism.example.query = "the teacher gave the student a book about music";
    mechanism.example.look_for = "Heads 1 to 4 look through one set of keys and heads 5 to 8 through "
                                 "another; move the groups from 1 to 8 and watch the number of key heads.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
