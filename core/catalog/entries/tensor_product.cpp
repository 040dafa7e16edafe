#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_tensor_product() {
    Mechanism mechanism;
    mechanism.name = "Tensor product attention (TPA)";
    mechanism.also_known_as = {"T6", "factored keys and values", "contextual factorisation"};
    mechanism.family = "Heads";
    mechanism.order = 3110;
    mechanism.formula =
        R"(@mixed_key{k_{ji} = \frac{1}{R} \sum_{r=1}^{R} @key_factors{a^K_{jir}}\,@key{b^K_{jr}}},\quad )"
        R"(@mixed_value{v_{ji} = \frac{1}{R} \sum_{r=1}^{R} @value_factors{a^V_{jir}}\,@value{b^V_{jr}}},)"
        R"(\quad )"
        R"(@mixed_query{q_{ji} = \frac{1}{H} \sum_{r=1}^{H} @query_factors{a^Q_{jir}}\,@query{b^Q_{jr}}},)"
        R"(\quad )"
        R"(@context{o_i = @weights{\operatorname{softmax}\left(@scores{\frac{Q_i K_i^\top}{\sqrt{d}}})"
        R"(\right)}\,V_i})";
    mechanism.papers = {{"Zhang et al., Tensor Product Attention Is All You Need", 2025}};
    mechanism.explanation =
        "A cache keeps the keys of all heads of a token: a table with a row for each head. Tensor product "
        "attention never stores the table, but R vectors and, for each head, R numbers: row i of the table "
        "is the sum of the vectors, each times the number that head i has for it. Both follow from the "
        "token, so that a token may give one vector to head 1 and another to head 2, and the next token "
        "the other way round. Values are made in the same way, and queries too, of more vectors, for "
        "nothing keeps them. With one vector and all numbers 1 it is multi-query attention; with numbers "
        "that choose one vector for each head, the same for all tokens, grouped-query attention. Rotary "
        "positions turn the vectors before they are summed, and the cache can hold them turned.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds per head, and R (d + d_v) for the key and the value of each token and "
        "head; a cache keeps R (H + d) numbers of each token for keys and R (H + d_v) for values, in place "
        "of H (d + d_v).";
    mechanism.correction =
        "The sum is divided by R, here and in the authors’ code: it is a mean. The paper’s queries have a "
        "rank of their own, 6 for 22 heads or so; here it is the number of heads, whose projection gives "
        "the vectors. Low rank does not mean that two heads look alike: it bounds the table of one token, "
        "not the map over tokens.";
    mechanism.equivalences = {equal_when(
        "multi_query", "one vector of which every head takes all is multi-query attention",
        {.here = {{"kv_heads", Index(1)}, {"factors", std::string("fixed")}, {"factored_queries", false}},
         .parameters = {{"A_k", "ones"}, {"A_v", "ones"}}})};
    mechanism.related = {"latent", "grouped_query", "multi_query", "kv_cache"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads.type = HeadsType::grouped_query;
    spec.algorithm.type = AlgorithmType::tensor_product;
    compose(mechanism, spec,
            std::vector<Knob>{heads_knob(), kv_heads_knob()} + component_knobs(spec) + causal_knob() +
                source_knob());

    mechanism.example.query = "the teacher gave the student a book about music";
    mechanism.example.look_for =
        "There are two heads of keys and eight maps. In grouped-query attention heads 1 to 4 share a head of "
        "keys; here each head mixes both, in shares of its own for every word: see the factors of keys.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
