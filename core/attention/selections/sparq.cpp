#include "core/attention/component.h"
#include "core/attention/refusals.h"
#include "core/attention/selected_keys.h"
#include "core/attention/selections/kept_pairs.h"
#include "core/attention/spec_words.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

bool adds_mean(const AttentionSpec& spec) { return spec.selection.options.flag("mean"); }

/// The shares that keys would have by the largest numbers of each query alone, [h, n, m].
Expression write_guessed_shares(Composer& composer) {
    const Expression amounts = composer.let("query_amounts", absolute_of(composer.query));
    const auto read = static_cast<double>(selection_count(composer, "r"));
    const Expression largest =
        composer.let("largest_of_query", choose(is_above(read, rank_of(amounts)), composer.query, 0),
                     "each query’s r largest numbers, whatever their sign");
    // The products are smaller by what was left out, and so is the root that they are divided by.
    const Expression part = sum_of_columns(absolute_of(largest)) / not_zero(sum_of_columns(amounts));
    const Expression root = composer.let(
        "guessed_root", root_of(not_zero(static_cast<double>(composer.query.extent().columns) * part)),
        "√(d · their share of all amounts)");
    const Expression guessed =
        composer.let("guessed_scores", product_transposed(largest, composer.key) / root);
    return softmax_of(composer, "guessed_shares",
                      composer.let("open_guessed_scores", composer.open_or_forbidden(guessed)));
}

std::optional<Expression> define_sparq(Composer& composer, const Expression&) {
    const Expression shares = write_guessed_shares(composer);
    const auto count = static_cast<double>(selection_count(composer, "k"));
    const Expression kept =
        composer.let("guessed_keys", as_number(and_allowed(composer, is_above(count, rank_of(shares)))),
                     "1 for the k keys of the largest shares");
    return is_above(kept, 0.5);
}

/// α of the weights and, of what the guess gave to the keys that were not read, the same for every key.
Expression define_with_mean(Composer& composer, const Expression& weights) {
    const Expression alpha = composer.let(
        "read_share",
        sum_of_columns(composer.program.tensor("guessed_keys") * composer.program.tensor("guessed_shares")),
        "α, what the guess gives to the keys that are read");
    if (!composer.mask_excludes())
        return alpha * weights + (1 - alpha) / static_cast<double>(composer.plan.keys);
    const Expression open = composer.let("counted_keys", as_number(composer.allowed()),
                                         "1 for keys of which the mean value is made");
    return alpha * weights + (1 - alpha) * (open / not_zero(sum_of_columns(open)));
}

}  // namespace

SelectionComponent declare_selections_sparq() {
    SelectionComponent component;
    component.meaning =
        "the k keys with the largest softmax(q̂ · k / √(d |q̂|₁ / |q|₁)), q̂ the r largest numbers of the "
        "query; of their weights α, what this guess gave them, and of 1 − α the same for every key, which is "
        "the mean value (SparQ, Ribar et al. 2024)";
    component.options = {count_option("r", "Numbers read", 8, token_counts,
                                      "r: of how many features of each query, those with the largest "
                                      "amounts, keys are read for the guess; all: the guess is exact."),
                         count_option("k", "Keys kept", 3, token_counts,
                                      "How many keys and values of each query are read whole."),
                         flag_option("mean", "Mean of the values", true,
                                     "What the guess gave to keys that are not read goes to the mean of all "
                                     "values; without, it is shared by those that are read.")};
    component.orders_scores = true;
    component.check = [](const Plan& plan) {
        require_one_width(plan, "sparq");
        if (!adds_mean(plan.spec))
            return;
        require_softmax(plan, "sparq selection", "α is the share of a softmax (or set mean to false)");
        if (changes_weights(plan.spec))
            throw Error({"sparq selection", "algorithm",
                         "none that goes on changing weights: the mean value comes last",
                         to_word(plan.spec.algorithm.type)});
    };
    component.declared_stages = {
        made_stage("guessed_shares", "Guessed weights", {"by the r largest numbers of each query"},
                   {.lights = "weights", .role = StageRole::weights, .is_share = true}),
        made_stage("read_share", "Share of the keys that are read", {"α, by the guess", {{"guessed_shares"}}},
                   {.lights = "weights", .is_share = true}),
        made_stage(
            "weights", "Weights",
            {"α times the softmax, and 1 − α for all keys together",
             {{"exponentials"}, {"read_share", "and"}}},
            {.lights = "output", .role = StageRole::weights, .is_share = true, .leaves_out_masked = true})};
    component.define = define_sparq;
    component.define_faded = define_with_mean;
    component.fades = adds_mean;
    component.faded_note = "with the mean value";
    return component;
}

}  // namespace headlight
