#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_efficient_additive() {
    Mechanism mechanism;
    mechanism.name = "Efficient additive attention (SwiftFormer)";
    mechanism.also_known_as = {"SwiftFormer", "one global query"};
    mechanism.family = "Low rank";
    mechanism.order = 3665;
    mechanism.formula =
        R"(@global_query{g = \sum_j @query_numbers_direction{a_j}\,@unit_query_direction{\hat q_j}},\quad )"
        R"(@query_numbers_direction{a_j = \frac{w \cdot \hat q_j}{\sqrt{\sum_l (w \cdot \hat q_l)^2}}},)"
        R"(\quad )"
        R"(@output{o_i = (@queried_values{g \circ @unit_value_direction{\hat v_i}})\,W + b + \hat q_i},)"
        R"(\quad )"
        R"(@unit_query_direction{\hat q = \frac{@query{q}}{|q|}},\ @unit_value_direction{\hat v = \frac{)"
        R"(@value{v}}{|v|}},\quad @weights{A_{ij} = a_j})";
    mechanism.papers = {{"Shaker et al., SwiftFormer: Efficient Additive Attention for Transformer-based "
                         "Real-time Mobile Vision Applications (section 3.2)",
                         2023}};
    mechanism.explanation =
        "Fastformer makes a global query of all queries, a global key of all keys and multiplies that onto "
        "the values. SwiftFormer leaves out half of it and lost no accuracy: a learned vector asks every "
        "query for a number, the sum of the queries by these numbers is the global query, that is multiplied "
        "onto every token’s key, feature by feature, and a linear layer does the rest; there are no values. "
        "Each token’s own query is added. All of it is products of single numbers and two sums over the "
        "tokens, so that it is as fast as a convolution and a phone can have it in every layer and not only "
        "where the image has become small. There is no softmax: the numbers are divided by their length, and "
        "some are below 0. The map shown is what the global query is made of, one row for all.";
    mechanism.cost = "n (4 d + h d²) multiply-adds per head for lengths, numbers, the sum, products and W; "
                     "memory n.";
    mechanism.correction =
        "What the paper calls keys are the values here, for outputs are made of them; the keys of the spec "
        "are not used. The formula is that of the authors’ code: it also divides the numbers by √d, which "
        "cancels, and its projections are as wide as all heads together, of which its models have one. Here "
        "each head has a global query of its own. The last linear layer of the code is W_o.";
    mechanism.related = {"fastformer", "separable", "squeeze_excitation", "cross_covariance"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::efficient_additive;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the storm was terrible but the harbour was safe";
    mechanism.example.look_for =
        "All rows are one row, with numbers on both sides of 0 whose squares come to 1: a query may be taken "
        "off the global one. The two copies of “the” have one number, as have those of “was”.";
    mechanism.properties = {.row_stochastic = false,
                            .permutation_equivariant = true,
                            .is_signed = true,
                            .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
