#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/work.h"

namespace headlight {
namespace {

/// `unit_NAME`: each feature of the vectors [h, n, d] divided by its length over the tokens; 0 where it is 0
/// at every token. Squares are those of numbers up to 1, so that none overflows or vanishes.
Expression features_of_unit_length(Composer& composer, const std::string& name, const Expression& vectors) {
    const Expression largest = composer.let("largest_of_" + name + "_features",
                                            maximum_of_rows(absolute_of(vectors)), "of each feature");
    const Expression shares = vectors / not_zero(largest);
    const Expression lengths =
        composer.let(name + "_feature_lengths", largest * root_of(sum_of_rows(shares * shares)),
                     "the length of each feature over the tokens");
    return composer.let("unit_" + name, vectors / not_zero(lengths), "features of length 1");
}

/// Row a of the map says what feature a of the result takes from each feature of the value, for every token
/// the same. The paper writes the transposed map (El-Nouby et al. 2021), its code this one.
Expression define_cross_covariance(Composer& composer) {
    const Expression query = features_of_unit_length(composer, "query", composer.query);
    const Expression key = features_of_unit_length(composer, "key", composer.key);
    const Expression scores = composer.let(
        "feature_scores", composer.parameter_of_heads("sharpness") * product(transposed(query), key),
        "how alike two features are over the tokens");
    const Expression map = softmax_of(composer, "feature_weights", scores);
    const Expression all = composer.constant("all_of_a_token", {composer.heads, 1, 1}, "1 for each head",
                                             [](Index, Index, Index) { return 1.0; });
    composer.let("weights", choose(pairs_with_itself(composer), all, 0),
                 "each token takes from itself alone");
    return composer.let("context", product_transposed(composer.value, map),
                        "each token's features, mixed by the map");
}

void check_cross_covariance(const Plan& plan) {
    const std::string what = "cross_covariance algorithm";
    require_one_sequence(plan, what, "features are compared over tokens that both have");
    refuse_turned_vectors(
        plan, what, "features are added up over the tokens, each of which would be turned by its place");
    refuse_mask(plan, what, "features are summed up over all tokens, and no token looks at another");
    require_values_of_key_width(plan, what);
}

}  // namespace

AlgorithmComponent declare_algorithms_cross_covariance() {
    AlgorithmComponent component;
    component.meaning =
        "o = A v, A = softmax(τ Q̂ᵀ K̂) [d, d], Q̂ and K̂ with features of length 1 over the tokens: features "
        "look at features (El-Nouby et al. 2021); the weights shown are a diagonal of ones";
    component.options = {number_option("sharpness", "Sharpness τ", 1.0, {0, 100},
                                       "What every head multiplies the products of features by before it "
                                       "learns a τ of its own. They lie between −1 and 1.")};
    component.known_parameters = {
        {"sharpness", "[h]", "what each head multiplies the products of its features by"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("sharpness", {plan.heads}, plan.algorithm().number("sharpness"));
    };
    component.check = check_cross_covariance;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("query_feature_lengths", "Lengths of the queries’ features",
                   {"of each column over the tokens", {{"query"}}, "length of\neach column\n→"},
                   {.lights = "feature_weights", .is_of_features = true}),
        made_stage("unit_query", "Features of the queries",
                   {"each column of length 1", {{"query"}, {"query_feature_lengths", "and"}}, "÷ length\n→"},
                   {.lights = "feature_weights"}),
        made_stage("key_feature_lengths", "Lengths of the keys’ features",
                   {"of each column over the tokens", {keys_of("key")}, "length of\neach column\n→"},
                   {.lights = "feature_weights", .is_of_features = true}),
        made_stage(
            "unit_key", "Features of the keys",
            {"each column of length 1", {keys_of("key"), {"key_feature_lengths", "and"}}, "÷ length\n→"},
            {.colours_of = "unit_query", .lights = "feature_weights", .is_of_keys = true}),
        made_stage("feature_scores", "Scores of the features",
                   {"how alike two features are over the tokens",
                    {{.stage = "unit_query", .transposed = true}, keys_of("unit_key", "×")},
                    "× τ\n→"},
                   {.lights = "feature_weights", .is_of_features = true}),
        declared_softmax_stage("feature_scores", "feature_weights", "Weights of the features",
                               "what each feature takes from each feature",
                               {.lights = "output", .is_of_features = true}),
        declared_weights_stage({"each token takes from itself alone"}, {.is_share = true}),
        declared_own_context_stage(
            {"",
             {keys_of("value"), {.stage = "feature_weights", .operator_before = "×", .transposed = true}},
             "="})};
    component.cost = [](const Plan& plan) {
        const Index d = plan.head_query_width();
        return AlgorithmCost{.multiply_adds =
                                 work({2, plan.heads, plan.queries, d, d}) + 2 * work_of_tokens(plan, d),
                             .map_numbers = work({plan.heads, d, d})};
    };
    component.define = define_cross_covariance;
    return component;
}

}  // namespace headlight
