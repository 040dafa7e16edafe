#include "core/attention/defined_algorithms.h"

#include <algorithm>
#include <vector>

namespace headlight {

Expression root_of_head_width(const Composer& composer) {
    return root_of(static_cast<double>(composer.plan.head_key_width()));
}

Expression scale_of_queries(const Composer& composer) {
    return option<bool>(algorithm_options(composer), "scaled") ? 1 / root_of_head_width(composer) : 1;
}

Index newest_key(const Composer& composer, Index query) {
    return std::max<Index>(composer.plan.allowed.end(query) - 1, 0);
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
    const Plan& plan = composer.plan;
    std::optional<Expression> products;
    if (log_gates) {
        // A gate of 0 has a logarithm without end, and the difference of two such is no number: a power of
        // this one is 0 as well.
        constexpr double nothing_is_kept = -746;
        const Expression so_far =
            composer.let("log_gates_so_far", summed_so_far(larger_of(*log_gates, nothing_is_kept)),
                         "logarithms of the gates, added up");
        std::vector<Index> newest;
        for (Index query = 0; query < plan.queries; ++query)
            newest.push_back(newest_key(composer, query));
        const Expression reached = composer.let("log_gates_at_query", some_rows(so_far, newest));
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
