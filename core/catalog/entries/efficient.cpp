#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_efficient() {
    Mechanism mechanism;
    mechanism.name = "Efficient attention";
    mechanism.also_known_as = {"factorised softmax attention"};
    mechanism.family = "Low rank";
    mechanism.order = 3620;
    mechanism.formula =
        R"(@output{@weights{@query_features{\rho_q(@query{Q})}\,\rho_k(@key{K})^\top}\,@value{V}},\quad )"
        R"(\rho_q = \operatorname{softmax} \text{ over features},\quad )"
        R"(\rho_k = \operatorname{softmax} \text{ over keys})";
    mechanism.papers = {{"Shen et al., Efficient Attention: Attention with Linear Complexities", 2021}};
    mechanism.explanation =
        "Two small softmaxes in place of the large one: each query is normalised over its d features, each "
        "feature over all keys. Column c of the second is a map of its own, a template of where in the text "
        "that feature is; a query mixes the d templates by its shares. Since both are normalised, the rows "
        "of the product sum to 1 without any further division. Products can be taken from the right, Kᵀ V "
        "first, which gives d global vectors and costs time linear in the length. The rank is at most d. It "
        "was made for pixels of images, where n is large.";
    mechanism.cost = "2 n d d_v multiply-adds per head; state d d_v. Causal n d d_v more, for a running "
                     "maximum rescales the state";
    mechanism.correction =
        "It is not softmax attention computed in another order: softmax(Q) softmax(K)ᵀ is another map.";
    mechanism.related = {"linear", "lambda_layer", "cross_covariance", "scaled_dot_product"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::efficient;
    compose(mechanism, spec, component_knobs(spec) + causal_knob() + projections_knob());

    mechanism.example.query = "the king met the queen and the man met the woman";
    mechanism.example.look_for =
        "Rows are much alike: every query mixes the same few templates, and only their shares differ.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
