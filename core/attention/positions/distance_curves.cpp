#include "core/attention/component.h"
#include "core/attention/positions/pair_places.h"

namespace headlight {
namespace {

Index curves_of(const Plan& plan) { return plan.position().count("curves"); }
Index reach_of(const Plan& plan) { return plan.position().count("reach"); }

Expression define_distance_curves(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const Index reach = reach_of(plan);
    const auto is_within = [=](Index query, Index key) { return query >= key && query - key < reach; };
    const Expression shares =
        composer.let("curve_shares", composer.projected_by_heads(composer.query_tokens, "W_curves"),
                     "how much of each curve a query takes");
    const Expression curve = composer.let("bias_by_distance", composer.projected(shares, "curves"),
                                          "its own curve, a number for each distance");
    return choose(
        composer.truth_of_places("is_within_reach", {0, plan.queries, plan.keys},
                                 "pairs that a curve has a number for",
                                 [=](Place at) { return is_within(at.row, at.column); }),
        by_distance(composer, curve,
                    [=](Index query, Index key) { return is_within(query, key) ? query - key : 0; }),
        0);
}

}  // namespace

PositionComponent declare_positions_distance_curves() {
    PositionComponent component;
    component.meaning =
        "s + Σ_b (x_i W)_hb D_b[i − j]: each query mixes its own curve over how far back a key is from a few "
        "that all heads share; 0 beyond their reach (Thinking Machines 2026, Inkling)";
    component.options = {
        count_option("curves", "Curves", 4, {1, 64}, "How many curves there are to mix."),
        count_option("reach", "Reach", 16, logarithmic_range(1, 4096),
                     "How many places back the curves have numbers for, the own place among them."),
    };
    component.known_parameters = {
        {"W_curves", "[d_x, h curves]", "what each head of a query takes of each curve"},
        {"curves", "[curves, reach]", "what each adds to a score, for the own place and those before it"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_curves", {plan.tokens.query_width, plan.heads * curves_of(plan)});
        list.add("curves", {curves_of(plan), reach_of(plan)});
    };
    component.has_bias = true;
    component.declared_stages = {
        made_stage("curve_shares", "Shares of the curves",
                   {"a column for each curve", {{"tokens"}}, "× W_curves\n→"}, {.lights = "position_bias"}),
        made_stage("bias_by_distance", "Bias by distance",
                   {"from the own place back", {{"curve_shares"}}, "× curves\n→"},
                   {.lights = "position_bias"}),
        made_stage("position_bias", "Position bias", {"", {{"bias_by_distance"}}, "by distance\n→"})};
    component.define_bias = define_distance_curves;
    return component;
}

}  // namespace headlight
