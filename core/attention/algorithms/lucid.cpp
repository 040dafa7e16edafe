#include "core/attention/algorithms/unit_triangle.h"

#include <utility>

namespace headlight {
namespace {

/// exp(k̂ · k̂ / √d − √d) with k̂ = √d k / |k| is exp(√d (cos − 1)): 1 for keys of one direction, also where
/// their products are rounded to more.
Expression define_lucid(Composer& composer) {
    // The directions are those of the keys, but no square overflows or vanishes.
    const Expression keys =
        composer.let("key_over_largest", over_largest(composer.key), "each key over its largest number");
    const Expression unit = direction_of(composer, "unit_key", keys);
    const Expression cosines =
        composer.let("key_cosines", product_transposed(unit, unit), "cosines of the angles between keys");
    const Expression overlaps = composer.let(
        "key_overlaps",
        choose(pairs_with_earlier(composer),
               exp_of(root_of_head_width(composer) * smaller_of(cosines - 1, 0)), unit_diagonal(composer)),
        "how much of a key lies along those before it");
    return write_solved_values(composer, write_read_weights(composer, write_scaled_products(composer)),
                               overlaps);
}

}  // namespace

AlgorithmComponent declare_algorithms_lucid() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(Q Kᵀ / √d) G⁻¹ V, causal, with Gᵢⱼ = exp(√d (cos(kᵢ, kⱼ) − 1)) for j ≤ i: keys no longer "
        "answer for one another (Duvvuri et al. 2026)";
    component.check = [](const Plan& plan) { require_one_sequence(plan, "lucid", why_one_sequence); };
    component.declared_stages = {
        made_stage("unit_key_direction", "Directions of the keys", {"k / |k|", {{"key"}}, "÷ |k|\n→"},
                   {.lights = "key_overlaps", .is_of_keys = true}),
        made_stage("key_cosines", "Cosines of the keys",
                   {"", {{"unit_key_direction"}, times_keys_of("unit_key_direction")}, "="},
                   {.lights = "key_overlaps"}),
        made_stage("key_overlaps", "Overlaps of the keys",
                   {"G: exp(√d (cos − 1)) for those before, 1 for its own",
                    {{"key_cosines"}},
                    "exp(√d (cos − 1)),\nthose before\n→"},
                   {.lights = "weights", .is_share = true}),
    };
    append(component.declared_stages, declared_triangle_stages({{"key_overlaps"}}, "inverse\n→"));
    component.define = define_lucid;
    return component;
}

}  // namespace headlight
