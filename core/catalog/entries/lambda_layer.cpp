#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_lambda_layer() {
    Mechanism mechanism;
    mechanism.name = "Lambda layer";
    mechanism.also_known_as = {"LambdaNetworks", "content and position lambdas"};
    mechanism.family = "Low rank";
    mechanism.order = 3625;
    mechanism.formula =
        R"(@output{o_i = @query{q_i}\,\lambda_i},\quad )"
        R"(\lambda_i = \sum_j \left(@key_softmax{\bar{k}_j} + E_{j-i}\right)^\top @value{v_j},\quad )"
        R"(@key_softmax{\bar{K} = \operatorname{softmax}_{\text{tokens}}(@key{K})},\quad )"
        R"(@weights{A_{ij} = @content_products{q_i \cdot \bar{k}_j} + @position_products{)"
        R"(@distance_products{q_i \cdot E_{j-i}}}})";
    mechanism.papers = {{"Bello, LambdaNetworks: Modeling Long-Range Interactions without Attention", 2021}};
    mechanism.explanation =
        "A map of n² weights is too large for the pixels of an image. So the context is made into a small "
        "matrix λ, from d_k features to d_v, and every query is multiplied by it: a linear function that the "
        "context wrote. One part is the same for all queries, the sum of keys times values, where each "
        "feature of the keys is a softmax over the tokens, so that it picks a few of them. The other part "
        "knows where the query is: each distance has a learned vector in the place of a key, the same for "
        "every image. The weights shown are those that both imply, q · k̄ for the content and q · E for the "
        "place; no softmax runs over a row, and they may be negative.";
    mechanism.cost =
        "m d_k d_v multiply-adds for the content, n (2 r + 1) d_k d_v for the places within reach r, and "
        "n d_k d_v per head; λ has d_k d_v numbers for each place, which all heads of a multi-query layer "
        "share. As shown here, n m (d_k + d_v).";
    mechanism.correction =
        "The softmax of the keys runs over the tokens, one for each feature, not over the features. Queries "
        "are not normalised, unlike in efficient attention. The paper has batch normalisation on queries and "
        "values, one head of keys and values for all queries (choose multi-query), and distances on a grid; "
        "here there is no such norm and places are in one line.";
    mechanism.related = {"efficient", "linear", "shaw", "gcnet"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::lambda_layer;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + source_knob());

    mechanism.example.query = "the old man and the young man saw the sea";
    mechanism.example.stage = "position_products";
    mechanism.example.look_for =
        "Both “man” ask the same of the places around them: one row is the other, four columns further, as "
        "far as the reach goes. Step to the products by content, where the two rows are equal column by "
        "column.";
    mechanism.properties = {.row_stochastic = false, .is_signed = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
