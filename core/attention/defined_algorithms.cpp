#include "core/attention/defined_algorithms.h"

#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/selected_keys.h"

#include <algorithm>
#include <vector>

namespace headlight {

Expression pairs_not_later(Composer& composer, Index per_token) {
    const Index m = composer.plan.keys * per_token;
    return composer.truth(
        "is_not_later", {0, m, m}, "this token and those before",
        [](Index row, Index column) { return column <= row; }, "j <= i");
}

Expression pairs_with_earlier(Composer& composer, Index per_token) {
    const Index m = composer.plan.keys * per_token;
    return composer.truth(
        "is_earlier", {0, m, m}, "tokens before this one",
        [](Index row, Index column) { return column < row; }, "j < i");
}

Expression pairs_with_itself(Composer& composer, Index per_token) {
    const Index m = composer.plan.keys * per_token;
    return composer.truth(
        "is_own", {0, m, m}, "each token and itself", [](Index row, Index column) { return column == row; },
        "i == j");
}

Expression sum_of_heads(Composer& composer, const Expression& x) {
    const Index heads = x.extent().heads;
    if (heads <= 1)
        return join_heads(x);
    const Expression ones = composer.constant("all_heads", {0, 1, heads}, "1 for each head",
                                              [](Index, Index, Index) { return 1.0; });
    return join_heads(mix_heads(ones, x));
}

Expression write_scaled_products(Composer& composer) {
    return composer.let("scores", scaled_products(composer, composer.query, composer.key), "q · k / √d");
}

DeclaredStage declared_scores_stage() {
    return declared_scores_stage({"q · k / √d", {{"query"}, times_keys_of("key")}, "÷ √d\n→"});
}

DeclaredStage declared_scores_stage(StageOrigin origin, StageTraits rest) {
    rest.role = StageRole::scores;
    return made_stage("scores", "Scores", std::move(origin), std::move(rest));
}

DeclaredStage declared_weights_stage() {
    return declared_weights_stage({"", {{"scores"}}, "softmax\n→"}, {.is_share = true});
}

DeclaredStage declared_weights_stage(StageOrigin origin, StageTraits rest) {
    rest.lights = "output";
    rest.role = StageRole::weights;
    rest.leaves_out_masked = true;
    return made_stage("weights", "Weights", std::move(origin), std::move(rest));
}

DeclaredStage declared_softmax_stage(const std::string& scores, std::string name, std::string title,
                                     std::string subtitle, StageTraits rest) {
    rest.is_share = true;
    return made_stage(std::move(name), std::move(title), {std::move(subtitle), {{scores}}, "softmax\n→"},
                      std::move(rest));
}

DeclaredStage declared_attended_stage() {
    return made_stage("attended", "Weighted values",
                      {"the sum of each weight times its value", {{"weights"}, keys_of("value", "×")}, "="},
                      {.colours_of = "value", .lights = "context"});
}

DeclaredStage declared_own_context_stage(StageOrigin origin, StageTraits rest) {
    rest.colours_of = "value";
    rest.lights = "output";
    return made_stage("context", "Context", std::move(origin), std::move(rest));
}

DeclaredStage declared_context_stage(const std::string& values, const std::string& subtitle,
                                     const std::string& operation) {
    return declared_own_context_stage({subtitle, {{"weights"}, keys_of(values, "×")}, operation});
}

Expression unit_matrix(Composer& composer, Index size, const std::string& name) {
    return composer.constant(name, {0, size, size}, "1 on the diagonal",
                             [](Index, Index row, Index column) { return row == column ? 1.0 : 0.0; });
}

Expression root_of_head_width(const Composer& composer) {
    return root_of(static_cast<double>(composer.plan.head_key_width()));
}

Expression scaled_products(const Composer& composer, const Expression& query, const Expression& key) {
    return product_transposed(query, key) / root_of_head_width(composer);
}

Expression positive_features(const Expression& x) { return choose(is_above(x, 0), x + 1, exp_of(x)); }

Expression parameter_of_key_heads(Composer& composer, const std::string& name) {
    const Index kv_heads = composer.plan.kv_heads;
    return composer.of_query_heads(split_heads(composer.parameter(name), kv_heads > 1 ? kv_heads : 0));
}

Expression numbers_of_tokens(Composer& composer, const std::string& name) {
    return composer.projected_by_heads(composer.key_tokens, "W_" + name, "b_" + name);
}

Expression scale_of_queries(const Composer& composer) {
    return composer.plan.algorithm().flag("scaled") ? 1 / root_of_head_width(composer) : 1;
}

Index newest_key(const Plan& plan, Index query) { return std::max<Index>(plan.allowed.end(query) - 1, 0); }

Expression value_tokens_of(const Composer& composer) {
    for (const char* name : {"placed_value_tokens", "value_tokens"})
        if (composer.program.has(name))
            return composer.program.tensor(name);
    return composer.key_tokens;
}

Expression rows_of_newest_keys(const Composer& composer, const Expression& rows, Index before) {
    std::vector<Index> newest;
    for (Index query = 0; query < composer.plan.queries; ++query)
        newest.push_back(std::max<Index>(newest_key(composer.plan, query) - before, 0));
    return some_rows(rows, newest);
}

Expression write_no_weights(Composer& composer) {
    return composer.zeros("no_weights", {composer.heads, 1, composer.plan.keys}, "nothing is seen");
}

Expression write_least_kept(Composer& composer, const Expression& numbers, Index count,
                            const std::string& note) {
    return composer.let("least_kept", some_columns(descending(numbers), {count - 1}), note);
}

Expression with_unseen_keys(Composer& composer, const std::string& suffix, const Expression& row) {
    const Index unseen = composer.plan.keys - row.extent().columns;
    if (unseen == 0)
        return row;
    return join_columns(
        {row, composer.zeros("unseen" + suffix, {composer.heads, 1, unseen}, "keys not yet seen")});
}

Expression of_seen_keys(Composer& composer, const Expression& x, double otherwise) {
    const std::vector<std::uint8_t> seen = real_keys(composer.plan);
    if (std::ranges::find(seen, 0) == seen.end())
        return x;
    return choose(
        composer.truth("is_seen_at_all", {0, composer.plan.keys, 1}, "keys that some query sees",
                       [seen](Index row, Index) { return seen[static_cast<std::size_t>(row)] != 0; }),
        x, otherwise);
}

Expression summed_so_far(const Expression& rows) { return transposed(cumulative_sum(transposed(rows))); }

Expression left_between(const Expression& reader, const Expression& written) {
    // The difference is above 0 where the reader comes first, and its exponential might be too large.
    // Elsewhere it is at most 0, where a bound of 0 would have a say in the gradient.
    return exp_of(smaller_of(reader - written, 1));
}

Expression scores_of_real_keys(Composer& composer, const Expression& scores) {
    const Index real = composer.plan.allowed.end(0), keys = composer.plan.keys;
    if (real == keys)
        return scores;
    return choose(composer.truth("is_real_key", {0, 1, keys}, "keys that are no padding",
                                 [=](Index, Index column) { return column < real; }),
                  scores, minus_infinity());
}

Expression means_of_segments(Composer& composer, const std::string& name, Index count, Index size,
                             Index rows) {
    return composer.constant(
        name, {0, count, rows}, "means of neighbours", [=](Index, Index row, Index column) {
            const Index begin = row * size / count, end = (row + 1) * size / count;
            return column >= begin && column < end ? 1 / static_cast<double>(end - begin) : 0.0;
        });
}

Expression scores_of_kept_keys(Composer& composer, const Expression& scores) {
    const SelectionComponent* selection = component_of(composer.plan.spec.selection.type);
    const std::optional<Expression> kept = selection ? selection->define(composer, scores) : std::nullopt;
    return kept ? choose(*kept, scores, minus_infinity()) : composer.where_open(scores, minus_infinity());
}

Expression normalized_of(Composer& composer, const std::string& name, const Expression& scores,
                         const std::string& suffix, bool leaves_out, Index map) {
    if (is_plain_softmax(composer.plan.spec.normalizer))
        return softmax_of(composer, name, scores);
    const bool has_name = scores->operation == Operation::tensor;
    DefinedRows rows(composer, has_name ? scores : composer.let("scores" + suffix, scores), suffix);
    rows.map = map;
    rows.has_forbidden = rows.has_forbidden || leaves_out;
    rows.may_be_empty = rows.may_be_empty || leaves_out;
    return composer.let(name, define_weights(rows), "by the normaliser");
}

std::string recorded_as(const Composer& composer, const char* stage, const char* line) {
    return gives_prefixes(composer.plan.spec.mask) ? line : stage;
}

Expression write_attended_values(Composer& composer, const Expression& weights) {
    return composer.let("context", product(weights, composer.value), "the values that each query gets");
}

Expression write_shares(Composer& composer, const Expression& kernel, const std::string& name,
                        const std::string& sum) {
    const Expression raw =
        composer.let(name, composer.where_open(kernel, 0), "what takes the place of exp(q · k)");
    const Expression of_row = composer.let(sum, sum_of_columns(raw), "the sum of each row");
    return write_attended_values(
        composer, composer.let("weights", raw / not_zero(of_row), "what each query gives to each key"));
}

Expression write_shares_of_similarities(Composer& composer, const Expression& kernel) {
    return write_shares(composer, kernel, "similarities", "row_sum");
}

Expression sum_of_positive_row(Composer& composer, const Expression& numbers) {
    const Expression sum = sum_of_columns(numbers);
    if (!composer.mask_excludes())
        return sum;
    const Index keys = composer.plan.keys;
    return choose(composer.truth("sees_a_key", {0, composer.plan.queries, 1}, "queries that see a key",
                                 [keys, may_meet = composer.may_meet](Index query, Index) {
                                     for (Index key = 0; key < keys; ++key)
                                         if (may_meet(query, key))
                                             return true;
                                     return false;
                                 }),
                  sum, 1);
}

Expression write_summed_gates(Composer& composer, const std::string& name, const Expression& log_gates,
                              const Expression& least) {
    return composer.let(name, summed_so_far(larger_of(log_gates, least)),
                        "logarithms of the gates, added up");
}

Expression write_gated_products(Composer& composer, const std::optional<Expression>& log_gates,
                                const Expression& keys) {
    std::optional<Expression> products;
    if (log_gates) {
        const Expression so_far = write_summed_gates(
            composer, recorded_as(composer, "cumulative_gates", "log_gates_so_far"), *log_gates);
        const Expression reached = composer.let("log_gates_at_query", rows_of_newest_keys(composer, so_far));
        products = sum_of_pairs(left_row(composer.query) * right_row(keys) *
                                exp_of(left_row(reached) - right_row(so_far)));
    } else {
        products = product_transposed(composer.query, keys);
    }
    return write_attended_values(
        composer, composer.let("weights", composer.where_open(*products * scale_of_queries(composer), 0),
                               "products that fade by the gates"));
}

DeclaredStage declared_cumulative_gates_stage(const StageOperand& log_gates, const std::string& lights) {
    return made_stage("cumulative_gates", "Running sums of log gates", {"", {log_gates}, "added up\n→"},
                      {.lights = lights, .is_of_keys = true});
}

DeclaredStage declared_decay_mask_stage(const std::string& subtitle, const StageOperand& exponents,
                                        const std::string& operation) {
    return made_stage(
        "decay_mask", "Decay mask", {subtitle, {exponents}, operation},
        {.lights = "weights", .role = StageRole::weights, .is_share = true, .leaves_out_masked = true});
}

DeclaredStage declared_query_features_stage() {
    return made_stage("query_features", "Features of the queries", {"φ(q)", {{"query"}}, "φ\n→"},
                      {.lights = "similarities", .has_features = true});
}

DeclaredStage declared_key_features_stage() {
    return made_stage(
        "key_features", "Features of the keys", {"φ(k)", {keys_of("key")}, "φ\n→"},
        {.colours_of = "query_features", .lights = "similarities", .is_of_keys = true, .has_features = true});
}

DeclaredStage declared_similarities_stage(const std::string& subtitle, const std::string& operation) {
    return made_stage("similarities", "Similarities",
                      {subtitle, {{"query"}, times_keys_of("key")}, operation},
                      {.lights = "weights", .role = StageRole::scores});
}

}  // namespace headlight
