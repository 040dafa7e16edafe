#include "core/attention/algorithms/step_sizes.h"
#include "core/attention/positions/pair_places.h"
#include "core/attention/recurrence.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace headlight {
namespace {

Index levels_with_parameters(const Plan& plan) { return plan.algorithm().count("levels"); }
bool log_linear_forgets(const Plan& plan) { return plan.algorithm().flag("forgets"); }
bool log_linear_discretizes(const Plan& plan) { return plan.algorithm().flag("discretize"); }

/// The block of the Fenwick tree that a key lies in as the query sees it: 0 is the query's own token, and
/// level l a block of 2^(l-1) tokens. It is the number of binary digits behind which both places agree.
Index fenwick_level(Index query, Index key) {
    return static_cast<Index>(
        std::bit_width(static_cast<std::uint64_t>(query) ^ static_cast<std::uint64_t>(key)));
}

/// How many levels a text of so many tokens has.
Index fenwick_levels_in(Index tokens) { return fenwick_level(std::max<Index>(tokens - 1, 0), 0) + 1; }

/// How much of each key is left when a query reads, [h, n, n], or [n, n] where nothing fades.
Expression log_linear_decays(Composer& composer, const Expression& not_later,
                             const std::optional<Expression>& steps) {
    if (!log_linear_forgets(composer.plan))
        return composer.let("decay_mask", as_number(not_later), "nothing fades");
    const Expression log_gates =
        composer.let("log_gates", -(exp_of(composer.parameter_of_heads("A_log")) * *steps),
                     "ln of what each token keeps of those before");
    const Expression so_far = write_summed_gates(composer, "cumulative_gates", log_gates);
    return composer.let("decay_mask", choose(not_later, left_between(so_far, transposed(so_far)), 0),
                        "how much of each key is left");
}

Expression define_log_linear(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries;
    const Expression not_later = pairs_not_later(composer);
    std::optional<Expression> steps;
    if (log_linear_forgets(plan) || log_linear_discretizes(plan))
        steps = composer.let("step_sizes", step_sizes(composer), "softplus(y W_dt + b_dt)");
    const Expression decay = log_linear_decays(composer, not_later, steps);
    const Expression similarities =
        composer.let("similarities",
                     product_transposed(composer.query, composer.key) * scale_of_queries(composer), "q · k");
    const auto level = [](Index query, Index key) { return key <= query ? fenwick_level(query, key) : 0; };
    composer.let("levels",
                 choose(not_later,
                        composer.constant("fenwick_levels", {0, n, n}, "the block that a key lies in",
                                          [=](Index, Index row, Index column) {
                                              return static_cast<double>(level(row, column));
                                          }),
                        -1),
                 "the level of each pair");
    // Parameters have columns for the longest text, this one may have fewer levels.
    const Expression of_levels = composer.let(
        "level_weights",
        some_columns(softplus_of(composer.projected_by_heads(composer.query_tokens, "W_lambda", "b_lambda")),
                     counted(0, fenwick_levels_in(n))),
        "λ: how much each query reads of each level");
    const Expression of_pairs =
        composer.let("level_mask", choose(not_later, by_distance(composer, of_levels, level), 0),
                     "λ of the level that each pair has");
    const Expression faded = similarities * decay * of_pairs;
    return write_attended_values(
        composer, composer.let("weights",
                               composer.where_open(
                                   log_linear_discretizes(plan) ? faded * transposed(*steps) : faded, 0),
                               "what each query gives to each key"));
}

}  // namespace

AlgorithmComponent declare_algorithms_log_linear() {
    AlgorithmComponent component;
    component.meaning =
        "A_ij = q_i · k_j exp(G_i − G_j) λ_i,ℓ(i,j), ℓ the level of key j in the Fenwick tree of query i, "
        "λ = softplus(x W_lambda + b_lambda): a state for each block of 1, 2, 4, … tokens before the query "
        "in place of one for all, causal whatever the mask (Guo et al. 2025)";
    component.options = {
        count_option(
            "levels", "Levels", 15, {1, 24},
            "For how many levels there are parameters: n tokens need ⌈log₂ n⌉ + 1, 15 do for 16,384."),
        flag_option("discretize", "Step writes", false,
                    "Whether the step Δ also multiplies what is written, as in log-linear Mamba-2."),
        flag_option("forgets", "Forgets", true,
                    "Whether the gates act; without them the levels alone tell near from far."),
        scaled_option(false)};
    component.known_parameters = {
        {"W_lambda", "[d, h levels]", "projects token vectors to how much each head reads of each level"},
        {"b_lambda", "[h levels]", "is added to these before their softplus"}};
    add_step_names(component.known_parameters);
    add_rate_name(component.known_parameters);
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index levels = plan.heads * levels_with_parameters(plan);
        list.add("W_lambda", {plan.tokens.query_width, levels});
        list.add("b_lambda", {levels},
                 std::log(std::expm1(1.0)));  // whose softplus is 1: no level counts more than another
        if (log_linear_forgets(plan) || log_linear_discretizes(plan))
            add_step_parameters(plan, list);
        if (log_linear_forgets(plan))
            add_rate_parameter(plan, list);
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "log_linear", "the levels are those of the tokens before each");
        if (fenwick_levels_in(plan.queries) > levels_with_parameters(plan))
            throw Error({"log_linear", "algorithm.levels",
                         "at least " + std::to_string(fenwick_levels_in(plan.queries)) + " for " +
                             std::to_string(plan.queries) + " tokens",
                         std::to_string(levels_with_parameters(plan))});
    };
    component.takes_any_mask = true;
    component.declared_stages = {
        made_stage("step_sizes", "Steps",
                   {"Δ: how long each token takes, for which the state fades", token_operands(),
                    "× W_dt + b_dt,\nsoftplus\n→"},
                   {.lights = "decay_mask", .is_of_keys = true}),
        made_stage("log_gates", "Log gates",
                   {"ln of what each token keeps of those before it", {{"step_sizes"}}, "× −exp(A_log)\n→"},
                   {.lights = "decay_mask", .is_of_keys = true}),
        declared_cumulative_gates_stage({"log_gates"}, "decay_mask"),
        declared_decay_mask_stage("how much of each key is left", optional_stage("cumulative_gates"),
                                  "query − key,\nexp\n→"),
        declared_similarities_stage(),
        made_stage("levels", "Fenwick levels",
                   {"0 the own token, ℓ a block of 2^(ℓ−1) tokens; −1 where the key comes later",
                    {{"tokens"}},
                    "by their\nplaces\n→"},
                   {.lights = "level_mask", .role = StageRole::scores, .leaves_out_masked = true}),
        made_stage("level_weights", "Weights of the levels",
                   {"λ: how much each query reads of each level", token_operands(),
                    "× W_lambda\n+ b_lambda,\nsoftplus\n→"},
                   {.lights = "level_mask"}),
        made_stage("level_mask", "Level mask",
                   {"λ of the level that each pair has",
                    {{"level_weights"}, {"levels", "and"}},
                    "λ of each\nlevel\n→"},
                   {.lights = "weights", .role = StageRole::scores, .leaves_out_masked = true}),
        declared_weights_stage(
            {"similarities times both masks", {{"similarities"}, {"decay_mask", "∘"}, {"level_mask", "∘"}}}),
    };
    component.define = define_log_linear;
    return component;
}

}  // namespace headlight
