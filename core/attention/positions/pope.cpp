#include "core/attention/composer.h"
#include "core/attention/positions/product_scores.h"
#include "core/attention/rotary.h"

#include <cmath>
#include <numbers>

namespace headlight {
namespace {

/// [μ cos φ, μ sin φ] with μ = softplus(x), as `name`: twice as many features, the product of which is the
/// real part of that of complex numbers.
Expression polar_vectors(Composer& composer, const std::string& name, const Expression& x,
                         const Expression& phases) {
    const Expression sizes =
        composer.let(name + "_magnitudes", softplus_of(x), "how much there is of each feature");
    return composer.let("polar_" + name, join_columns({sizes * cos_of(phases), sizes * sin_of(phases)}),
                        "each feature turned by its phase: cosines, then sines");
}

Expression define_pope(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const double base = plan.position().number("base");
    const Index width = plan.head_query_width();
    const Expression speeds = composer.constant(
        "phase_speeds", {0, 1, width}, "radians by which a feature turns from one place to the next",
        [=](Index, Index, Index column) {
            return std::pow(base, -static_cast<double>(column) / static_cast<double>(width));
        });
    const Expression given = composer.of_query_heads(
        split_rows(composer.parameter("delta_pope"), plan.kv_heads > 1 ? plan.kv_heads : 0));
    const Expression shift = composer.let(
        "phase_shifts", larger_of(smaller_of(given, 0), -2 * std::numbers::pi), "δ, between −2π and 0");
    const Expression query_phases =
        composer.let("query_phases", composer.query_places() * speeds, "place × speed");
    const Expression key_phases = composer.let(
        "key_phases", transposed(composer.key_places()) * speeds + shift, "place × speed, and δ");
    const Expression query = polar_vectors(composer, "query", composer.query, query_phases);
    return product_transposed(query, polar_vectors(composer, "key", composer.key, key_phases));
}

}  // namespace

PositionComponent declare_positions_pope() {
    PositionComponent component;
    component.meaning =
        "Σ_c μ(q_c) μ(k_c) cos((i − j) θ_c − δ_c), μ the softplus: what a feature says is its size, where it "
        "stands its phase (PoPE, Gopalakrishnan et al. 2025)";
    component.options = {
        base_option("Feature c of d, counted from 0, turns by base^(−c/d) from one place to the next.")};
    component.known_parameters = {
        {"delta_pope", "[h_kv, d_k]",
         "the phase of each feature of the keys at place 0, held between −2π and 0"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("delta_pope", {plan.kv_heads, plan.head_key_width()}, 0.0);
    };
    component.check = [](const Plan& plan) { require_products_of_one_width(plan, "pope positions"); };
    component.acts_on_scores = true;
    component.declared_stages = {
        made_stage("query_magnitudes", "Magnitudes of the queries",
                   {"softplus of each feature", {{"query"}}, "softplus\n→"}, {.has_features = true}),
        made_stage("polar_query", "Polar queries",
                   {"cosines, then sines", {{"query_magnitudes"}}, "turn by place\n→"},
                   {.has_features = true}),
        made_stage("key_magnitudes", "Magnitudes of the keys",
                   {"softplus of each feature", {{"key"}}, "softplus\n→"},
                   {.colours_of = "query_magnitudes", .is_of_keys = true, .has_features = true}),
        made_stage("polar_key", "Polar keys",
                   {"cosines, then sines", {{"key_magnitudes"}}, "turn by place, and δ\n→"},
                   {.colours_of = "polar_query", .is_of_keys = true, .has_features = true}),
        made_stage("scores", "Scores", {"", {{"polar_query"}, times_keys_of("polar_key")}, "="})};
    component.define_scores = define_pope;
    return component;
}

}  // namespace headlight
