#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_compositional() {
    Mechanism mechanism;
    mechanism.name = "Compositional attention";
    mechanism.also_known_as = {"searches and retrievals"};
    mechanism.family = "Heads";
    mechanism.order = 5728;
    mechanism.formula =
        R"(@context{o_{s} = \sum_{r} @retrieval_weights{c_{sr}}\,R_{sr}},\quad )"
        R"(R_{sr} = @weights{A_s}\,@value{V_r},\quad )"
        R"(@weights{A_s = \operatorname{softmax}\left(@scores{\frac{@query{Q_s}\,@key{K_s}^\top}{\sqrt{d}}})"
        R"(\right)},\quad )"
        R"(@retrieval_weights{c_{sr} = \operatorname{softmax}_r\left(@retrieval_scores{\frac{)"
        R"(@retrieval_query{\bar{q}_s} \cdot R_{sr} W}{\sqrt{d_r}}}\right)})";
    mechanism.papers = {{"Mittal et al., Compositional Attention: Disentangling Search and Retrieval", 2022}};
    mechanism.explanation =
        "A head does two things: it searches, by its queries and keys, and it retrieves, by its values. The "
        "pairs are fixed: head 1 always fetches with the values of head 1. To look at the same word once for "
        "its colour and once for its shape takes two heads that search alike, each learned for itself. Here "
        "any search goes with any retrieval. Each of the S maps is applied to the values of every one of R "
        "heads, and a second, small attention, whose keys are made of what came back, says for each word and "
        "search how much of each retrieval it takes. So S × R pairs come from S + R parts, and which pair is "
        "used depends on the word.";
    mechanism.cost = "S n m (d + R d_v) multiply-adds for S searches and R retrievals, and n R d_r (d_v + 1) "
                     "for each search to choose; memory S n R d_v beside the maps.";
    mechanism.correction =
        "The choice is made after the retrieval, from what was found, and not from the query alone: the "
        "keys of the second softmax are the retrieved vectors. In the paper R is free of S; here there are "
        "as many retrievals as heads of keys and values, so that grouped heads have fewer.";
    mechanism.equivalences = {equal_when("multi_query",
                                         "one retrieval leaves nothing to choose, and all heads share it",
                                         {.here = {{"kv_heads", Index(1)}}})};
    mechanism.related = {"multi_head", "grouped_query", "head_mixture", "talking_heads"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::grouped_query, .heads = 8, .kv_heads = 2};
    spec.algorithm.type = AlgorithmType::compositional;
    compose(mechanism, spec,
            std::vector<Knob>{heads_knob(), kv_heads_knob()} + component_knobs(spec) + causal_knob() +
                projection_bias_knob() + source_knob());

    mechanism.example.query = "the storm was terrible but the harbour was safe";
    mechanism.example.look_for =
        "Look at the weights of the retrievals: every word and search has shares of its own in both heads of "
        "values, where in grouped-query attention heads 1 to 4 have all of the first and the others all of "
        "the second.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
