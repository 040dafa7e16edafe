#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/attention/refusals.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

Index gate_width_of(const Plan& plan) { return plan.position().count("width"); }

/// Each query has gates of its own, one for each token before it: what stands before a token is held back by
/// the gates from there on up to the query.
Expression define_pair_forgetting(Composer& composer, const Expression&) {
    const Index n = composer.plan.queries;
    const auto of_heads = [&](const char* name, const Expression& tokens, const char* matrix) {
        return composer.let(name, composer.projected_by_heads(tokens, matrix), "what gates are made of");
    };
    const Expression asking = of_heads("gate_queries", composer.query_tokens, "W_gate_query"),
                     asked = of_heads("gate_keys", composer.key_tokens, "W_gate_key");
    const Expression numbers = composer.let("pair_gate_numbers",
                                            product_transposed(asking, asked) /
                                                std::sqrt(static_cast<double>(gate_width_of(composer.plan))),
                                            "q′ · k′ over the root of their width");
    const Expression earlier = composer.truth(
        "is_earlier", {0, n, n}, "tokens before the query",
        [](Index query, Index token) { return token < query; }, "j < i");
    composer.let("pair_gates", choose(earlier, sigmoid_of(numbers), 1), "what the query lets through there");
    const Expression logs =
        composer.let("log_pair_gates", choose(earlier, log_sigmoid_of(numbers), 0), "their logarithms");
    std::vector<Index> backwards = counted(0, n);
    std::ranges::reverse(backwards);
    const Expression sums = composer.let("gates_from_behind", cumulative_sum(some_columns(logs, backwards)),
                                         "added up from the query to the first token");
    return some_columns(sums, backwards);
}

}  // namespace

PositionComponent declare_positions_pair_forgetting() {
    PositionComponent component;
    component.meaning = "s_ij + Σ log σ(q′_i · k′_t / √w) over the tokens j ≤ t < i: each query decides for "
                        "itself what every "
                        "token before it holds back (x-transformers, per-row data-dependent ALiBi)";
    component.options = {count_option("width", "Width of the gates", 8, logarithmic_range(1, 256),
                                      "How many numbers of each head a gate is the product of.")};
    component.known_parameters = {
        {"W_gate_query", "[d, h w]", "projects a query’s token vector to what its gates are made of"},
        {"W_gate_key", "[d, h w]",
         "projects the token vectors before a query to the other half of what its gates are made of"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.heads * gate_width_of(plan);
        list.add("W_gate_query", {plan.tokens.query_width, width});
        list.add("W_gate_key", {plan.tokens.key_width, width});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "pair_forgetting positions",
                             "the gates stand between tokens of one sequence");
    };
    component.has_bias = true;
    component.declared_stages = {
        made_stage("pair_gates", "Gates of each pair",
                   {"σ(q′ · k′ / √w) of the tokens before the query", {{"tokens"}}, "σ(q′ · k′ / √w)\n→"},
                   {.lights = "position_bias", .is_share = true})};
    component.define_bias = define_pair_forgetting;
    return component;
}

}  // namespace headlight
