#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_higher_order() {
    Mechanism mechanism;
    mechanism.name = "Higher-order linear attention";
    mechanism.also_known_as = {"HLA", "second-order linear attention"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3350;
    mechanism.formula =
        R"(@output{O = @weights{\left(M \odot P P^\top\right)}\,@value{V}},\quad )"
        R"(@masked_products{P = M \odot \frac{@query{Q}\,@key{K}^\top}{\sqrt{d}}},\quad )"
        R"(M_{ij} = 1 \text{ for } j \le i,\quad o_i = \tfrac{1}{d}\,q_i (S_i C_i - G_i),\quad )"
        R"(S_i = \sum_{j \le i} k_j^\top k_j,\quad C_i = \sum_{j \le i} q_j^\top v_j,\quad )"
        R"(G_i = \sum_{j \le i} k_j^\top k_j C_{j-1})";
    mechanism.papers = {{"Zhang et al., Higher-order Linear Attention", 2025}};
    mechanism.explanation =
        "Linear attention compares a query with one key at a time. Here two tokens are compared by way of "
        "the keys: the weight of token j for query i is a sum over the keys that both see, of how well the "
        "key fits the query of the one times how well it fits the query of the other. With S, the sum of kᵀk "
        "over these keys, it is the product of the two queries in a metric that the keys have made; were S "
        "the identity, the queries would be compared as they are. There are n² such sums, and yet nothing "
        "has to grow with the text: three matrices of fixed size, S, C and G, give the same output token by "
        "token. G takes out the keys that came after token j. Weights may be negative, rows do not sum to 1, "
        "and weights grow with the number of keys that were seen.";
    mechanism.cost =
        "n (2 d² + 5 d d_v) multiply-adds per head recurrently; state d² + 2 d d_v. From the map, "
        "as here, n² (n + d + d_v)";
    mechanism.correction =
        "The mask stands in two places, on the products and on what they make together. With the last one "
        "alone, which is q S C without G, a token would be weighed by keys that it had not seen: also "
        "causal, but another map. The paper’s products are not divided by √d; the knob leaves the scale out.";
    mechanism.related = {"linear", "mesa", "power", "delta"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::higher_order;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the king met the queen and the man met the woman";
    mechanism.example.look_for =
        "The four copies of “the” have one vector, and linear attention would weigh them alike. In the row "
        "of "
        "the last one they have about 27, 65, 111 and 154: each copy has seen more keys than the one before.";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
