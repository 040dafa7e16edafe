#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

/// tanh(q · k / √d) says whether a value is added or taken off, 2σ(−|q − k|₁ / √d) how much of it is left.
Expression define_coda(Composer& composer) {
    const Expression scores = write_scaled_products(composer);
    const Expression similarities =
        composer.let("affinities", tanh_of(scores), "between −1, take off, and 1, add");
    const Expression distances = composer.let(
        "distances", sum_of_pairs(absolute_of(left_row(composer.query) - right_row(composer.key))),
        "the sum of the amounts by which their numbers differ");
    const Expression gates =
        composer.let("distance_gates", 2 * sigmoid_of(-(distances / root_of_head_width(composer))),
                     "1 where query and key are one, then down to 0");
    return write_attended_values(composer,
                                 composer.let("weights", composer.where_open(similarities * gates, 0),
                                              "each pair by itself: no sum over the row"));
}

}  // namespace

AlgorithmComponent declare_algorithms_coda() {
    AlgorithmComponent component;
    component.meaning =
        "A = tanh(Q Kᵀ / √d) ∘ 2σ(−|q − k|₁ / √d): each value is added, taken off or left out, and no row "
        "is normalised (Tay et al. 2019, CoDA)";
    component.takes_any_mask = true;
    component.declared_stages = {
        declared_scores_stage(),
        made_stage("affinities", "Affinities",
                   {"tanh of each score: add or take off", {{"scores"}}, "tanh\n→"},
                   {.lights = "weights", .role = StageRole::weights}),
        made_stage("distances", "Distances",
                   {"|q − k|₁", {{"query"}, keys_of("key", "−")}, "amounts,\nsummed\n→"},
                   {.lights = "distance_gates", .role = StageRole::scores}),
        made_stage(
            "distance_gates", "Gates of the distances",
            {"2σ(−distance / √d): 1 for a key that is the query", {{"distances"}}, "÷ −√d,\n2 sigmoid\n→"},
            {.lights = "weights", .role = StageRole::weights, .is_share = true}),
        declared_weights_stage({"affinity times gate", {{"affinities"}, {"distance_gates", "∘"}}})};
    component.define = define_coda;
    return component;
}

}  // namespace headlight
