#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/spec_words.h"
#include "core/attention/work.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

double ridge_of_line(const Plan& plan) { return plan.algorithm().number("lambda"); }

/// The rows of all heads one below another, in `heads` heads of as many rows each. Each query has a system of
/// equations of its own: a head for each, [h n, 1, c], solves them all at once.
Expression in_heads(const Expression& x, Index heads) {
    return split_rows(transposed(join_heads(transposed(x))), heads);
}

/// The keys that each query meets, [h n, m, d]; [m, d] where all heads have the same.
Expression keys_of_queries(const Composer& composer) {
    std::vector<Index> head_of_query;
    for (Index head = 0; head < composer.plan.heads; ++head)
        head_of_query.insert(head_of_query.end(), static_cast<std::size_t>(composer.plan.queries), head);
    return take_heads(composer.key, head_of_query);
}

/// A line is fitted to the values by least squares under the weights p; what it says at the query is
/// Σ pⱼ (1 + (kⱼ − k̄) · (C + λ I)⁻¹ (q − k̄)) vⱼ, C the covariance of the keys. By the formula of Sherman
/// and Morrison this is the paper's pⱼ (1 − zⱼ · ρ) / (1 − z̄ · ρ) with z = k − q and
/// ρ = (Σ p z zᵀ + λ I)⁻¹ z̄, but nothing is taken from 1 that may be next to it, and a key that is the mean
/// leans by exactly 0.
Expression define_local_linear(Composer& composer, const Expression& weights) {
    const Plan& plan = composer.plan;
    const Index d = plan.head_key_width(), queries = plan.heads * plan.queries;
    const Expression means =
        composer.let("mean_key", product(weights, composer.key), "k̄: the key that each query expects");
    const Expression offsets =
        composer.let("query_offset", composer.query - means, "q − k̄: where the query lies beside it");
    const Expression shares =
        composer.let("weights_of_queries", transposed(in_heads(weights, queries)), "a column for each query");
    const Expression centred = composer.let(
        "centred_keys", keys_of_queries(composer) - in_heads(means, queries), "k − k̄, for each query");
    const Expression ridge = ridge_of_line(plan) * unit_matrix(composer, d);
    const Expression systems = composer.let(
        "key_covariance", product(transposed(shares * centred), centred) + ridge, "C + λ I, for each query");
    const Expression solved =
        composer.let("solutions_of_queries", product(in_heads(offsets, queries), inverse_of(systems)),
                     "a row for each query");
    composer.let("solved_offset", in_heads(solved, composer.heads), "(C + λ I)⁻¹ (q − k̄)");
    const Expression lean = composer.let(
        "leanings", composer.where_open(in_heads(product_transposed(solved, centred), composer.heads), 0),
        "how far each key lies on the query’s side of the mean");
    return composer.let("weights", weights * (1 + lean), "weights of a line, not of a mean");
}

/// The line is fitted under weights that sum to 1, of one head, over keys that a query can lie among.
void check_local_linear(const Plan& plan) {
    const std::string what = "local_linear algorithm";
    require_softmax(plan, what, "a row has to sum to 1");
    if (plan.spec.selection.type == SelectionType::predicted_window)
        throw Error(
            {what, "selection", "one that leaves the sum of a row at 1", to_word(plan.spec.selection.type)});
    refuse_mixed_heads(plan, what);
    if (plan.head_query_width() != plan.head_key_width())
        throw Error({what, "query", "queries of the keys’ width, " + std::to_string(plan.head_key_width()),
                     std::to_string(plan.head_query_width())});
}

}  // namespace

AlgorithmComponent declare_algorithms_local_linear() {
    AlgorithmComponent component;
    component.meaning =
        "o = E_p[v] + Cov_p(v, k) (Cov_p(k) + λ I)⁻¹ (q − E_p[k]) with p what the other parts of the spec "
        "give: the value at q of a line fitted to the keys, where softmax attention fits a constant (Zuo et "
        "al. 2026)";
    component.options = {
        number_option("lambda", "Ridge λ", 1.0, logarithmic_range(0.001, 1e6),
                      "How strongly the line is held level; the larger, the more it is the softmax alone.")};
    component.is_composed = true;
    component.changes_weights = true;
    component.takes_any_mask = true;
    component.check = check_local_linear;
    component.cost = [](const Plan& plan) -> AlgorithmCost {
        const Index d = plan.head_key_width(), queries = plan.heads * plan.queries;
        // The mean, the products with the solution and the covariances of the keys; then a system for each.
        return {.multiply_adds = work({queries, plan.keys, d, d + 2}) + work({queries, d, d, d + 1})};
    };
    component.declared_stages = {
        made_stage(
            "mean_key", "Expected key",
            {"k̄: the mean of the keys under the weights", {{"soft_weights"}, keys_of("key", "×")}, "="},
            {.lights = "weights", .has_features = true}),
        made_stage("query_offset", "Query beside the expected key",
                   {"q − k̄", {{"query"}, {"mean_key", "−"}}, "="},
                   {.lights = "weights", .has_features = true}),
        made_stage(
            "solved_offset", "Solved offset",
            {"(C + λ I)⁻¹ (q − k̄), C the covariance of the keys", {{"query_offset"}}, "× (C + λ I)⁻¹\n→"},
            {.lights = "weights", .has_features = true}),
        made_stage("leanings", "Leanings",
                   {"how far each key lies on the query’s side of the mean",
                    {{"solved_offset"}, times_keys_of("key")},
                    "− that of\nthe mean\n→"},
                   {.lights = "weights", .role = StageRole::scores}),
        declared_weights_stage({"p (1 + leaning): a row still sums to 1",
                                {{"soft_weights"}, {"leanings", "and"}},
                                "p (1 + leaning)\n→"})};
    component.define_weights = define_local_linear;
    return component;
}

}  // namespace headlight
