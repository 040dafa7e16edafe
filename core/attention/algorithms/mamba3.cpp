#include "core/attention/algorithms/delta_states.h"
#include "core/attention/algorithms/row_norms.h"
#include "core/attention/algorithms/step_sizes.h"
#include "core/attention/positions/pair_places.h"

#include <cmath>
#include <numbers>

namespace headlight {
namespace {

constexpr double slowest_rate = 1e-4;             // as the authors' code has it
constexpr double smallest_state_variance = 1e-5;  // as the authors' norm has it

bool uses_trapezoids(const Plan& plan) { return plan.algorithm().flag("trapezoid"); }
bool has_state_norm(const Plan& plan) { return plan.algorithm().flag("norm"); }

/// Keys that a token writes along, and queries that it reads with, of each head.
Index ranks_of(const Plan& plan) { return plan.algorithm().count("ranks"); }

/// How many pairs of neighbouring features turn.
Index turning_pairs(const Plan& plan) {
    const double share = plan.algorithm().number("turned_share");
    return static_cast<Index>(std::floor(share * static_cast<double>(plan.head_query_width()) / 2));
}

/// x over the root of the mean of its squares, plus a bias of the head.
Expression write_normed(Composer& composer, const std::string& name, const Expression& x,
                        const Expression& bias) {
    return composer.let("biased_" + name,
                        over_root_mean_square(composer, "normed_" + name, x, smallest_state_variance,
                                              "over the root of the mean of its squares") +
                            bias,
                        "plus a bias of the head");
}

/// The angles so far [h, n, pairs]: Δ π tanh(y W_turn), added up over the tokens.
Expression write_angles_so_far(Composer& composer, const Expression& steps) {
    const Expression turns = composer.let(
        "turns_of_tokens", std::numbers::pi * tanh_of(composer.projected(composer.key_tokens, "W_turn")),
        "how fast each pair turns while this token is read, up to half a turn");
    return composer.let("turned_angles", summed_so_far(steps * turns), "added up over the tokens");
}

/// x with each pair of neighbouring features turned by its angle; others stay.
Expression write_turned(Composer& composer, const std::string& name, const Expression& x,
                        const Expression& angles) {
    const Index pairs = angles.extent().columns, width = x.extent().columns;
    std::vector<Index> angle_of_feature, partner;
    for (Index column = 0; column < width; ++column) {
        angle_of_feature.push_back(std::min(column / 2, pairs - 1));
        partner.push_back(column < 2 * pairs ? column ^ 1 : column);
    }
    const Expression signs =
        composer.constant(name + "_signs", {0, 1, width}, "how the partner of a feature counts",
                          [=](Index, Index, Index column) {
                              return column >= 2 * pairs ? 0.0 : column % 2 == 0 ? -1.0 : 1.0;
                          });
    const Expression is_turning = composer.truth(name + "_turns", {0, 1, width}, "features that turn",
                                                 [=](Index, Index column) { return column < 2 * pairs; });
    const Expression of_features =
        composer.let(name + "_angles", choose(is_turning, some_columns(angles, angle_of_feature), 0),
                     "the angle of each feature");
    return composer.let("turned_" + name,
                        x * cos_of(of_features) + some_columns(x, partner) * signs * sin_of(of_features),
                        "every pair of features turned by its angle");
}

/// What a query reads of a token's write, [h, n, n]: λ Δ, and what the token after it adds of it once that
/// has come.
Expression write_trapezoids(Composer& composer, const Expression& steps) {
    const Index n = composer.plan.queries;
    const Expression shares = composer.let(
        "trapezoid_shares", sigmoid_of(numbers_of_tokens(composer, "trapezoid")), "λ of each token");
    const Expression own = composer.let("own_writes", transposed(shares * steps), "λ Δ of each token");
    std::vector<Index> next;
    for (Index token = 0; token < n; ++token)
        next.push_back(std::min(token + 1, n - 1));
    const Expression after =
        composer.let("writes_of_the_next", transposed(some_rows((1 - shares) * steps, next)),
                     "(1 − λ) Δ of the token after each");
    const Expression has_next =
        composer.truth("has_next", {0, n, n}, "the token after it has been read",
                       [tokens = tokens_read_after(composer)](Index row, Index column) {
                           return column < tokens[static_cast<std::size_t>(row)];
                       });
    return composer.let("trapezoids", own + choose(has_next, after, 0),
                        "how much of each token was written by then");
}

/// Queries or keys of all ranks: the head’s own, and behind them what `matrix` makes of the tokens.
std::vector<Expression> write_ranks(Composer& composer, const std::string& name, const Expression& own,
                                    const Expression& tokens, const std::string& matrix,
                                    const std::string& bias) {
    const bool has_norm = has_state_norm(composer.plan);
    std::vector<Expression> all{
        has_norm ? write_normed(composer, name, own, composer.parameter_of_heads(bias)) : own};
    const Index width = composer.plan.heads * composer.plan.head_query_width();
    if (ranks_of(composer.plan) == 1)
        return all;
    const Expression further = composer.let("further_" + name, composer.projected(tokens, matrix),
                                            "those behind the first, side by side");
    for (Index rank = 1; rank < ranks_of(composer.plan); ++rank) {
        const std::string of_rank = name + numbered("_", rank + 1);
        const auto columns = [&](const Expression& x) {
            return split_heads(some_columns(x, counted((rank - 1) * width, width)), composer.heads);
        };
        const Expression vectors = composer.let(of_rank, columns(further), "one more of each token");
        all.push_back(has_norm ? write_normed(composer, of_rank, vectors,
                                              columns(composer.parameter(bias + "_of_ranks")))
                               : vectors);
    }
    return all;
}

/// Σ_r w_r ∘ q_r S where every token writes Σ_s k_sᵀ (u_s ∘ v): each feature of the values by a map of its
/// own, of which the mean is shown.
Expression write_ranked_context(Composer& composer, const std::vector<Expression>& queries,
                                const std::vector<Expression>& keys, const SummedGates& gates,
                                const Expression& written) {
    const auto factors = [&](const std::string& name, std::size_t rank) {
        return split_heads(some_rows(composer.parameter(name), {static_cast<Index>(rank)}), composer.heads);
    };
    const auto features = static_cast<double>(composer.plan.head_value_width());
    std::optional<Expression> context, weights;
    for (std::size_t rank = 0; rank < queries.size(); ++rank) {
        const Expression out = factors("rank_out", rank);
        std::optional<Expression> found;
        for (std::size_t key = 0; key < keys.size(); ++key) {
            const std::string pair =
                numbered("_", static_cast<Index>(rank + 1)) + numbered("_", static_cast<Index>(key + 1));
            const Expression in = factors("rank_in", key);
            const Expression read =
                write_read_products(composer, rank + key == 0 ? "read_products" : "read_products" + pair,
                                    queries[rank], keys[key], gates);
            const Expression map =
                composer.let("rank_map" + pair, read * written, "of one query and one key of each token");
            const Expression got = product(map, in * composer.value);
            found = found ? *found + got : got;
            const Expression share = sum_of_columns(in * out) / features * map;
            weights = weights ? *weights + share : share;
        }
        const Expression part = out * composer.let("rank_found" + numbered("_", static_cast<Index>(rank + 1)),
                                                   *found, "what this query reads");
        context = context ? *context + part : part;
    }
    composer.let("weights", *weights, "the mean over the features of the values");
    return composer.let("context", *context, "what all queries of a token read");
}

Expression define_mamba3(Composer& composer) {
    const Expression steps = composer.let("step_sizes", step_sizes(composer), "softplus(y W_dt + b_dt)");
    const Expression rates =
        composer.let("token_rates", larger_of(softplus_of(numbers_of_tokens(composer, "rate")), slowest_rate),
                     "how fast the state fades while this token is read");
    const Expression log_gates =
        composer.let("log_gates", -(rates * steps), "ln of what each token keeps of those before");
    const SummedGates gates = write_state_gates(composer, log_gates);
    std::vector<Expression> queries =
        write_ranks(composer, "query", composer.query, composer.query_tokens, "W_rank_q", "C_bias");
    std::vector<Expression> keys =
        write_ranks(composer, "key", composer.key, composer.key_tokens, "W_rank_k", "B_bias");
    if (turning_pairs(composer.plan) > 0) {
        const Expression angles = write_angles_so_far(composer, steps);
        std::optional<Expression> at_read;
        for (std::size_t rank = 0; rank < keys.size(); ++rank) {
            const std::string number = rank == 0 ? "" : numbered("_", static_cast<Index>(rank + 1));
            if (!at_read)
                at_read = rows_of_tokens(composer, "angles_at_read", angles, tokens_read_after(composer));
            queries[rank] = write_turned(composer, "query" + number, queries[rank], *at_read);
            keys[rank] = write_turned(composer, "key" + number, keys[rank], angles);
        }
    }
    const auto written = [&] {
        return uses_trapezoids(composer.plan) ? write_trapezoids(composer, steps) : transposed(steps);
    };
    if (keys.size() > 1)
        return write_ranked_context(composer, queries, keys, gates, written());
    const Expression read = write_read_products(composer, "read_products", queries[0], keys[0], gates);
    return write_attended_values(
        composer, composer.let("weights", read * written(), "what each query reads of each value"));
}

}  // namespace

AlgorithmComponent declare_algorithms_mamba3() {
    AlgorithmComponent component;
    component.meaning =
        "S ← α S + (1 − λ) Δ α k_{t−1}ᵀ v_{t−1} + λ Δ kᵀ v, o = q S, α = exp(−Δ softplus(y W_rate + "
        "b_rate)): the state space of Mamba-2 by the trapezoid rule, with queries and keys over their size, "
        "plus a bias, and turned by Σ Δ π tanh(y W_turn), which is what complex states do (Lahoti et al. "
        "2026), with several keys and queries of a token S ← α S + Σ kᵀ (u ∘ v), o = Σ w ∘ q S (MIMO); "
        "causal whatever the mask";
    component.options = {
        flag_option("trapezoid", "Trapezoid rule", true,
                    "Whether a token also writes what the one before it wrote, each with a share that it "
                    "chooses; else each writes by its step alone, as in Mamba-2."),
        number_option("turned_share", "Turned features", 0.5, {0, 1},
                      "Which share of the features of queries and keys turns, in pairs, by angles that the "
                      "tokens choose."),
        flag_option("norm", "Norm and bias", true,
                    "Whether queries and keys are divided by the root of the mean of their squares, and a "
                    "bias of each head is added."),
        count_option("ranks", "Inputs and outputs", 1, {1, 16},
                     "How many keys each token writes along and how many queries it reads with, in every "
                     "head: MIMO, with several of them. The paper has 4."),
        scaled_option(false)};
    add_step_names(component.known_parameters);
    append(component.known_parameters,
           {{"W_rate", "[d, h]", "projects a token vector to the rate at which each head’s state fades"},
            {"b_rate", "[h]", "is added to the rates before their softplus"},
            {"W_trapezoid", "[d, h]", "projects a token vector to λ, the share of its own write in its step"},
            {"b_trapezoid", "[h]", "is added to these before their sigmoid"},
            {"W_turn", "[d, pairs]",
             "projects a token vector to the speed at which each pair of features turns"},
            {"B_bias", "[h d_k]", "is added to keys behind their norm"},
            {"C_bias", "[h d_k]", "is added to queries behind their norm"},
            {"W_rank_q", "[d, (ranks − 1) h d_k]",
             "projects a token vector to the queries behind the first; with ranks"},
            {"W_rank_k", "[d, (ranks − 1) h d_k]",
             "projects a token vector to the keys behind the first; with ranks"},
            {"C_bias_of_ranks", "[(ranks − 1) h d_k]", "is added to these queries behind their norm"},
            {"B_bias_of_ranks", "[(ranks − 1) h d_k]", "is added to these keys behind their norm"},
            {"rank_in", "[ranks, h d_v]", "what of each feature of a value is written along each key"},
            {"rank_out", "[ranks, h d_v]", "what of each feature that each query reads is taken"}});
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.tokens.key_width;
        add_step_parameters(plan, list);
        list.add_with_bias("W_rate", {width, plan.heads});
        if (uses_trapezoids(plan))
            list.add_with_bias("W_trapezoid", {width, plan.heads});
        if (turning_pairs(plan) > 0)
            list.add("W_turn", {width, turning_pairs(plan)});
        if (has_state_norm(plan)) {
            list.add("C_bias", {plan.heads * plan.head_query_width()}, 1.0);
            list.add("B_bias", {plan.heads * plan.head_query_width()}, 1.0);
        }
        if (const Index ranks = ranks_of(plan); ranks > 1) {
            const Index all = (ranks - 1) * plan.heads * plan.head_query_width();
            list.add("W_rank_q", {plan.tokens.query_width, all});
            list.add("W_rank_k", {width, all});
            if (has_state_norm(plan)) {
                list.add("C_bias_of_ranks", {all}, 1.0);
                list.add("B_bias_of_ranks", {all}, 1.0);
            }
            const double share = 1 / static_cast<double>(ranks);
            list.add("rank_in", {ranks, plan.context_width()}, share);
            list.add("rank_out", {ranks, plan.context_width()}, share);
        }
    };
    component.changes_context = [](const AttentionSpec& spec) {
        return spec.algorithm.options.count("ranks") > 1;
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "mamba3", why_state_is_of_one_sequence);
        refuse_turned_vectors(plan, "mamba3", "queries and keys are turned by what the tokens say");
    };
    component.declared_stages = {
        made_stage("step_sizes", "Steps",
                   {"Δ: how long each token is looked at", token_operands(), "× W_dt + b_dt,\nsoftplus\n→"},
                   {.lights = "read_products", .is_of_keys = true}),
        made_stage("token_rates", "Rates",
                   {"how fast the state fades while this token is read", token_operands(),
                    "× W_rate + b_rate,\nsoftplus\n→"},
                   {.lights = "log_gates", .is_of_keys = true}),
        declared_log_gates("× W_rate, × W_dt,\nsoftplus of both,\ntheir product\n→"),
        declared_cumulative_gates(),
        made_stage("turned_angles", "Angles so far",
                   {"of each pair of features", token_operands(), "× W_turn,\nπ tanh, × Δ,\nadded up\n→"},
                   {.lights = "turned_key", .is_of_keys = true, .has_features = true}),
        made_stage("turned_query", "Queries, turned",
                   {"", {{"query"}, {"turned_angles", "and"}}, "pairs turn\n→"},
                   {.form_of = "query", .lights = "read_products"}),
        made_stage(
            "turned_key", "Keys, turned", {"", {keys_of("key"), {"turned_angles", "and"}}, "pairs turn\n→"},
            {.form_of = "key", .colours_of = "turned_query", .lights = "read_products", .is_of_keys = true}),
        made_stage("read_products", "Read products",
                   {"of queries and keys, faded by the gates in between",
                    {optional_stage("turned_query"),
                     {.stage = "turned_key",
                      .operator_before = "×",
                      .transposed = true,
                      .as_keys = true,
                      .is_optional = true},
                     {"cumulative_gates", "and"}}},
                   {.lights = "weights", .role = StageRole::scores, .leaves_out_masked = true}),
        made_stage("trapezoid_shares", "Shares of the own write",
                   {"λ: of the token’s step; the rest is for the token before it", token_operands(),
                    "× W_trapezoid\n+ b_trapezoid,\nsigmoid\n→"},
                   {.lights = "trapezoids", .is_of_keys = true, .is_share = true}),
        made_stage("trapezoids", "Trapezoids",
                   {"how much of each token was written by then",
                    {{"trapezoid_shares"}, {"step_sizes", "and"}},
                    "own, and of\nthe next\n→"},
                   {.lights = "weights", .role = StageRole::weights}),
        declared_weights_stage({"what each query reads of each value",
                                {{"read_products"}, optional_stage("trapezoids", "∘")},
                                "as much as\nwas written\n→"})};
    component.define = define_mamba3;
    return component;
}

}  // namespace headlight
