#include "core/attention/component.h"
#include "core/attention/composer.h"

#include <algorithm>

namespace headlight {
namespace {

bool unties_first(const Plan& plan) { return plan.position().flag("first"); }

Expression places_of_heads(Composer& composer, const std::string& name, Index tokens,
                           const std::string& matrix) {
    const Expression places =
        composer.let(name + "_places_of_table", some_rows(composer.parameter("P_untied"), counted(0, tokens)),
                     "a learned vector for each place");
    return composer.let(name + "_of_place", composer.projected_by_heads(places, matrix),
                        "what a place asks, or answers, whatever stands there");
}

/// p_i U_Q · p_j U_K / √(2 d_k), and a number of its own for the row and the column of the first token.
Expression define_tupe(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const Expression queries = places_of_heads(composer, "query", plan.queries, "U_Q");
    const Expression keys = places_of_heads(composer, "key", plan.keys, "U_K");
    const Expression scores =
        product_transposed(queries, keys) / root_of(2 * static_cast<double>(plan.head_query_width()));
    if (!unties_first(plan))
        return scores;
    const Expression is_first_query =
        composer.truth("looks_from_first", {0, plan.queries, 1}, "the first token, as one that looks",
                       [](Index row, Index) { return row == 0; });
    const Expression is_first_key =
        composer.truth("looks_at_first", {0, 1, plan.keys}, "the first token, as one that is looked at",
                       [](Index, Index column) { return column == 0; });
    const Expression of_places =
        composer.let("place_scores", scores, "what each place asks of each, whatever stands there");
    return choose(is_first_query, composer.parameter_of_heads("theta_1"),
                  choose(is_first_key, composer.parameter_of_heads("theta_2"), of_places));
}

/// Each of the two terms has a variance of its own.
Expression define_scale_of_tupe(Composer&, const Expression& scale) { return scale / root_of(2.0); }

}  // namespace

PositionComponent declare_positions_tupe() {
    PositionComponent component;
    component.meaning =
        "q · k / √(2 d_k) + (p_i U_Q) · (p_j U_K) / √(2 d_k): words and places ask with matrices of their "
        "own and never of one another; row and column of the first token, [CLS], have a number each instead "
        "(TUPE, Ke et al. 2021)";
    component.options = {flag_option("first", "First token untied", true,
                                     "Whether all places are one to the first token, and it to all: θ₁ "
                                     "stands in its row, θ₂ in its column.")};
    component.known_parameters = {
        {"P_untied", "[tokens, d]", "row p is the vector of place p"},
        {"U_Q", "[d, h d_k]", "projects the vectors of places to what they ask"},
        {"U_K", "[d, h d_k]", "projects the vectors of places to what they answer"},
        {"theta_1", "[h]", "the place term where the first token looks"},
        {"theta_2", "[h]", "the place term where another looks at the first token"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.tokens.query_width;
        list.add("P_untied", {std::max(plan.queries, plan.keys), width});
        list.add("U_Q", {width, plan.query_width});
        list.add("U_K", {width, plan.query_width});
        if (unties_first(plan)) {
            list.add("theta_1", {plan.heads});
            list.add("theta_2", {plan.heads});
        }
    };
    component.has_bias = true;
    component.stages = [](const Plan& plan, StageList& list) {
        if (unties_first(plan))
            list.add_map("place_scores");
    };
    component.declared_stages = {
        made_stage("query_of_place", "Queries of the places", {"p U_Q, the same for every text"},
                   {.lights = "position_bias", .has_features = true}),
        made_stage("key_of_place", "Keys of the places", {"p U_K, the same for every text"},
                   {.colours_of = "query_of_place",
                    .lights = "position_bias",
                    .is_of_keys = true,
                    .has_features = true}),
        made_stage("place_scores", "Scores of the places",
                   {"", {{"query_of_place"}, times_keys_of("key_of_place")}, "÷ √(2 d)\n→"},
                   {.colours_of = "position_bias", .lights = "position_bias"}),
        made_stage("scaled_scores", "Scaled scores", {"", {{"scores"}}, "÷ √(2 d)\n→"})};
    component.define_bias = define_tupe;
    component.define_scale = define_scale_of_tupe;
    return component;
}

}  // namespace headlight
