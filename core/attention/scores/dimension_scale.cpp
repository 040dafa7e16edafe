#include "core/attention/component.h"
#include "core/attention/scores/defined_scores.h"

#include <cmath>

namespace headlight {
namespace {

/// Σ_c q_c softplus(w_c) / ln 2 k_c.
Expression define_dimension_scale(Composer& composer) {
    const Expression factors =
        composer.let("feature_scales", softplus_of(composer.parameter("w_dimension")) / std::log(2.0),
                     "what each feature counts: 1 where w is 0");
    const Expression query =
        composer.let("rescaled_query", composer.query * factors, "the queries, each feature times its scale");
    return product_transposed(query, composer.key);
}

}  // namespace

ScoreComponent declare_scores_dimension_scale() {
    ScoreComponent component;
    component.meaning = "Σ_c q_c softplus(w_c) / ln 2 k_c / √d_k: a learned scale, above 0, for each feature "
                        "of the queries, the same in all heads (Das et al. 2024, TimesFM)";
    component.known_parameters = {
        {"w_dimension", "[d_k]", "softplus(w) / ln 2 is what each feature of the queries counts"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("w_dimension", {plan.head_query_width()}, 0.0);
    };
    component.is_product = true;
    component.scale = [](const Plan& plan) {
        return 1 / std::sqrt(static_cast<double>(plan.head_query_width()));
    };
    component.declared_stages = {made_stage("rescaled_query", "Queries, rescaled",
                                            {"each feature times its scale", {{"query"}}},
                                            {.lights = "scores", .has_features = true})};
    component.define = define_dimension_scale;
    component.define_scale = define_root_scale;
    return component;
}

}  // namespace headlight
