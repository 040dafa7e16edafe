#include "core/attention/algorithms/value_convolution.h"
#include "core/tensor/random.h"

#include <cmath>
#include <numbers>

namespace headlight {
namespace {

/// The lengths [h, n, m] whose squares these are. A root has no slope at 0, where two vectors are one.
Expression lengths_of(const Expression& squares) { return choose(is_above(squares, 0), root_of(squares), 0); }

/// Assigns `angles` [h, n, m] between queries and keys: twice the arc tangent of |q̂ − k̂| / |q̂ + k̂|, which
/// has all digits where arccos(q̂ · k̂) has lost half of them, as for vectors that are nearly one. It is a
/// right angle where a vector is 0.
Expression write_angles(Composer& composer) {
    const Expression queries = direction_of(composer, "query", composer.query),
                     keys = direction_of(composer, "key", composer.key);
    const Expression difference = left_row(queries) - right_row(keys),
                     sum = left_row(queries) + right_row(keys);
    const Expression apart = composer.let("apart", lengths_of(sum_of_pairs(difference * difference)),
                                          "how long the difference of both directions is");
    const Expression together =
        composer.let("together", lengths_of(sum_of_pairs(sum * sum)), "how long their sum is");
    return composer.let("pair_angles",
                        choose(is_above(together, 0), 2 * arctan_of(apart / not_zero(together)),
                               choose(is_above(apart, 0), std::numbers::pi, std::numbers::pi / 2)),
                        "between query and key: from 0 to π");
}

/// (1 − angle / π)^τ: the chance that τ hyperplanes leave both on one side (Zeng et al. 2021).
Expression write_hash_chances(Composer& composer, Index planes) {
    const Expression angles = write_angles(composer);
    return composer.where_open(power_of(1 - angles / std::numbers::pi, static_cast<double>(planes)), 0);
}

/// In how many of the rounds, of τ drawn hyperplanes each, both lie on one side of all of them, as a share.
Expression write_drawn_hashes(Composer& composer, Index planes, Index rounds) {
    const Index width = composer.plan.head_query_width();
    const std::uint64_t stream = substream(composer.plan.seed, "hyperplanes");
    std::optional<Expression> same;
    for (Index round = 1; round <= rounds; ++round) {
        const Index first = (round - 1) * planes;
        const Expression normals = composer.constant(
            numbered("hyperplanes_", round), {0, planes, width}, "vectors at right angles to drawn planes",
            [=](Index, Index row, Index column) {
                return standard_normal(stream, static_cast<std::uint64_t>((first + row) * width + column));
            });
        // Over the largest number no product overflows, and which side it is on stays.
        const auto sides = [&](const char* name, const Expression& x) {
            return composer.let(numbered(name, round),
                                2 * as_number(is_above(product_transposed(over_largest(x), normals), 0)) - 1,
                                "1 and −1: on which side of each plane");
        };
        const Expression query = sides("query_sides_", composer.query),
                         key = sides("key_sides_", composer.key);
        const Expression has_one_hash = composer.let(
            numbered("has_one_hash_", round),
            as_number(is_above(product_transposed(query, key), static_cast<double>(planes) - 0.5)),
            "1 where both are on one side of every plane");
        same = same ? *same + has_one_hash : has_one_hash;
    }
    return composer.where_open(*same / static_cast<double>(rounds), 0);
}

Expression define_yoso(Composer& composer) {
    const Index planes = composer.plan.algorithm().count("hashes");
    const Index rounds = composer.plan.algorithm().count("rounds");
    const Expression weights = composer.let(
        "weights",
        rounds > 0 ? write_drawn_hashes(composer, planes, rounds) : write_hash_chances(composer, planes),
        rounds > 0 ? "how often both have one hash" : "the chance that both have one hash");
    const bool is_normalized = composer.plan.algorithm().flag("normalized");
    if (!is_normalized && value_filter_size(composer.plan) == 0)
        return write_attended_values(composer, weights);
    const Expression attended =
        composer.let("attended", product(weights, composer.value), "weights times values");
    const Expression answer = is_normalized ? direction_of(composer, "attended", attended) : attended;
    return composer.let("context", with_filtered_values(composer, answer),
                        "at length 1, unless that is left out, and what a filter adds");
}

}  // namespace

AlgorithmComponent declare_algorithms_yoso() {
    AlgorithmComponent component;
    component.meaning =
        "A = (1 − arccos(q̂ · k̂) / π)^τ, the chance that τ random hyperplanes have query and key on one "
        "side: what YOSO’s hashes give in the mean, or with drawn ones the share in which they are; each "
        "context is divided by its length (Zeng et al. 2021)";
    component.options = {
        count_option("hashes", "Hyperplanes τ", 8, {1, 64},
                     "How many bits a hash has: the more, the less is left of large angles. 9 are usual."),
        flag_option("normalized", "At length 1", true,
                    "Whether each context is divided by its length, in the place of a sum of the row."),
        count_option(
            "rounds", "Drawn hashes", 0, {0, 64},
            "How many hashes are drawn, of τ hyperplanes each: a weight is the share of them in which query "
            "and key fall into one bucket. No gradient goes through a bucket. The paper has 32.",
            "the mean of all"),
        value_convolution_option()};
    component.known_parameters = {value_filter_name()};
    component.parameters = add_value_filter;
    component.check = [](const Plan& plan) { check_value_filter(plan, "yoso algorithm"); };
    component.takes_any_mask = true;
    component.changes_context = [](const AttentionSpec& spec) {
        return spec.algorithm.options.flag("normalized") || filters_values(spec);
    };
    component.declared_stages = {
        made_stage("pair_angles", "Angles",
                   {"between query and key", {{"query"}, keys_of("key", "and")}, "arccos of\ndirections\n→"},
                   {.lights = "weights", .role = StageRole::scores}),
        declared_weights_stage(
            {"the chance of one hash for both", {optional_stage("pair_angles")}, "(1 − φ / π)^τ\n→"},
            {.is_share = true}),
        declared_attended_stage(), declared_value_filters(),
        declared_own_context_stage({"at length 1, unless that is left out", {{"attended"}}, "÷ length\n→"})};
    component.define = define_yoso;
    return component;
}

}  // namespace headlight
