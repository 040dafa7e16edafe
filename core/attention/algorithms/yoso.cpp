#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <numbers>
#include <string>

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
Expression define_yoso(Composer& composer) {
    const Expression angles = write_angles(composer);
    const auto planes = static_cast<double>(option<Index>(algorithm_options(composer), "hashes"));
    const Expression weights =
        composer.let("weights", composer.where_open(power_of(1 - angles / std::numbers::pi, planes), 0),
                     "the chance that both have one hash");
    if (!option<bool>(algorithm_options(composer), "normalized"))
        return write_attended_values(composer, weights);
    const Expression attended =
        composer.let("attended", product(weights, composer.value), "weights times values");
    return composer.let("context", direction_of(composer, "attended", attended), "at length 1");
}

}  // namespace

AlgorithmComponent declare_algorithms_yoso() {
    AlgorithmComponent component;
    component.type = AlgorithmType::yoso;
    component.word = "yoso";
    component.meaning =
        "A = (1 − arccos(q̂ · k̂) / π)^τ, the chance that τ random hyperplanes have query and key on one side: "
        "what YOSO’s hashes give in the mean; each context is divided by its length (Zeng et al. 2021)";
    component.options = {
        {.name = "hashes",
         .label = "Hyperplanes τ",
         .standard = Index(8),
         .minimum = 1,
         .maximum = 64,
         .help = "How many bits a hash has: the more, the less is left of large angles. 9 are usual."},
        {.name = "normalized",
         .label = "At length 1",
         .standard = true,
         .help = "Whether each context is divided by its length, in the place of a sum of the row."}};
    component.takes_any_mask = true;
    component.changes_context = [](const AttentionSpec& spec) {
        return option<bool>(spec.algorithm.options, "normalized");
    };
    component.declared_stages = {
        {.name = "pair_angles",
         .title = "Angles",
         .subtitle = "between query and key",
         .operands = {{"query"}, {.stage = "key", .operator_before = "and", .as_keys = true}},
         .operation = "arccos of\ndirections\n→",
         .lights = "weights",
         .role = StageRole::scores},
        {.name = "weights",
         .title = "Weights",
         .subtitle = "the chance of one hash for both",
         .operands = {{"pair_angles"}},
         .operation = "(1 − φ / π)^τ\n→",
         .lights = "output",
         .role = StageRole::weights,
         .is_share = true,
         .leaves_out_masked = true},
        declared_attended_stage(),
        {.name = "context",
         .title = "Context",
         .subtitle = "at length 1, unless that is left out",
         .operands = {{"attended"}},
         .operation = "÷ length\n→",
         .colours_of = "value",
         .lights = "output"}};
    component.define = define_yoso;
    return component;
}

}  // namespace headlight
