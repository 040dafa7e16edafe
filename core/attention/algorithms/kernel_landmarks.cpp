#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// How many means stand for the queries, and as many for the keys that are no padding.
Index kernel_landmark_count(const Plan& plan) {
    return std::min({plan.algorithm().count("landmarks"), plan.queries, plan.allowed.end(0)});
}

/// −|a − b|² / (2 √d) of all pairs of rows.
Expression exponents_of_pairs(const Composer& composer, const Expression& left, const Expression& right) {
    const Expression difference = left_row(left) - right_row(right);
    const double bell = 2 * std::sqrt(static_cast<double>(composer.plan.head_key_width()));
    return -sum_of_pairs(difference * difference) / bell;
}

Expression define_kernel_landmarks(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index real = plan.allowed.end(0), count = kernel_landmark_count(plan);
    if (count == 0) {
        const Expression none =
            composer.zeros("nothing", {composer.heads, plan.queries, plan.keys}, "no key is seen");
        return write_attended_values(composer, composer.let("weights", none));
    }
    const Expression of_queries = product(
        means_of_segments(composer, "query_segments", count, plan.queries, plan.queries), composer.query);
    const Expression of_keys =
        product(means_of_segments(composer, "key_segments", count, real, plan.keys), composer.key);
    // Keys that all heads share are the landmarks of each.
    const std::vector<Index> first(static_cast<std::size_t>(composer.heads), 0);
    const bool is_shared = of_keys.extent().heads != of_queries.extent().heads;
    const Expression landmarks = composer.let(
        "kernel_points", join_rows({of_queries, is_shared ? take_heads(of_keys, first) : of_keys}),
        "means of the queries, and below them of the keys");
    const Expression to =
        composer.let("kernel_to_points", exp_of(exponents_of_pairs(composer, composer.query, landmarks)),
                     "what each query is to each landmark");
    const Expression map =
        composer.let("kernel_of_points", exp_of(exponents_of_pairs(composer, landmarks, landmarks)),
                     "what landmarks are to one another");
    const Expression from = composer.let(
        "kernel_from_points",
        exp_of(scores_of_real_keys(composer, exponents_of_pairs(composer, landmarks, composer.key))),
        "what each landmark is to each key");
    const Index size = map.extent().rows;
    const Expression ridge = composer.plan.algorithm().number("lambda") * unit_matrix(composer, size);
    const Expression inverse =
        composer.let("kernel_inverse", inverse_of(map + ridge), "of the landmarks’ kernel and the ridge");
    const Expression left = composer.let("kernel_left_factor", product(to, inverse));
    return write_attended_values(composer,
                                 composer.let("weights", product(left, from), "through the landmarks"));
}

}  // namespace

AlgorithmComponent declare_algorithms_kernel_landmarks() {
    AlgorithmComponent component;
    component.meaning =
        "A ≈ κ(Q, Z) (κ(Z, Z) + λ I)⁻¹ κ(Z, K), κ(a, b) = exp(−|a − b|² / (2 √d)), Z means of segments of "
        "queries and of keys: a Gaussian kernel by way of a few landmarks, without a sum over the row (Chen "
        "et al. 2021; Lu et al. 2021, whose queries are the keys)";
    component.options = {
        count_option(
            "landmarks", "Landmarks", 4, logarithmic_range(1, 1024),
            "How many means stand for the queries, and how many for the keys; no more than there are."),
        number_option("lambda", "Ridge λ", 0.01, logarithmic_range(1e-4, 10),
                      "What is added to the diagonal of the landmarks’ kernel, which landmarks that are "
                      "alike would leave without an inverse.")};
    component.needs_one_end = true;
    component.declared_stages = {
        made_stage("kernel_points", "Landmarks",
                   {"means of the queries, and below them of the keys",
                    {{"query"}, keys_of("key", "and")},
                    "means of\nsegments\n→"},
                   {.lights = "weights", .is_of_features = true, .has_features = true, .row = "landmark"}),
        made_stage("kernel_to_points", "Kernel of queries and landmarks",
                   {"κ(Q, Z)", {{"query"}, {"kernel_points", "and"}}, "exp(−|·|² / 2√d)\n→"},
                   {.lights = "weights", .has_features = true, .column = "landmark", .is_share = true}),
        made_stage("kernel_of_points", "Kernel of the landmarks",
                   {"κ(Z, Z)", {{"kernel_points"}}, "exp(−|·|² / 2√d)\n→"},
                   between_parts("landmark", "landmark", {.lights = "weights", .is_share = true})),
        made_stage("kernel_from_points", "Kernel of landmarks and keys",
                   {"κ(Z, K)", {{"kernel_points"}, keys_of("key", "and")}, "exp(−|·|² / 2√d)\n→"},
                   {.lights = "weights", .is_of_features = true, .row = "landmark", .is_share = true}),
        made_stage("kernel_inverse", "Inverse of the landmarks’ kernel",
                   {"(κ(Z, Z) + λ I)⁻¹", {{"kernel_of_points"}}, "+ λ I,\ninverse\n→"},
                   between_parts("landmark", "landmark", {.lights = "weights"})),
        declared_weights_stage({"κ(Q, Z) (κ(Z, Z) + λ I)⁻¹ κ(Z, K)",
                                {{"kernel_to_points"}, {"kernel_inverse", "×"}, {"kernel_from_points", "×"}},
                                "="})};
    component.define = define_kernel_landmarks;
    return component;
}

}  // namespace headlight
