#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_merged_sources() {
    Mechanism mechanism;
    mechanism.name = "Merged self- and cross-attention";
    mechanism.also_known_as = {"merged attention", "T5Gemma 2 attention"};
    mechanism.family = "Sources";
    mechanism.order = 1411;
    mechanism.formula =
        R"(@context{o_i = \sum_{t \le i} @own_weights{B_{it}}\,v^x_t + \sum_j @weights{A_{ij}}\,)"
        R"(@value{v^y_j}},\quad )"
        R"([@own_weights{B_i}; @weights{A_i}] = \operatorname{softmax}\left(\left[@own_scores{\frac{q_i )"
        R"(\cdot k^x_t}{\sqrt{d}}}; @scores{\frac{@query{q_i} \cdot @key{k^y_j}}{\sqrt{d}}}\right]\right),)"
        R"(\quad k^x = x W_k,\quad k^y = y W_k)";
    mechanism.papers = {{"Zhang et al., T5Gemma 2: Seeing, Reading, and Understanding Longer", 2025}};
    mechanism.explanation =
        "A decoder has two attentions: one over what it has written so far, one over the source. Here they "
        "are one. The keys and values of both sequences stand side by side, made by the same matrices, and "
        "one softmax runs over all of them: over its own tokens up to the one that asks, and over the whole "
        "source. So a token says for itself how much it needs of either: a verb may look at the source, a "
        "word that ends a phrase at what has been said. With two attentions both are always added in full. "
        "It saves the four matrices of the second one, and its sublayer. It is the two of them exactly, "
        "mixed by how much each softmax had to share out.";
    mechanism.cost = "n (n + m) (d + d_v) multiply-adds per head; memory n (n + m). Keys and values of the m "
                     "source tokens are worked out once for the whole decoding.";
    mechanism.correction =
        "It is not the sum of self- and cross-attention: rows of both maps together sum to 1, and what one "
        "gains the other loses. In the model queries and the decoder’s own keys are turned by their places "
        "(RoPE), the source’s keys are not: to a query they have no distance. Here nothing is turned.";
    mechanism.related = {"cross", "causal", "memory_tokens", "prefix_lm"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.algorithm.type = AlgorithmType::merged_sources;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + key_lengths_knob());

    mechanism.example.query = "the small cat sleeps on the";
    mechanism.example.key = "a kitten rests on our couch";
    mechanism.example.look_for =
        "“on” gives 0.36 to itself and as much to the “on” of the source; 0.53 of its row lies in the "
        "source. “sleeps”, which has nothing like it there but “rests” and “couch”, keeps 0.67 for its own "
        "sentence: step to the weights of the own sequence.";
    mechanism.properties.row_stochastic = false;
    return mechanism;
}

}  // namespace headlight
