#pragma once

#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/work.h"

namespace headlight {

// What mechanisms share in which tokens look at a few points and not at each other. Two maps take the place
// of one: in the first each point looks at the keys and packs what it finds into one vector; in the second
// each query looks at the points and unpacks (Ma et al. 2021). The map of all pairs is their product.

/// Packs the values: `packed_values` [h, s, d_v], what the points [h, s, d_k] find. Padding is not looked at.
inline Expression write_packed_values(Composer& composer, const Expression& points) {
    const Expression scores = composer.let("pack_scores", scaled_products(composer, points, composer.key),
                                           "what each point asks of each key");
    const Expression weights = softmax_of(composer, "pack_weights", scores_of_real_keys(composer, scores));
    return composer.let("packed_values", product(weights, composer.value), "what each point finds");
}

/// Unpacks them, or `values` [h, s, d_v] in their place, for queries that meet these keys of the points
/// [h, s, d_k]; returns what each query gets, as the tensor `name`.
inline Expression write_unpacked_values(Composer& composer, const Expression& point_keys,
                                        const std::optional<Expression>& values = {},
                                        const std::string& name = "context") {
    const Expression scores =
        composer.let("unpack_scores", scaled_products(composer, composer.query, point_keys),
                     "what each query asks of each point");
    const Expression weights = softmax_of(composer, "unpack_weights", scores);
    composer.let("weights", product(weights, composer.program.tensor("pack_weights")), "through the points");
    return composer.let(name, product(weights, values ? *values : composer.program.tensor("packed_values")),
                        "what each query gets from the points");
}

/// The stages of both maps: what the first scores are computed from and how, and the stage that has the keys
/// of the points, which are called `point`.
inline std::vector<DeclaredStage> declared_point_stages(const std::vector<StageOperand>& pack_operands,
                                                        const std::string& pack_operation,
                                                        const std::string& keys_of_points,
                                                        const std::string& point) {
    return {made_stage("pack_scores", "Pack scores",
                       {"what each point asks of each token", pack_operands, pack_operation},
                       {.lights = "weights", .is_of_features = true, .row = point}),
            declared_softmax_stage("pack_scores", "pack_weights", "Pack weights",
                                   "what each point takes from each token",
                                   {.lights = "weights", .is_of_features = true, .row = point}),
            made_stage("packed_values", "Packed values",
                       {"what each point finds", {{"pack_weights"}, keys_of("value", "×")}, "="},
                       {.lights = "output", .is_of_features = true, .row = point}),
            made_stage("unpack_scores", "Unpack scores",
                       {"what each query asks of each point",
                        {{"query"}, {.stage = keys_of_points, .operator_before = "×", .transposed = true}},
                        "÷ √d\n→"},
                       {.lights = "weights", .has_features = true, .column = point}),
            declared_softmax_stage("unpack_scores", "unpack_weights", "Unpack weights",
                                   "what each query takes from each point",
                                   {.lights = "weights", .has_features = true, .column = point}),
            declared_weights_stage({"through the points", {{"unpack_weights"}, {"pack_weights", "×"}}, "="},
                                   {.is_share = true}),
            declared_own_context_stage({"", {{"unpack_weights"}, {"packed_values", "×"}}, "="})};
}

/// Both maps of `points` points, none of which has a number for a pair of tokens.
inline AlgorithmCost cost_of_points(const Plan& plan, Index points) {
    const Index tokens = plan.queries + plan.keys;
    return {.multiply_adds =
                work({plan.heads, points, tokens, plan.head_key_width() + plan.head_value_width()}),
            .map_numbers = work({plan.heads, points, tokens})};
}

}  // namespace headlight
