#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_fastformer() {
    Mechanism mechanism;
    mechanism.name = "Fastformer";
    mechanism.also_known_as = {"additive attention to a global query and key", "global query vector"};
    mechanism.family = "Low rank";
    mechanism.order = 3660;
    mechanism.formula =
        R"(@global_query{g = \sum_j @query_shares{\operatorname{softmax}_j\left(\frac{w_q \cdot )"
        R"(@query{q_j}}{\sqrt{d}}\right)}\,q_j},\quad @queried_keys{p_j = g \circ @key{k_j}},\quad )"
        R"(@global_key{c = \sum_j @key_shares{\operatorname{softmax}_j\left(\frac{w_k \cdot p_j}{\sqrt{d}})"
        R"(\right)}\,p_j},\quad @output{o_i = (@keyed_values{c \circ @value{v_i}})\,W + q_i},\quad )"
        R"(@weights{A_{ij} = \operatorname{softmax}_j\left(\frac{w_k \cdot p_j}{\sqrt{d}}\right)})";
    mechanism.papers = {{"Wu et al., Fastformer: Additive Attention Can Be All You Need", 2021}};
    mechanism.explanation =
        "No token looks at another. A learned vector asks every query how much it matters, and the mean of "
        "the queries by the softmax of the answers is one global query for the whole text. It is multiplied "
        "onto every key, feature by feature, and a second learned vector makes one global key of the "
        "products in the same way. That is multiplied onto every value, a matrix mixes the features, and "
        "each token’s own query is added. So what a token learns of the others is one vector, the same for "
        "all, through which its own value is seen; time and memory grow with n. The map shown is what the "
        "global key is made of: one row, the same for every query.";
    mechanism.cost = "n (5 d + d_v) multiply-adds per head for both softmaxes, means and products, and n d "
                     "d_v h for W; memory n";
    mechanism.correction =
        "Additive attention is here a softmax of w · q over one sequence, as pooling has it, not that of "
        "Bahdanau, which adds query and key. The paper’s text has a w for each head; in its code the w of a "
        "head sees the queries of all heads, and queries and values have one projection. The map says which "
        "tokens are in the global key, not what an output is made of: no output holds the value of another "
        "token.";
    mechanism.related = {"separable", "aft", "efficient", "squeeze_excitation", "efficient_additive"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::fastformer;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the storm was terrible but the harbour was safe";
    mechanism.example.look_for = "All rows are one row. The two copies of “the” have one share, as have "
                                 "those of “was”: nothing in it knows of places.";
    mechanism.properties = {.permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
