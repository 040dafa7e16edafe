#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/positions/pair_places.h"

#include <algorithm>

namespace headlight {
namespace {

/// Keys in parts of equal size, of which the last may have fewer.
struct KeyParts {
    explicit KeyParts(const Plan& plan)
        : keys(plan.keys), size(parts_of_size(plan.keys, given(plan))), count(parts_of_size(keys, size)) {}
    static Index given(const Plan& plan) { return std::min(plan.algorithm().count("parts"), plan.keys); }
    Index keys, size, count;

    std::vector<Index> of(Index part) const {
        return counted(part * size, std::min(size, keys - part * size));
    }
};

/// Each part by itself, and then merged by the log-sums (Dao et al. 2023; Milakov and Gimelshein 2018).
Expression define_split_keys(Composer& composer) {
    const KeyParts parts(composer.plan);
    const Index m = parts.keys, size = parts.size, width = composer.plan.head_value_width();
    std::vector<Index> part_of_key;
    for (Index key = 0; key < m; ++key)
        part_of_key.push_back(key / size);
    const Expression scores = composer.open_or_forbidden(write_scaled_products(composer));
    std::vector<Expression> largest;
    for (Index part = 0; part < parts.count; ++part)
        largest.push_back(maximum_of_columns(some_columns(scores, parts.of(part))));
    const Expression maxima =
        composer.let("part_maxima", join_columns(largest), "the largest score of each part");
    const Expression reach = composer.let("part_reach", choose(is_above(maxima, minus_infinity()), maxima, 0),
                                          "0 where a part has no key that is seen");
    const Expression exponentials =
        composer.let("part_exponentials", exp_of(scores - some_columns(reach, part_of_key)),
                     "exp(score − largest of its part)");
    const Expression holds =
        composer.of_places("keys_of_parts", {0, m, parts.count}, "1 for the part of each key",
                           [size](Place at) { return at.row / size == at.column ? 1.0 : 0.0; });
    const Expression sums = composer.let("part_sums", product(exponentials, holds), "the sum of each part");
    const Expression of_parts = composer.let(
        "part_weights", exponentials / some_columns(not_zero(sums), part_of_key), "softmax within each part");
    const Expression log_sums =
        composer.let("log_sums", choose(is_above(sums, 0), reach + log_of(not_zero(sums)), minus_infinity()),
                     "ln Σ exp(score) of each part");
    const Expression shares = softmax_of(composer, "part_shares", log_sums);
    composer.let("weights", of_parts * some_columns(shares, part_of_key), "share of the part × weight in it");
    std::vector<Expression> contexts;
    for (Index part = 0; part < parts.count; ++part)
        contexts.push_back(
            product(some_columns(of_parts, parts.of(part)), some_rows(composer.value, parts.of(part))));
    const Expression side_by_side =
        composer.let("part_contexts", join_columns(contexts), "the context of each part, side by side");
    Expression merged = 0;
    for (Index part = 0; part < parts.count; ++part)
        merged =
            some_columns(side_by_side, counted(part * width, width)) * some_columns(shares, {part}) + merged;
    return composer.let("context", merged, "the parts, each times its share");
}

}  // namespace

AlgorithmComponent declare_algorithms_split_keys() {
    AlgorithmComponent component;
    component.meaning =
        "softmax attention to each part of the keys by itself, merged by the softmax of the parts’ log-sums "
        "ln Σ exp(s): the same numbers as all at once, by processors that work side by side (Dao et al. "
        "2023)";
    component.options = {count_option("parts", "Parts", 3, logarithmic_range(1, 512),
                                      "Into how many parts of equal size the keys are split; the result does "
                                      "not depend on it. No more than keys.")};
    component.takes_any_mask = true;
    component.declared_stages = {
        declared_scores_stage(),
        declared_shares_stage("part_weights", "Weights within the parts",
                              {"each part by itself", {{"scores"}}, "softmax of\neach part\n→"}),
        made_stage("log_sums", "Log-sums of the parts", {"ln Σ exp(score)", {{"scores"}}, "ln Σ exp\n→"},
                   {.lights = "part_shares", .has_features = true}),
        declared_softmax_stage("log_sums", "part_shares", "Shares of the parts", "softmax of the log-sums",
                               {.lights = "weights", .has_features = true}),
        declared_weights_stage({"share of the part × weight in it",
                                {{"part_weights"}, {"part_shares", "and"}},
                                "× share of\nits part\n→"},
                               {.is_share = true}),
        made_stage("part_contexts", "Contexts of the parts",
                   {"side by side", {{"part_weights"}, keys_of("value", "×")}, "part by part\n→"},
                   {.colours_of = "value", .lights = "output", .has_features = true})};
    component.define = define_split_keys;
    return component;
}

}  // namespace headlight
