#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/positions/pair_places.h"

#include <algorithm>

namespace headlight {
namespace {

Index lambda_reach(const Plan& plan) { return plan.algorithm().count("reach"); }

/// Softmax of each feature over the keys, [h, m, d]. Padding has no share.
Expression write_key_shares(Composer& composer) {
    const Expression features = scores_of_real_keys(composer, transposed(composer.key));
    return composer.let("key_softmax", transposed(softmax_of(composer, "feature_shares", features)),
                        "softmax of each feature over the keys");
}

/// oᵢ = qᵢ λᵢ, λᵢ = Σ (k̄ⱼ + E_{j−i})ᵀ vⱼ: what query i gives to value j is qᵢ · (k̄ⱼ + E_{j−i}).
Expression define_lambda_layer(Composer& composer) {
    const Index reach = lambda_reach(composer.plan);
    const Expression content =
        composer.let("content_products", product_transposed(composer.query, write_key_shares(composer)),
                     "q · the shares of the key");
    const Expression of_distances =
        composer.let("distance_products", product_transposed(composer.query, composer.parameter("E_lambda")),
                     "what each query asks of each distance");
    const Expression is_near =
        composer.truth("is_near", {0, composer.plan.queries, composer.plan.keys}, "pairs within the reach",
                       [=](Index query, Index key) { return std::abs(key - query) <= reach; });
    const Expression places =
        composer.let("position_products",
                     choose(is_near,
                            by_distance(composer, of_distances,
                                        [=](Index query, Index key) {
                                            return std::clamp<Index>(key - query + reach, 0, 2 * reach);
                                        }),
                            0),
                     "q · the vector of the distance");
    return write_attended_values(composer, composer.let("weights", composer.where_open(content + places, 0),
                                                        "what each query takes of each value"));
}

}  // namespace

AlgorithmComponent declare_algorithms_lambda_layer() {
    AlgorithmComponent component;
    component.meaning =
        "oᵢ = qᵢ λᵢ, λᵢ = Σ (k̄ⱼ + E_{j−i})ᵀ vⱼ with k̄ the softmax of each feature over the keys: the "
        "context becomes a matrix that each query is multiplied by (Bello 2021, LambdaNetworks)";
    component.options = {count_option("reach", "Reach", 3, {0, 2048},
                                      "How many places to each side have a vector of their own; values "
                                      "beyond are found by their content alone.")};
    component.known_parameters = {
        {"E_lambda", "[2 reach + 1, d_k]", "a vector for each distance j − i, the same for all heads"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("E_lambda", {2 * lambda_reach(plan) + 1, plan.head_query_width()});
    };
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(
            plan, "lambda_layer",
            "keys are summed up over the tokens, each of which would be turned by its place");
    };
    component.needs_one_end = true;
    component.declared_stages = {
        made_stage(
            "key_softmax", "Softmax of the keys",
            {"softmax of each feature over the keys", {keys_of("key")}, "softmax of\neach column\n→"},
            {.lights = "content_products", .is_of_keys = true, .has_features = true, .is_share = true}),
        made_stage("content_products", "Products by content",
                   {"q · the shares of the key", {{"query"}, times_keys_of("key_softmax")}, "="},
                   {.lights = "weights", .role = StageRole::scores}),
        made_stage("distance_products", "Queries on the distances",
                   {"q · E, from the farthest place before to the farthest after", {{"query"}}, "× Eᵀ\n→"},
                   {.lights = "position_products", .has_features = true}),
        made_stage("position_products", "Products by place",
                   {"q · the vector of the distance; 0 beyond the reach",
                    {{"distance_products"}},
                    "at its\ndistance\n→"},
                   {.lights = "weights", .role = StageRole::scores}),
        declared_weights_stage(
            {"by content and by place", {{"content_products"}, {"position_products", "+"}}, "="})};
    component.define = define_lambda_layer;
    return component;
}

}  // namespace headlight
