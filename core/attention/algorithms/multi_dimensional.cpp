#include "core/attention/algorithms/channel_maps.h"
#include "core/attention/component.h"

namespace headlight {
namespace {

/// A softmax over the keys for each feature by itself, of additive scores that have one number for each (Shen
/// et al. 2018, equation 15).
Expression define_multi_dimensional(Composer& composer) {
    const double bound = composer.plan.algorithm().number("bound");
    const Expression of_queries =
                         composer.let("query_part",
                                      product(composer.query, composer.parameter("W_features_query")) +
                                          composer.parameter("b_features"),
                                      "what each query adds to the scores, feature by feature"),
                     of_keys = composer.let("key_part", composer.projected(composer.key, "W_features_key"),
                                            "what each key adds to them");
    const Expression sums = as_channels(composer, of_queries) + transposed(as_channels(composer, of_keys));
    const Expression scores =
        composer.let("scores_of_features", bound * tanh_of(sums / bound), "[feature, query, key], bounded");
    const Expression shares = softmax_of_open(composer, "shares_of_features", scores);
    write_mean_of_channels(composer, shares);
    return write_mixed_channels(composer, shares, composer.value);
}

}  // namespace

AlgorithmComponent declare_algorithms_multi_dimensional() {
    AlgorithmComponent component;
    component.meaning =
        "o_ic = Σ_j softmax_j(s_ijc) v_jc, s_ij = c tanh((q W₁ + k W₂ + b) / c): additive scores with a "
        "number for each feature, and a softmax for each (Shen et al. 2018, DiSAN); the weights shown are "
        "the mean over the features";
    component.options = {number_option("bound", "Bound c", 5.0, logarithmic_range(0.01, 1000),
                                       "Scores lie between −c and c, so that no weight is more than exp(2 c) "
                                       "times another. The paper takes 5.")};
    component.known_parameters = {
        {"W_features_query", "[d_k, d_v] per head, shared by the heads",
         "what a query adds to the score of each feature"},
        {"W_features_key", "[d_k, d_v] per head, shared by the heads", "what a key adds to it"},
        {"b_features", "[d_v], shared by the heads", "is added to both"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_features_query", {plan.head_query_width(), plan.head_value_width()});
        list.add("W_features_key", {plan.head_key_width(), plan.head_value_width()});
        list.add("b_features", {plan.head_value_width()});
    };
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(plan, "multi_dimensional",
                              "queries and keys meet in a sum and not in a product");
    };
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("query_part", "Part of the queries",
                   {"what each adds to the scores, feature by feature", {{"query"}}, "× W, +\n→"},
                   {.lights = "weights", .has_features = true}),
        made_stage(
            "key_part", "Part of the keys",
            {"what each adds to the scores, feature by feature", {keys_of("key")}, "× W\n→"},
            {.colours_of = "query_part", .lights = "weights", .is_of_keys = true, .has_features = true}),
        declared_weights_stage({"softmax of each feature, the mean over them",
                                {{"query_part"}, keys_of("key_part", "+")},
                                "c tanh( / c),\nsoftmax of\neach, mean\n→"},
                               {.is_share = true}),
        declared_context_stage("value", "values weighed feature by feature", "of each\nfeature\n→")};
    component.define = define_multi_dimensional;
    return component;
}

}  // namespace headlight
