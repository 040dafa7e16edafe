#pragma once

#include "core/attention/defined_algorithms.h"

namespace headlight {

// States of columns that fade, each at a pace of its own, and are written to as much as they have faded. What
// column c holds of key j when query i reads is
//   left_ijc = writes_jc exp(exponent_jc - exponent_ic) / sum_ic.
// Gates f and writes 1 - f come to this, and so does a share: the softmax of the column over the keys that
// the query sees, which is what gates e^(z_{j-1} - z_j) and writes e^(s_j - z_j) leave, z_j being the
// logarithm of the sum of e^s up to j (Peng et al. 2022, Qin et al. 2024).
struct FadedColumns {
    Expression of_keys;                     ///< exponents, [h, m, c]
    Expression of_queries;                  ///< [h, n, c]
    std::optional<Expression> writes = {};  ///< [h, m, c]; none: 1
    std::optional<Expression> sum = {};     ///< [h, n, c]; none: 1
    std::optional<Expression> holds = {};   ///< [n, m], whether they hold a key; none: where the mask lets it
};

/// [h, rows, c] to [h c, rows, 1]: each column of a head as a head of its own.
inline Expression columns_as_heads(const Expression& x) {
    return split_heads(join_heads(x), x.extent().matrices() * x.extent().columns);
}

/// [h c, rows, 1] to [h, rows, c]. `heads` as in an extent: 0 where one tensor is that of all heads.
inline Expression heads_as_columns(const Expression& x, Index heads) {
    return split_heads(join_heads(x), heads);
}

/// Pairs [n, m] of a query and a key that are held where columns take a token so many tokens later.
inline Expression pairs_held(Composer& composer, Index delay) {
    return composer.truth("is_held", {0, composer.plan.queries, composer.plan.keys},
                          "keys that were written before the query reads",
                          [delay, plan = &composer.plan](Index query, Index key) {
                              return key + delay < plan->allowed.end(query);
                          });
}

/// `x` where the columns hold a key, else `otherwise`.
inline Expression where_held(Composer& composer, const FadedColumns& columns, const Expression& x,
                             const Expression& otherwise) {
    return columns.holds ? choose(*columns.holds, x, otherwise) : composer.where_open(x, otherwise);
}

/// S <- diag(f) S + w by the logarithms [h, m, c] of the gates f and by the writes w [h, m, c], `delay`
/// tokens after the token itself.
inline FadedColumns write_gated_columns(Composer& composer, const Expression& log_gates,
                                        const Expression& writes, Index delay = 0) {
    // As write_summed_gates(), with the sign of the exponents.
    const Expression so_far = composer.let(
        "faded_so_far", summed_so_far(smaller_of(-log_gates, -log_of_nothing)), "−ln of the gates, added up");
    FadedColumns columns{so_far, composer.let("faded_at_query", rows_of_newest_keys(composer, so_far, delay)),
                         writes};
    if (delay > 0)
        columns.holds = pairs_held(composer, delay);
    return columns;
}

/// The softmax of each column [h, m, c] over the keys that a query sees, but for the `delay` newest.
inline FadedColumns write_column_shares(Composer& composer, const Expression& columns, Index delay = 0) {
    FadedColumns result{.of_keys = columns, .of_queries = columns};
    if (delay > 0)
        result.holds = pairs_held(composer, delay);
    Expression seen = where_held(composer, result, transposed(columns_as_heads(columns)), minus_infinity());
    if (seen.extent().rows == 1)
        seen = some_rows(seen, std::vector<Index>(static_cast<std::size_t>(composer.plan.queries), 0));
    const Expression largest = composer.let("column_maximum", maximum_of_columns(seen));
    const Expression reach = finite_maximum(largest);
    const Expression sum = not_zero(sum_of_columns(exp_of(seen - reach)));
    const Index heads = columns.extent().heads;
    result.of_queries = composer.let("largest_seen", heads_as_columns(reach, heads),
                                     "the largest number of each column that a query sees");
    result.sum =
        composer.let("sum_seen", heads_as_columns(sum, heads), "the exponentials below it, added up");
    return result;
}

/// The sum over the keys of `products` [h, n, m] times what each column holds of each key, [h, n, c]. Each
/// head has columns of its own.
inline Expression sums_over_keys(Composer& composer, const Expression& products, const FadedColumns& left) {
    std::vector<Index> repeated;
    for (Index head = 0; head < composer.plan.heads; ++head)
        repeated.insert(repeated.end(), static_cast<std::size_t>(left.of_keys.extent().columns), head);
    Expression each =
        left_between(transposed(columns_as_heads(left.of_keys)), columns_as_heads(left.of_queries));
    if (left.writes)
        each = each * transposed(columns_as_heads(*left.writes));
    const Expression sums =
        sum_of_columns(where_held(composer, left, take_heads(products, repeated) * each, 0));
    return heads_as_columns(left.sum ? sums / columns_as_heads(*left.sum) : sums, composer.heads);
}

/// The sum over the columns of `factors` [h, n, c] times what each column holds of each key, [h, n, m].
inline Expression sums_over_columns(Composer& composer, const Expression& factors, const FadedColumns& left) {
    Expression each = left_row(left.sum ? composer.let("factors_over_sum", factors / *left.sum) : factors);
    if (left.writes)
        each = each * right_row(*left.writes);
    return where_held(composer, left,
                      sum_of_pairs(each * left_between(right_row(left.of_keys), left_row(left.of_queries))),
                      0);
}

/// The values by what queries, scaled where the option `scaled` says so, read of keys in such a state.
inline Expression write_read_columns(Composer& composer, const FadedColumns& keys) {
    const bool is_scaled = composer.plan.algorithm().flag("scaled");
    const Expression query = is_scaled
                                 ? composer.let("scaled_query", composer.query * scale_of_queries(composer))
                                 : composer.query;
    return write_attended_values(composer, composer.let("weights", sums_over_columns(composer, query, keys),
                                                        "what each query gives to each key"));
}

}  // namespace headlight
