#include "core/attention/component.h"
#include "core/attention/positions/pair_places.h"

#include <algorithm>

namespace headlight {
namespace {

Index curves_of(const Plan& plan) { return option<Index>(plan.spec.position.options, "curves"); }
Index farthest_of(const Plan& plan) { return option<Index>(plan.spec.position.options, "max_distance"); }

Expression define_distance_curves(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const Expression shares = composer.let(
        "curve_shares", split_heads(composer.projected(composer.query_tokens, "W_curves"), composer.heads),
        "how much of each curve a query takes");
    const Expression curve = composer.let("bias_by_distance", product(shares, composer.parameter("curves")),
                                          "its own curve, a number for each distance");
    const Index farthest = farthest_of(plan);
    return by_distance(composer, curve, [=](Index query, Index key) {
        return std::clamp(query - key, -farthest, farthest) + farthest;
    });
}

}  // namespace

PositionComponent declare_positions_distance_curves() {
    PositionComponent component;
    component.type = PositionType::distance_curves;
    component.word = "distance_curves";
    component.meaning =
        "s + Σ_b (x_i W)_hb D_b[i − j]: each query mixes its own curve over the distance from a few that "
        "all heads share (Thinking Machines 2026, Inkling)";
    component.options = {
        {.name = "curves",
         .label = "Curves",
         .standard = Index(4),
         .minimum = 1,
         .maximum = 64,
         .help = "How many curves there are to mix."},
        {.name = "max_distance",
         .label = "Largest distance",
         .standard = Index(16),
         .minimum = 1,
         .maximum = 4096,
         .logarithmic = true,
         .help = "Pairs that are farther apart take the end of the curve."},
    };
    component.known_parameters = {
        {"W_curves", {}, "[d_x, h curves]: what each head of a query takes of each curve (distance_curves)"},
        {"curves",
         {},
         "[curves, 2 max_distance + 1]: what each adds to a score, from the key farthest after the query "
         "to the one farthest before it (distance_curves)"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_curves", {plan.tokens.query_width, plan.heads * curves_of(plan)},
                 "what a query takes of each curve");
        list.add("curves", {curves_of(plan), 2 * farthest_of(plan) + 1}, "curves over the distance");
    };
    component.has_bias = true;
    component.acts_on_scores = true;
    component.declared_stages = {
        {.name = "curve_shares", .title = "Shares of the curves", .lights = "position_bias"},
        {.name = "bias_by_distance", .title = "Bias by distance", .lights = "position_bias"}};
    component.define_bias = define_distance_curves;
    return component;
}

}  // namespace headlight
