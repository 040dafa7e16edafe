#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <vector>

namespace headlight {
namespace {

/// What no weight may pass, of each of so many keys; those beyond the last bound have the last.
std::vector<double> bounds_of_keys(const DefinedRows& rows, Index keys) {
    const std::vector<Index> hundredths = rows.options().list("bounds");
    std::vector<double> bounds(static_cast<std::size_t>(keys), 1);
    for (std::size_t key = 0; !hundredths.empty() && key < bounds.size(); ++key)
        bounds[key] = static_cast<double>(hundredths[std::min(key, hundredths.size() - 1)]) / 100;
    return bounds;
}

Expression upper_bounds(DefinedRows& rows, std::vector<double> bounds) {
    const bool is_of_keys = std::ssize(bounds) == rows.composer.plan.keys;  // or of blocks of them
    return rows.composer.constant(
        is_of_keys ? "upper_bounds" : "upper_bounds" + rows.suffix, {0, 1, std::ssize(bounds)},
        "what the weight of a key may not pass",
        [bounds](Index, Index, Index key) { return bounds[static_cast<std::size_t>(key)]; });
}

/// After so many rounds no more keys are held at their bounds: each round holds one at least, and what they
/// get in it, more than their bounds, is no more than is left, so that the bounds of all that are held sum to
/// less than 1.
Index rounds_that_hold(std::vector<double> bounds) {
    std::ranges::sort(bounds);
    Index held = 0;
    double sum = 0;
    for (const double bound : bounds)
        if ((sum += bound) < 1)
            ++held;
    return std::max<Index>(held, 1);
}

/// What is left goes to the free keys in the ratios of the softmax, and who would pass its bound is held
/// there, until none does.
Expression write_bounded_softmax(DefinedRows& rows, const Expression& z, const Expression& bounds,
                                 Index rounds) {
    const Expression open = rows.has_forbidden ? as_number(rows.is_open()) : 1 + 0 * z;
    Expression held = rows.let("held", 0 * rows.open_only(z), "1 for a key that is at its bound");
    const auto shares = [&](const std::string& pass) {
        const Expression free_scores = choose(is_above(open - held, 0), z, minus_infinity());
        const Expression largest =
            rows.let("largest_free" + pass, finite_maximum(maximum_of_columns(free_scores)));
        const Expression exponentials = rows.let("free_exponentials" + pass, exp_of(free_scores - largest));
        const Expression left = 1 - sum_of_columns(held * bounds);
        return relu_of(left) * exponentials / not_zero(sum_of_columns(exponentials));
    };
    rows.composer.program.repeat(rounds, [&] {
        const Expression share = rows.let("share_of_free", shares("_of_round"));
        rows.let("held", larger_of(held, as_number(is_above(share, bounds))));
    });
    return rows.open_only(choose(is_above(held, 0), bounds, shares("")));
}

/// clip(z − τ, 0, u). The threshold is sought within 1 below the score that it lies next to, so that no digit
/// is lost among large scores.
Expression write_bounded_sparsemax(DefinedRows& rows, const Expression& z, const Expression& bounds) {
    const auto cut = [&](const Expression& from, const Expression& tau) {
        return smaller_of(relu_of(from - tau), bounds);
    };
    Expression near = rows.let("near_none", -maximum_of_columns(rows.open_only(-z)));
    for (Index key = 0; key < z.extent().columns; ++key) {
        const std::string number = "_" + std::to_string(key + 1);
        const Expression at = rows.open_only(z);
        const Expression from =
            rows.let("from_key" + number, rows.open_or_forbidden(at - some_columns(at, {key})));
        const Expression is_near = both_of(is_at_least(1, sum_of_columns(cut(from, 0))),
                                           is_at_least(sum_of_columns(cut(from, -1)), 1));
        const Expression found = choose(is_near, some_columns(at, {key}), near);
        near =
            rows.let("near" + number,
                     rows.has_forbidden
                         ? choose(is_above(some_columns(rows.scores, {key}), minus_infinity()), found, near)
                         : found);
    }
    const Expression from = rows.let("from_near", rows.open_or_forbidden(rows.open_only(z) - near),
                                     "scores from the one that the threshold lies next to");
    const Expression zeros = rows.zero_column();
    const Expression tau = rows.bisected(
        zeros - 1, zeros, 1, [&](const Expression& middle) { return sum_of_columns(cut(from, middle)); });
    return rows.open_only(cut(from, tau));
}

/// min(u, c e^z) or clip(z − τ, 0, u), c and τ such that the row sums to 1; u where even that is less.
Expression define_constrained_weights(DefinedRows& rows) {
    const Expression z = rows.below_largest();
    const std::vector<double> of_keys = bounds_of_keys(rows, rows.scores.extent().columns);
    const Expression bounds = upper_bounds(rows, of_keys);
    return rows.options().word("nearest") == "softmax"
               ? write_bounded_softmax(rows, z, bounds, rounds_that_hold(of_keys))
               : write_bounded_sparsemax(rows, z, bounds);
}

}  // namespace

NormalizerComponent declare_normalizers_constrained() {
    NormalizerComponent component;
    component.phrase = "of each row, no weight above its bound";
    component.meaning =
        "min(u_j, c e^(s_j)) or clip(s_j − τ, 0, u_j), c and τ such that the row sums to 1: the weights "
        "nearest to the softmax, or to the scores, of which none passes the bound of its key (Martins and "
        "Kreutzer 2017; Malaviya, Ferreira and Martins 2018)";
    component.options = {
        word_option("nearest", "Nearest to", {"softmax", "sparsemax"},
                    "Whether the free weights are in the ratios of the softmax, or scores less a threshold "
                    "with exact zeros, as sparsemax has them."),
        list_option("bounds", "Bounds of the keys", {30}, {0, 100},
                    "What the weight of each key may not pass, in hundredths; keys beyond have the last. "
                    "Where all bounds together are below 1, every weight is its bound.")};
    component.check = [](const Plan& plan) {
        constexpr Index most_keys = 512;  // each is looked at in lines of its own
        if (plan.keys > most_keys)
            throw Error({"constrained normaliser", "keys", "at most " + std::to_string(most_keys),
                         std::to_string(plan.keys)});
    };
    component.define = define_constrained_weights;
    return component;
}

}  // namespace headlight
