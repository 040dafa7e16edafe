#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/positions/pair_places.h"
#include "core/graph/row_formulas.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// How many lags are kept: c ln n, one at least.
Index lags_kept(const Plan& plan) {
    const double factor = plan.algorithm().number("factor");
    const auto n = static_cast<double>(plan.queries);
    return std::clamp<Index>(static_cast<Index>(std::floor(factor * std::log(n))), 1, plan.queries);
}

/// What each number of a text’s correlation with itself is divided by.
double length_of_lags(const Plan& plan) {
    const bool is_mean = plan.algorithm().word("over") == "features";
    return static_cast<double>(is_mean ? plan.head_query_width() : plan.queries);
}

/// The largest amount of a number of each head, [h, 1, 1]; 1 of zeros.
Expression largest_of_heads(const Expression& vectors) {
    return not_zero(maximum_of_rows(largest_amount(vectors)));
}

/// Whole texts are shifted and added, each by how much it is then like the text (Wu et al. 2021, equations 5
/// and 6).
Expression define_autocorrelation(Composer& composer) {
    const Index n = composer.plan.queries;
    // Products of small numbers would vanish, and with them the order of the lags.
    const Expression of_query = composer.let("largest_of_query", largest_of_heads(composer.query)),
                     of_key = composer.let("largest_of_key", largest_of_heads(composer.key));
    const Expression products =
        composer.let("pair_products", product_transposed(composer.query / of_query, composer.key / of_key),
                     "each query times each key, in parts of the largest");
    // Row t of column τ is the pair of t and the token τ before it, around the end of the text.
    const Expression by_lag =
        composer.let("products_of_lags",
                     pick(products, {n, 1, counted(0, n)},
                          places_of(n, n, [=](Index token, Index lag) { return (token - lag + n) % n; })),
                     "a column for each lag");
    const Expression likeness =
        composer.let("lag_sums", sum_of_rows(by_lag) / length_of_lags(composer.plan), "the same of a lag");
    const Expression lags = composer.let("lag_scores", likeness * of_query * of_key,
                                         "how much the text is like itself so many tokens before");
    // Where queries are the keys, two lags that together go around are equal but for rounding, which must not
    // choose between them.
    constexpr double places = 1 << 30;
    const Expression rounded = composer.let("rounded_lags", floor_of(over_largest(likeness) * places + 0.5),
                                            "parts of the largest, rounded");
    const Expression ranks = composer.let("lag_ranks", rank_of(rounded), "how many lags come before");
    const Expression shares = softmax_of(
        composer, "lag_shares",
        choose(is_above(static_cast<double>(lags_kept(composer.plan)), ranks), lags, minus_infinity()));
    const Expression weights = composer.let(
        "weights", from_row(shares, n, n, [=](Index token, Index other) { return (other - token + n) % n; }),
        "the text, shifted by each lag, by its share");
    return write_attended_values(composer, weights);
}

}  // namespace

AlgorithmComponent declare_algorithms_autocorrelation() {
    AlgorithmComponent component;
    component.meaning =
        "o_t = Σ_τ softmax(R)_τ v_(t + τ) over the ⌊c ln n⌋ lags with the largest R(τ) = 1/n Σ_t q_t · k_(t "
        "− τ): not tokens but whole texts, shifted around their end, are alike or not (Wu et al. 2021, "
        "Autoformer)";
    component.options = {
        number_option("factor", "Factor c", 1.0, {0, 100}, "c ln n lags are kept of n, one at least."),
        word_option("over", "Divided by", {"length", "features"},
                    "What the sums of products are divided by: the tokens, as the paper has it, or the "
                    "features of a head, as its code does.")};
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "autocorrelation", "a text is compared with itself, shifted");
        refuse_mask(plan, "autocorrelation", "each lag is that of the whole text, and goes around its end");
    };
    component.declared_stages = {
        made_stage("lag_scores", "Autocorrelation",
                   {"how much the text is like itself, shifted",
                    {{"query"}, keys_of("key", "and")},
                    "products\nof each lag,\nmean\n→"},
                   {.lights = "lag_shares", .is_of_features = true, .has_features = true}),
        made_stage("lag_shares", "Weights of the lags",
                   {"softmax over the lags that are kept", {{"lag_scores"}}, "largest,\nsoftmax\n→"},
                   {.lights = "weights", .is_of_features = true, .has_features = true, .is_share = true}),
        declared_weights_stage(
            {"one number for each distance, around the end", {{"lag_shares"}}, "at their\nplaces\n→"},
            {.is_share = true})};
    component.define = define_autocorrelation;
    return component;
}

}  // namespace headlight
