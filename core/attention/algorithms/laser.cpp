#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <algorithm>

namespace headlight {
namespace {

/// Returns ln A of each head, and minus infinity where a pair may not meet. Keeps the logarithms of weights
/// that are too small for a number of their own.
Expression write_log_weights(Composer& composer, const Expression& open_scores) {
    const Expression largest = maximum_of_columns(open_scores);
    const Expression below =
        composer.let("scores_below_largest", open_scores - finite_maximum(largest), "of each row");
    return composer.let("log_weights", below - log_of(not_zero(sum_of_columns(exp_of(below)))), "ln A");
}

/// Returns ln Σ A exp(v) [h, n, d_v] in logarithms throughout. Each channel of each head is a head of its
/// own, and each row has its own largest term: nothing that counts vanishes beside it.
Expression write_log_means(Composer& composer, const Expression& log_weights) {
    const Index width = composer.plan.head_value_width(), heads = std::max<Index>(composer.heads, 1);
    std::vector<Index> head_of_channel;
    for (Index channel = 0; channel < heads * width; ++channel)
        head_of_channel.push_back(channel / width);
    const bool is_shared = composer.value.extent().heads != composer.heads;
    const Expression value =
        is_shared ? take_heads(composer.value, std::vector<Index>(static_cast<std::size_t>(heads), 0))
                  : composer.value;
    const Expression value_of_channels = composer.let(
        "value_of_channels", transposed(split_heads(join_heads(value), heads * width)), "[channel, 1, key]");
    const Expression terms = take_heads(log_weights, head_of_channel) + value_of_channels;
    const Expression largest = composer.let("largest_terms", maximum_of_columns(terms), "ln A + v");
    const Expression reach = finite_maximum(largest);
    const Expression sums = composer.let("sums_of_terms", sum_of_columns(exp_of(terms - reach)));
    return composer.let("log_means", split_heads(join_heads(reach + log_of(not_zero(sums))), composer.heads),
                        "the same without a power that can vanish");
}

/// ln(A exp(v − M)) + M, with the digits that each row needs: where values hardly differ the mean is next to
/// 1, and its logarithm is made from what it has less than 1; where the largest values hardly count it has
/// vanished, and is taken in logarithms.
Expression define_laser(Composer& composer) {
    constexpr double smallest_mean = 1e-100;
    const Expression scores = write_scaled_products(composer);
    const Expression open_scores =
        composer.let("open_scores", composer.open_or_forbidden(scores), "scores with the mask");
    const Expression weights = softmax_of(composer, "weights", open_scores);
    const Expression largest =
        composer.let("largest_values", maximum_of_rows(composer.value), "M, of each feature");
    const Expression below = composer.let("values_below_largest", composer.value - largest);
    const Expression exponentials = composer.let("exponential_values", exp_of(below), "exp(v − M)");
    const Expression means =
        composer.let("mean_exponentials", product(weights, exponentials), "what each query gets of them");
    const Expression exponentials_less_one =
        composer.let("exponentials_less_one", tanh_of(below / 2) * (exponentials + 1), "exp(v − M) − 1");
    const Expression rest =
        composer.let("means_less_one", product(weights, exponentials_less_one), "a row of A sums to 1");
    const Expression log_means = write_log_means(composer, write_log_weights(composer, open_scores));
    const Expression is_near = is_above(means, 0.5), has_digits = is_above(means, smallest_mean);
    return composer.let("context",
                        choose(is_near, log_of_more(choose(is_near, rest, 0)) + largest,
                               choose(has_digits, log_of(choose(has_digits, means, 1)) + largest, log_means)),
                        "the logarithm of the mean, and M again");
}

}  // namespace

AlgorithmComponent declare_algorithms_laser() {
    AlgorithmComponent component;
    component.meaning =
        "o = ln Σ A exp(v − M) + M for each feature, A = softmax(q · k / √d) and M the feature’s largest "
        "value: attention to the exponentials of the values (Duvvuri and Dhillon 2025)";
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        declared_scores_stage(),
        declared_weights_stage(),
        made_stage("exponential_values", "Exponentials of the values",
                   {"exp(v − M), M the largest of each feature", {{"value"}}, "− M,\nexp\n→"},
                   {.lights = "value", .is_of_keys = true, .is_share = true}),
        made_stage("mean_exponentials", "Mean exponentials",
                   {"A exp(v − M)", {{"weights"}, keys_of("exponential_values", "×")}, "="},
                   {.lights = "output", .is_share = true}),
        declared_own_context_stage(
            {"the logarithm of the mean, and M again", {{"mean_exponentials"}}, "ln,\n+ M\n→"}),
    };
    component.define = define_laser;
    return component;
}

}  // namespace headlight
