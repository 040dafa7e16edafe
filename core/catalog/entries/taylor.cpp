#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_taylor() {
    Mechanism mechanism;
    mechanism.name = "Taylor softmax";
    mechanism.also_known_as = {"polynomial attention", "second-order attention"};
    mechanism.family = "Normalisers";
    mechanism.order = 5600;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad@weights{A_{ij}} = \frac{@polynomial{1 )"
        R"(+ s_{ij} + s_{ij}^2 / 2}}{@row_sum{\sum_k \left(1 + s_{ik} + s_{ik}^2 / 2\right)}})";
    mechanism.papers = {
        {"de Brébisson and Vincent, An Exploration of Softmax Alternatives Belonging to the Spherical Loss "
         "Family",
         2016},
        {"Arora et al., Simple linear attention language models balance the recall-throughput tradeoff",
         2024}};
    mechanism.explanation =
        "The exponential of softmax is replaced by the first terms of its series. 1 + s + s²/2 is never "
        "below one half, so that the weights stay positive, and it is a product of features of the query and "
        "of the key: with d(d + 1) / 2 + d + 1 features the map need never be formed, which is how Based and "
        "its relatives reach linear cost. For small scores it is almost softmax. For strongly negative ones "
        "it rises again, and keys that softmax would forget come back. Higher even degrees put that off.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head here, with the map shown; as features 2 n d² d_v "
                     "without it.";
    mechanism.correction =
        "Odd degrees can be negative and are no weights. The polynomial is not monotonic: below s "
        "= −1 the degree 2 grows again.";
    mechanism.related = {"soft", "cog"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::taylor;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "my sister and my brother like the sea";
    mechanism.example.look_for =
        "Paler than softmax: the largest score wins by its square only. Degree 6 comes close to "
        "softmax where scores are small.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
