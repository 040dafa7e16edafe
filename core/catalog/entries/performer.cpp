#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_performer() {
    Mechanism mechanism;
    mechanism.name = "Performer";
    mechanism.also_known_as = {"FAVOR+", "positive random features"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3310;
    mechanism.formula =
        R"(@weights{A_{ij} = \frac{@similarities{@query_features{\phi(@query{q_i})} \cdot @key_features{)"
        R"(\phi(@key{k_j})}}}{@row_sum{\sum_j \phi(q_i) \cdot \phi(k_j)}}},\quad )"
        R"(@output{O = A\,@value{V}},\quad \phi_r(x) = \exp\left(w_r \cdot x - \frac{x \cdot x}{2}\right))";
    mechanism.papers = {{"Choromanski et al., Rethinking Attention with Performers", 2021}};
    mechanism.explanation =
        "The exponential of softmax is itself an average of products: exp(q · k) is the mean of φ(q) φ(k) "
        "over random directions w, with φ(x) = exp(w · x − |x|²/2) and x divided by the fourth root of d. A "
        "finite number of directions gives an estimate whose features are positive, so that no row sum can "
        "vanish, and then everything is as in linear attention. Directions are drawn in orthogonal blocks, "
        "which lowers the error; it falls with the square root of their number. Whatever constant is taken "
        "off the exponents against overflow must be the same for all keys of a row, for else it would not "
        "cancel; here it is a running maximum.";
    mechanism.cost =
        "2 n r (d + d_v) multiply-adds per head for r random features, of queries and of keys; state r d_v";
    mechanism.correction =
        "Features of sines and cosines estimate the same exponential, but their sums can be near 0 or "
        "negative exactly where weights are small; the positive features are what makes training stable.";
    mechanism.related = {"linear", "causal", "based", "random_feature"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::performer;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the king met the queen and the man met the woman";
    mechanism.example.look_for =
        "Raise the number of random features and the map comes to look like that of causal "
        "softmax attention; change the seed and the errors move.";
    mechanism.example.beside = "causal";
    mechanism.properties = {.causal = true, .streaming = true, .random = true};
    return mechanism;
}

}  // namespace headlight
