#include "core/attention/component.h"
#include "core/attention/defined_rows.h"

namespace headlight {
namespace {

/// Rows of the largest spread are a softmax, others give all keys the same (Zhou et al. 2021, equation 3).
Expression define_prob_sparse(DefinedRows& rows) {
    const Expression counts = rows.key_counts();
    const Expression mean = rows.let("row_mean", sum_of_columns(rows.open_only(rows.scores) / counts),
                                     "the mean score of each row");
    const Expression largest = rows.let("largest_score", maximum_of_columns(rows.scores), "of each row");
    const Expression spread = rows.let("sparsity", rows.finite_largest(largest) - mean,
                                       "the largest score less the mean of the row");
    const Expression ranks =
        rows.let("row_ranks", transposed(rank_of(transposed(spread))), "how many queries come before");
    const auto count = static_cast<double>(option<Index>(rows.options(), "active"));
    const Expression is_active =
        rows.let("active_queries", as_number(is_above(count, ranks)), "1 for queries that attend");
    return choose(is_above(is_active, 0.5), rows.softmax(), rows.open_only(1 / counts));
}

}  // namespace

NormalizerComponent declare_normalizers_prob_sparse() {
    NormalizerComponent component;
    component.type = NormalizerType::prob_sparse;
    component.word = "prob_sparse";
    component.phrase = "softmax of the sharpest rows, else the mean";
    component.meaning =
        "softmax of the u rows in which the largest score is furthest above the mean, of equal ones the "
        "first; "
        "other queries give every key the same (ProbSparse attention of Informer, Zhou et al. 2021)";
    component.options = {{.name = "active",
                          .label = "Active queries u",
                          .standard = Index(3),
                          .minimum = 0,
                          .maximum = 65536,
                          .logarithmic = true,
                          .help =
                              "How many queries of each head attend; others get the mean of the values. The "
                              "paper has 5 ln n; all: a softmax.",
                          .minimum_word = "none"}};
    component.couples_rows = true;
    component.orders_scores = [](const Plan&) { return true; };
    component.declared_stages = {{.name = "sparsity",
                                  .title = "Spread of the rows",
                                  .subtitle = "the largest score less the mean",
                                  .lights = "weights",
                                  .role = StageRole::row},
                                 {.name = "active_queries",
                                  .title = "Active queries",
                                  .subtitle = "1 for those that attend",
                                  .lights = "weights",
                                  .role = StageRole::row}};
    component.define = define_prob_sparse;
    return component;
}

}  // namespace headlight
