#include "core/attention/component.h"
#include "core/attention/scores/defined_scores.h"
#include "core/graph/operation.h"

namespace headlight {
namespace {

Expression define_flattened_dot(Composer& composer) {
    const Expression products =
        composer.let("products", product_transposed(composer.query, composer.key), "query · key");
    return applied(operation_named("inverse hyperbolic sine"), {products});
}

}  // namespace

ScoreComponent declare_scores_flattened_dot() {
    ScoreComponent component;
    component.meaning = "arsinh(q · k): a product that grows as a logarithm does";
    component.is_product = true;
    component.declared_stages = {made_stage(
        "products", "Products", {"", {{"query"}, {.stage = "key", .operator_before = "×", .as_keys = true}}},
        {.lights = "scores", .role = StageRole::scores})};
    component.define = define_flattened_dot;
    return component;
}

}  // namespace headlight
