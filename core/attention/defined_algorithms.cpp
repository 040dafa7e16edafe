#include "core/attention/defined_algorithms.h"

#include "core/attention/component.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <vector>

namespace headlight {

Expression pairs_not_later(Composer& composer, Index per_token) {
    const Index n = composer.plan.queries * per_token;
    return composer.truth("is_not_later", {0, n, n}, "this token and those before",
                          [](Index row, Index column) { return column <= row; });
}

Expression pairs_with_earlier(Composer& composer, Index per_token) {
    const Index n = composer.plan.queries * per_token;
    return composer.truth("is_earlier", {0, n, n}, "tokens before this one",
                          [](Index row, Index column) { return column < row; });
}

Expression pairs_with_itself(Composer& composer, Index per_token) {
    const Index n = composer.plan.queries * per_token;
    return composer.truth("is_own", {0, n, n}, "each token and itself",
                          [](Index row, Index column) { return column == row; });
}

void require_one_sequence(const Plan& plan, const std::string& algorithm, const std::string& why) {
    if (plan.spec.source.type != SourceType::self)
        throw Error({algorithm, "source", "self: " + why, "cross"});
}

void refuse_turned_vectors(const Plan& plan, const std::string& algorithm, const std::string& why) {
    const PositionComponent* position = component_of(plan.spec.position.type);
    if (position && position->turns_vectors)
        throw Error(
            {algorithm, "position", "none, or one that is added to the tokens: " + why, position->word});
}

Expression write_scaled_products(Composer& composer) {
    return composer.let("scores",
                        product_transposed(composer.query, composer.key) / root_of_head_width(composer),
                        "q · k / √d");
}

DeclaredStage declared_scaled_products() {
    return {.name = "scores",
            .title = "Scores",
            .subtitle = "q · k / √d",
            .operands = {{"query"},
                         {.stage = "key", .operator_before = "×", .transposed = true, .as_keys = true}},
            .operation = "÷ √d\n→",
            .role = StageRole::scores};
}

Expression root_of_head_width(const Composer& composer) {
    return root_of(static_cast<double>(composer.plan.head_key_width()));
}

Expression parameter_of_key_heads(Composer& composer, const std::string& name) {
    const Index kv_heads = composer.plan.kv_heads;
    return composer.of_query_heads(split_heads(composer.parameter(name), kv_heads > 1 ? kv_heads : 0));
}

Expression numbers_of_tokens(Composer& composer, const std::string& name) {
    return split_heads(composer.projected(composer.key_tokens, "W_" + name, "b_" + name), composer.heads);
}

Expression scale_of_queries(const Composer& composer) {
    return option<bool>(algorithm_options(composer), "scaled") ? 1 / root_of_head_width(composer) : 1;
}

Index newest_key(const Composer& composer, Index query) {
    return std::max<Index>(composer.plan.allowed.end(query) - 1, 0);
}

Expression rows_of_newest_keys(const Composer& composer, const Expression& rows) {
    std::vector<Index> newest;
    for (Index query = 0; query < composer.plan.queries; ++query)
        newest.push_back(newest_key(composer, query));
    return some_rows(rows, newest);
}

Expression with_unseen_keys(Composer& composer, const std::string& suffix, const Expression& row) {
    const Index unseen = composer.plan.keys - row.extent().columns;
    if (unseen == 0)
        return row;
    return join_columns(
        {row, composer.constant("unseen" + suffix, {composer.heads, 1, unseen}, "keys not yet seen",
                                [](Index, Index, Index) { return 0.0; })});
}

Expression summed_so_far(const Expression& rows) { return transposed(cumulative_sum(transposed(rows))); }

Expression write_summed_gates(Composer& composer, const std::string& name, const Expression& log_gates) {
    // A gate of 0 has a logarithm without end, and the difference of two such is no number.
    return composer.let(name, summed_so_far(larger_of(log_gates, log_of_nothing)),
                        "logarithms of the gates, added up");
}

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

Expression write_attended_values(Composer& composer, const Expression& weights) {
    return composer.let("context", product(weights, composer.value), "the values that each query gets");
}

Expression write_shares(Composer& composer, const Expression& kernel) {
    const Expression raw =
        composer.let("kernel_values", composer.where_open(kernel, 0), "what takes the place of exp(q · k)");
    const Expression sum = composer.let("kernel_sum", sum_of_columns(raw), "the sum of each row");
    return write_attended_values(
        composer, composer.let("weights", raw / not_zero(sum), "what each query gives to each key"));
}

Expression write_gated_products(Composer& composer, const std::optional<Expression>& log_gates,
                                const Expression& keys) {
    std::optional<Expression> products;
    if (log_gates) {
        const Expression so_far = write_summed_gates(composer, "log_gates_so_far", *log_gates);
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

}  // namespace headlight
