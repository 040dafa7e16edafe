#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

/// Rows of a window, and what full rows at every so many queries have beyond it (Willette et al. 2025).
Expression define_delta_correction(Composer& composer) {
    const Plan& plan = composer.plan;
    const Options& options = composer.plan.algorithm();
    const auto window = options.count("window"), first = options.count("first"),
               stride = options.count("stride");
    const auto end = [&plan](Index query) { return plan.allowed.end(query); };
    const auto full_query = [stride](Index query) { return query / stride * stride; };
    std::vector<Index> full_queries;
    for (Index query = 0; query < plan.queries; ++query)
        full_queries.push_back(full_query(query));

    const Expression scores = write_scaled_products(composer);
    const Expression is_near =
        composer.truth("is_near", {0, plan.queries, plan.keys},
                       "the newest keys that a query sees, and the first ones", [=](Index row, Index column) {
                           return column < end(row) && (column < first || column + window >= end(row));
                       });
    const Expression near = softmax_of(composer, "sparse_weights", choose(is_near, scores, minus_infinity()));
    const Expression is_seen =
        composer.truth("is_seen", {0, plan.queries, plan.keys}, "keys that the last full query sees",
                       [=](Index row, Index column) { return column < end(full_query(row)); });
    const Expression full = softmax_of(composer, "full_weights",
                                       choose(is_seen, some_rows(scores, full_queries), minus_infinity()));
    const Expression missing = composer.let("missing_weights", full - some_rows(near, full_queries),
                                            "what the window lacks at the last full query");
    return write_attended_values(
        composer, composer.let("weights", near + missing, "the window’s, and what it lacked there"));
}

}  // namespace

AlgorithmComponent declare_algorithms_delta_correction() {
    AlgorithmComponent component;
    component.meaning =
        "A_i = S_i + F_a − S_a, a = ⌊i / g⌋ g: S the softmax of q · k / √d over the newest keys and the "
        "first, F over all: what sparse rows lack is found at every g-th query and added to those after it "
        "(delta attention, Willette et al. 2025)";
    component.options = {
        count_option(
            "stride", "Queries from full row to full row", 4, token_counts,
            "Every so many queries, from the first one on, a row is computed in full; with 1 every row is."),
        count_option(
            "window", "Window", 3, token_counts,
            "How many of the newest keys that a query sees it looks at in a sparse row, its own among them."),
        count_option("first", "First keys", 1, logarithmic_range(0, 65536),
                     "How many keys at the beginning every sparse row has as well, as sinks.", "none")};
    component.declared_stages = {
        declared_scores_stage(),
        declared_shares_stage(
            "sparse_weights", "Weights of sparse rows",
            {"softmax over the newest keys and the first", {{"scores"}}, "newest and first,\nsoftmax\n→"}),
        declared_shares_stage("full_weights", "Full rows, repeated",
                              {"softmax over all keys of every g-th query, for those after it as well",
                               {{"scores"}},
                               "every g-th row,\nsoftmax\n→"}),
        made_stage("missing_weights", "What the window lacks",
                   {"at the last full query", {{"full_weights"}, {"sparse_weights", "−"}}, "of that row\n→"},
                   {.colours_of = "weights",
                    .lights = "weights",
                    .role = StageRole::weights,
                    .leaves_out_masked = true}),
        declared_weights_stage({"the window’s, and what it lacked at the last full query",
                                {{"sparse_weights"}, {"missing_weights", "+"}},
                                "="})};
    component.define = define_delta_correction;
    return component;
}

}  // namespace headlight
