#pragma once

#include "core/attention/algorithms/delta_rule.h"
#include "core/attention/algorithms/unit_triangle.h"
#include "core/attention/key_spans.h"

#include <algorithm>
#include <vector>

namespace headlight {

// States [d_k, d_v] that tokens write to, each after it has asked what is there, as maps. With e the vector
// that asks, w the one that is written along and a the gates,
//   S <- diag(a) S,  u = v - S^T e,  S <- S + w u^T,  o = S^T q.
// What is left of u_j when token t asks is e_t · w_j, each feature times the gates in between: with L of such
// products below the diagonal, U = V - L U, so that U = (I + L)^-1 V; with R of the same products of queries,
// the map is R (I + L)^-1.

/// Logarithms of the gates, added up: to each write, to where each query reads, to where each write asks.
struct SummedGates {
    Expression so_far, at_read, at_ask;
};

/// The token after which each query reads the state: its own or, behind padding, the newest that it sees. So
/// nothing fades by padding.
inline std::vector<Index> tokens_read_after(const Composer& composer) {
    std::vector<Index> tokens;
    for (Index query = 0; query < composer.plan.queries; ++query)
        tokens.push_back(std::min(query, newest_key(composer.plan, query)));
    return tokens;
}

/// The token before each; for the first, which finds nothing, itself.
inline std::vector<Index> tokens_before(Index tokens) {
    std::vector<Index> before;
    for (Index token = 0; token < tokens; ++token)
        before.push_back(std::max<Index>(token - 1, 0));
    return before;
}

/// `rows` itself where all are taken in their order.
inline Expression rows_of_tokens(Composer& composer, const std::string& name, const Expression& rows,
                                 const std::vector<Index>& tokens) {
    return tokens == counted(0, rows.extent().rows) ? rows : composer.let(name, some_rows(rows, tokens));
}

/// From the logarithms of the gates of the tokens, [h, n, 1 or d]. All of a token's writes come after its
/// gates; with `asks_first` what it asks for comes before them.
inline SummedGates write_state_gates(Composer& composer, const Expression& log_gates, Index per_token = 1,
                                     bool asks_first = false) {
    const Index n = composer.plan.queries;
    const Expression of_tokens = write_summed_gates(composer, "cumulative_gates", log_gates);
    const std::vector<Index> before = tokens_before(n);
    std::vector<Index> written, asked;
    for (Index write = 0; write < n * per_token; ++write) {
        const Index token = write / per_token;
        written.push_back(token);
        asked.push_back(asks_first ? before[static_cast<std::size_t>(token)] : token);
    }
    const Expression so_far = rows_of_tokens(composer, "gates_at_write", of_tokens, written);
    return {so_far, rows_of_tokens(composer, "gates_at_read", of_tokens, tokens_read_after(composer)),
            asked == written ? so_far : rows_of_tokens(composer, "gates_at_ask", of_tokens, asked)};
}

/// Those of the delta rules, whose parameters end in `suffix`; nothing where the state forgets nothing.
inline std::optional<SummedGates> write_forget_gates(Composer& composer, const std::string& suffix,
                                                     Index per_token = 1, bool asks_first = false) {
    const std::optional<Expression> logs = log_forget_gates(composer, suffix);
    if (!logs)
        return {};
    return write_state_gates(composer,
                             composer.let("log_gates", *logs, "ln of what each token keeps of those before"),
                             per_token, asks_first);
}

/// left · right of all pairs, each feature times the gates from the right one to the left one.
inline Expression faded_products(const Expression& left, const Expression& right,
                                 const std::optional<SummedGates>& gates, Expression SummedGates::*at_left) {
    if (!gates)
        return product_transposed(left, right);
    const Expression &to = (*gates).*at_left, &from = gates->so_far;
    if (from.extent().columns == 1)
        return product_transposed(left, right) * left_between(to, transposed(from));
    return sum_of_pairs(left_row(left) * right_row(right) * left_between(left_row(to), right_row(from)));
}

/// What each query reads of what was written along each w up to then, [h, n, n per_token].
inline Expression write_read_products(Composer& composer, const std::string& name, const Expression& query,
                                      const Expression& writes, const std::optional<SummedGates>& gates,
                                      Index per_token = 1) {
    const Index n = composer.plan.queries;
    const Expression is_read = composer.truth(
        "is_read", {0, n, n * per_token}, "written by this token or before, and not hidden",
        [per_token, may_meet = composer.may_meet](Index row, Index write) {
            const Index token = write / per_token;
            return token <= row && may_meet(row, token);
        },
        composer.is_forbidden_anywhere() ? "j <= i and allowed" : "j <= i");
    return composer.let(
        name,
        choose(is_read,
               faded_products(query, writes, gates, &SummedGates::at_read) * scale_of_queries(composer), 0),
        "what each query reads of what each token writes");
}

/// What each write finds, by the vector it asks with, of what was written along each w before, [h, N, N].
inline Expression write_asked_products(Composer& composer, const std::string& name, const Expression& asks,
                                       const Expression& writes, const std::optional<SummedGates>& gates,
                                       Index per_token = 1) {
    return composer.let(name,
                        choose(pairs_with_earlier(composer, per_token),
                               faded_products(asks, writes, gates, &SummedGates::at_ask), 0),
                        "what each token finds of what each token before has written");
}

/// (I + L)^-1 as `inverse`. Where a number of L is above 1, rounding might leave some of what comes later.
inline Expression write_inverse_of_asked(Composer& composer, const Expression& asked, Index per_token = 1) {
    return composer.let("inverse",
                        choose(pairs_not_later(composer, per_token),
                               inverse_of(asked + unit_diagonal(composer, per_token)), 0),
                        "what each error has of each value");
}

inline double largest_strength(const Plan& plan) { return plan.algorithm().flag("overshoot") ? 2 : 1; }

/// σ(y W_NAME + b_NAME) of the tokens of the keys, up to `most`: [h, m, numbers of a head].
inline Expression shares_of_tokens(Composer& composer, const std::string& name, double most) {
    const Expression share = sigmoid_of(numbers_of_tokens(composer, name));
    return most == 1 ? share : most * share;
}

/// Pairs of a key and one that was written before it to the same state, [m, m]: each document has one of its
/// own, and padding none.
inline Expression pairs_with_written_before(Composer& composer) {
    const Plan& plan = composer.plan;
    std::vector<KeySpan> spans = plan.allowed.is_prefix()
                                     ? std::vector<KeySpan>{{0, std::ranges::max(plan.allowed.ends())}}
                                     : spans_of_keys(plan.allowed).value();
    if (spans == std::vector<KeySpan>{{0, plan.keys}})
        return pairs_with_earlier(composer);
    return composer.truth("is_written_before", {0, plan.keys, plan.keys},
                          "keys that were written before this one to the same state",
                          [spans = std::move(spans)](Index row, Index column) {
                              return std::ranges::any_of(spans, [row, column](const KeySpan& span) {
                                  return span.begin <= column && column < row && row < span.end;
                              });
                          });
}

/// What queries read of keys that are written as strongly as their tokens say, [h, n, m]. Gates of a head are
/// a factor of their products, and those of features stand within them.
inline Expression write_delta_read(Composer& composer, const Expression& query, const Expression& key,
                                   const Expression& strengths, const std::optional<SummedGates>& gates) {
    const std::string note = "what each query reads of what each token writes";
    if (gates && gates->so_far.extent().columns > 1)
        return composer.let("read_products",
                            composer.where_open(faded_products(query, key, gates, &SummedGates::at_read), 0) *
                                transposed(strengths),
                            note);
    Expression products =
        composer.let("similarities", composer.where_open(product_transposed(query, key), 0));
    if (gates)
        products =
            products *
            composer.let("decay_mask",
                         composer.where_open(left_between(gates->at_read, transposed(gates->so_far)), 0),
                         "what the gates leave of each key");
    return composer.let("read_products", products * transposed(strengths), note);
}

/// The map of keys of length 1. `gates_of_state` ends the names of the parameters that make the gates of the
/// state; empty: it has none. Lines that a run records as stages have their names.
inline Expression define_delta_rule(Composer& composer, const std::string& gates_of_state) {
    const Plan& plan = composer.plan;
    const Expression query = composer.let("query_features", composer.query * scale_of_queries(composer),
                                          "queries as they read the state");
    const Expression key = direction_of(composer, "unit_key", composer.key, "key_features");
    std::optional<SummedGates> gates;
    if (const auto logs =
            gates_of_state.empty() ? std::nullopt : log_forget_gates(composer, gates_of_state)) {
        const Expression so_far =
            write_summed_gates(composer, recorded_as(composer, "cumulative_gates", "log_gates_so_far"),
                               composer.let("log_gates", of_seen_keys(composer, *logs),
                                            "ln of what each token keeps of those before"));
        std::vector<Index> read_after;
        for (Index token = 0; token < plan.queries; ++token)
            read_after.push_back(newest_key(plan, token));
        gates = {so_far, rows_of_tokens(composer, "gates_at_read", so_far, read_after), so_far};
    }
    const Expression strengths = composer.let(
        "write_strengths", of_seen_keys(composer, shares_of_tokens(composer, "beta", largest_strength(plan))),
        "how much of each key is written");
    const Expression read = write_delta_read(composer, query, key, strengths, gates);
    const Expression asked =
        composer.let("asked_products",
                     choose(pairs_with_written_before(composer),
                            faded_products(key, key, gates, &SummedGates::at_ask) * transposed(strengths), 0),
                     "what each token finds of what each token before has written");
    const Expression inverse = write_inverse_of_asked(composer, asked);
    const Expression errors = composer.let("errors", product(inverse, of_seen_keys(composer, composer.value)),
                                           "values without what the state had answered");
    composer.let("weights", product(read, inverse), "what each query reads of each key");
    return composer.let("context", product(read, errors), "the values that each query gets");
}

/// Assigns, as `name`, what is left of each token at each later one by the logarithms of gates [h, n, 1]:
/// [h, n, n].
inline Expression left_by_gates(Composer& composer, const std::string& name, const Expression& log_gates,
                                const Expression& not_later, const std::string& note) {
    const Expression so_far = write_summed_gates(composer, name + "_so_far", log_gates);
    return composer.let(name, choose(not_later, left_between(so_far, transposed(so_far)), 0), note);
}

/// β = σ(y W_beta + b_beta), twice that where writes may overshoot, as `write_strengths` [h, n, per token].
inline Expression write_strengths_of_tokens(Composer& composer, double most = 1) {
    return composer.let("write_strengths", shares_of_tokens(composer, "beta", most),
                        "β: how much is written");
}

inline Option overshoot_option(bool standard, const std::string& of) {
    return flag_option("overshoot", "Overshoot", standard,
                       "Doubles every " + of + ": above 1, more than what was there is taken out.");
}

inline bool state_forgets(const Plan& plan) { return plan.algorithm().flag("forgets"); }

// What the stages are called.

inline DeclaredStage declared_log_gates(const std::string& projection) {
    return made_stage("log_gates", "Log gates",
                      {"ln of what each token keeps of those before it", token_operands(), projection},
                      {.lights = "read_products", .is_of_keys = true});
}

inline DeclaredStage declared_cumulative_gates(const std::string& logs = "log_gates") {
    return declared_cumulative_gates_stage({logs}, "read_products");
}

inline DeclaredStage declared_unit_keys() {
    return made_stage("unit_key_direction", "Directions of the keys", {"k / |k|", {{"key"}}, "÷ |k|\n→"},
                      {.lights = "read_products", .is_of_keys = true});
}

inline DeclaredStage declared_strengths() {
    return made_stage("write_strengths", "Write strengths",
                      {"β: how much is written", token_operands(), "× W_beta\n+ b_beta,\nsigmoid\n→"},
                      {.lights = "read_products", .is_of_keys = true});
}

/// What goes on of the motion of a state; `operation` makes it of a token.
inline DeclaredStage declared_momentum(const std::string& subtitle, const std::string& operation) {
    return made_stage("momentum_gates", "Momentum", {subtitle, token_operands(), operation},
                      {.lights = "left_of_writes", .is_of_keys = true, .is_share = true});
}

/// What a state that moves still has of each write.
inline DeclaredStage declared_left_of_writes(const std::string& subtitle,
                                             const std::vector<StageOperand>& operands) {
    return made_stage("left_of_writes", "What is left of writes",
                      {subtitle, operands, "gates in\nbetween\n→"},
                      {.lights = "weights", .role = StageRole::weights});
}

/// `query`, `asks` and `writes` are the stages of the vectors that read, that ask and that are written along,
/// `faded_by` those of what is left of a write.
inline std::vector<DeclaredStage>
declared_products(const std::string& writes, const std::string& asks, const std::string& query = "query",
                  const std::vector<StageOperand>& faded_by = {optional_stage("cumulative_gates", "and")}) {
    const auto operands = [&](const std::string& left) {
        std::vector<StageOperand> all{{left}, times_keys_of(writes)};
        all.insert(all.end(), faded_by.begin(), faded_by.end());
        return all;
    };
    return {made_stage("read_products", "Read products",
                       {"what each query reads of what each token writes", operands(query)},
                       {.lights = "weights", .role = StageRole::scores, .leaves_out_masked = true}),
            made_stage("asked_products", "Products of asking",
                       {"what each token finds of what those before it have written", operands(asks),
                        "those before\n→"},
                       {.lights = "weights", .role = StageRole::scores})};
}

/// The inverse of what is asked, and those of write_inverse_of_values() behind it, which is given the stage
/// `inverse`.
inline std::vector<DeclaredStage> declared_errors(const std::string& values,
                                                  const std::string& inverse = "inverse") {
    std::vector<DeclaredStage> stages = declared_inverse_of_values(
        "read_products", inverse, values, "errors: values without what the state had answered");
    stages.insert(stages.begin(),
                  made_stage("inverse", "Inverse of the system",
                             {"what each error has of each value", {{"asked_products"}}, "(I + L)⁻¹\n→"},
                             {.lights = "weights"}));
    return stages;
}

constexpr const char* why_state_is_of_one_sequence = "each token reads the state that it has written to";

}  // namespace headlight
