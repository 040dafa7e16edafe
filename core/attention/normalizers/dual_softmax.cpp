#include "core/attention/component.h"
#include "core/attention/defined_rows.h"

namespace headlight {
namespace {

/// Softmax over the queries of each key.
Expression softmax_of_columns(DefinedRows& rows) {
    const Expression largest =
        rows.let("column_maximum", maximum_of_rows(rows.scores), "the largest score of each column");
    const Expression reach = rows.has_forbidden ? finite_maximum(largest) : largest;
    const Expression exponentials =
        rows.let("column_exponentials", exp_of(rows.open_over_temperature(rows.scores - reach)),
                 "exp(score − largest of its column)");
    const Expression sum = rows.let("column_sum", sum_of_rows(exponentials), "the sum of each column");
    return exponentials / (rows.has_forbidden ? not_zero(sum) : sum);
}

Expression define_dual_softmax(DefinedRows& rows) {
    const Expression of_rows =
        rows.let("row_shares", rows.softmax(), "how much of its look a query gives to the key");
    const Expression of_columns = rows.let("column_shares", softmax_of_columns(rows),
                                           "how much of the looks at the key are the query’s");
    return of_rows * of_columns;
}

}  // namespace

NormalizerComponent declare_normalizers_dual_softmax() {
    NormalizerComponent component;
    component.phrase = "softmax of rows times softmax of columns";
    component.meaning = "softmax over the keys of each query, times softmax over the queries of each key: a "
                        "pair counts where each is the other’s choice (Sun et al. 2021, LoFTR)";
    component.couples_rows = true;
    component.declared_stages = {
        declared_shares_stage("row_shares", "Shares of the rows", {"softmax of each row"}),
        declared_shares_stage("column_shares", "Shares of the columns", {"softmax of each column"})};
    component.define = define_dual_softmax;
    return component;
}

}  // namespace headlight
