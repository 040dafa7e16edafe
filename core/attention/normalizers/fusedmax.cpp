#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/tensor/error.h"

#include <string>

namespace headlight {
namespace {

bool penalises_pairs(const Plan& plan) {
    return option<std::string>(plan.spec.normalizer.options, "penalty") == "pairs";
}

/// How far a penalty moves each score: to where what its key is worth is balanced by what keys on both sides
/// of it, neighbours or larger and smaller ones, pass on. Distances from the score are sought and not the
/// level itself, so that no digit is lost among large scores.
class DrawnTogether {
public:
    explicit DrawnTogether(DefinedRows& the_rows)
        : of_pairs_(penalises_pairs(the_rows.composer.plan)), rows_(the_rows),
          strength_(rows_.number("strength")), below_(rows_.below_largest()),
          flat_(rows_.let("flat_scores", rows_.open_only(below_), "scores below the largest of their row")),
          keys_(rows_.scores.extent().columns) {
        const bool is_of_keys = keys_ == rows_.composer.plan.keys;
        numbers_ = rows_.composer.constant(
            is_of_keys ? "key_numbers" : "key_numbers" + rows_.suffix, {0, 1, keys_}, "0, 1, 2, ...",
            [](Index, Index, Index column) { return static_cast<double>(column); });
        if (rows_.has_forbidden)
            open_ = rows_.let("open_pairs", as_number(rows_.is_open()), "1 where the pair may meet");
        place_ = numbers_;
        ordered_ = flat_;
        if (of_pairs_)
            sort();
    }

    /// The moved scores [.., keys], 0 or what comes of it where a pair may not meet.
    Expression levels() {
        const double farthest = strength_ * (of_pairs_ ? static_cast<double>(keys_ - 1) : 2.0);
        const Expression low = 0 * flat_ - farthest, high = 0 * flat_ + (of_pairs_ ? 0.0 : farthest);
        return flat_ + rows_.bisected(low, high, 0, [&](const Expression& moved) {
            ++pass_;
            return worth(moved);
        });
    }
    const Expression& numbers() const { return numbers_; }

private:
    /// Pairs: the k-th largest of m scores is the smaller one of k − 1 pairs and pays for the others.
    void sort() {
        const Expression sorted = rows_.let("descending_scores", descending(below_), "the largest first");
        ordered_ = rows_.has_forbidden
                       ? rows_.let("ordered_scores", choose(is_above(sorted, minus_infinity()), sorted, 0))
                       : sorted;
        place_ = rows_.let("ranks", rank_of(below_), "0 for the largest score of a row");
        count_ = rows_.has_forbidden ? rows_.key_counts() : Expression(static_cast<double>(keys_));
    }
    /// `worth` and what the score at this place pays.
    Expression with_payment(const Expression& worth, const Expression& place) const {
        return of_pairs_ ? worth + strength_ * (count_ - 1 - place) : worth;
    }
    Expression if_there(Index number, const Expression& yes, const Expression& no) const {
        if (!rows_.has_forbidden)
            return yes;
        if (of_pairs_)
            return choose(is_above(count_, static_cast<double>(number)), yes, no);
        return choose(is_above(some_columns(open_, {number}), 0), yes, no);
    }

    Expression worth(const Expression& moved) {
        const auto sum = [&](const Expression& message, Index number) {
            const Expression balance = flat_ - some_columns(ordered_, {number}) + moved + message;
            return with_payment(balance, static_cast<double>(number));
        };
        const auto named = [&](const std::string& side, Index number) {
            return side + (pass_ == 1 ? "_searched_" : "_found_") + std::to_string(number + 1);
        };
        Expression left = 0 * flat_, right = left;
        for (Index number = 0; number + 1 < keys_; ++number) {
            const Expression all = sum(left, number);
            const Expression passed =
                of_pairs_ ? relu_of(all) : larger_of(smaller_of(all, strength_), -strength_);
            left =
                rows_.let(named("from_before", number), choose(is_above(place_, static_cast<double>(number)),
                                                               if_there(number, passed, left), left));
        }
        for (Index number = keys_ - 1; number > 0; --number) {
            const Expression all = sum(right, number);
            const Expression passed =
                of_pairs_ ? smaller_of(all, 0) : larger_of(smaller_of(all, strength_), -strength_);
            right =
                rows_.let(named("from_behind", number), choose(is_above(static_cast<double>(number), place_),
                                                               if_there(number, passed, right), right));
        }
        return -with_payment(moved + left + right, place_);
    }

    bool of_pairs_;
    DefinedRows& rows_;
    double strength_;
    Expression below_, flat_;
    Index keys_;
    Expression numbers_ = 0.0, open_ = 0.0, count_ = 0.0, place_ = 0.0, ordered_ = 0.0;
    int pass_ = 0;
};

Expression define_fusedmax_weights(DefinedRows& rows) {
    DrawnTogether drawn(rows);
    const Expression z = rows.let("drawn_scores", rows.open_or_forbidden(drawn.levels()),
                                  "scores that the penalty has drawn together");
    const Expression sorted = rows.let("descending_levels", descending(z), "the largest first");
    const Expression threshold =
        rows.let("threshold", maximum_of_columns((cumulative_sum(sorted) - 1) / (drawn.numbers() + 1)),
                 "what every score loses");
    return rows.open_only(relu_of(z - threshold));
}

}  // namespace

NormalizerComponent declare_normalizers_fusedmax() {
    NormalizerComponent component;
    component.type = NormalizerType::fusedmax;
    component.word = "fusedmax";
    component.phrase = "sparsemax of scores that are drawn together";
    component.meaning = "the p of the simplex nearest to s where λ Σ |p_j − p_(j+1)|, or λ Σ max(p_i, p_j) "
                        "over all pairs, is to be small too: runs of neighbours, or groups of keys anywhere, "
                        "get one weight (Niculae "
                        "and Blondel 2017)";
    component.options = {
        {.name = "penalty",
         .label = "Penalty",
         .standard = std::string("neighbours"),
         .choices = {"neighbours", "pairs"},
         .help = "What is to be small: differences of neighbouring weights (fusedmax), or the larger one of "
                 "each two weights (oscarmax), which draws those together that are nearly alike."},
        {.name = "strength",
         .label = "Strength",
         .standard = 1.0,
         .minimum = 0,
         .maximum = 100,
         .help = "λ: 0 is sparsemax, and where it is large all weights are alike."}};
    component.check = [](const Plan& plan) {
        constexpr Index most_keys = 512;  // each is passed in lines of its own
        if (plan.keys > most_keys)
            throw Error({"fusedmax normaliser", "keys", "at most " + std::to_string(most_keys),
                         std::to_string(plan.keys)});
    };
    component.declared_stages = {
        {.name = "drawn_scores",
         .title = "Scores drawn together",
         .operands = {{"scaled_scores"}},
         .operation = "neighbours,\nor pairs\n→",
         .lights = "weights",
         .role = StageRole::scores,
         .leaves_out_masked = true},
        {.name = "threshold",
         .title = "Threshold",
         .lights = "weights",
         .said = "what all scores of the row must lose so that the rest, negative numbers cut off, sums to "
                 "1"}};
    component.define = define_fusedmax_weights;
    return component;
}

}  // namespace headlight
