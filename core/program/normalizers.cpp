#include "core/attention/composer.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/options.h"
#include "core/attention/random.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// Enough halvings of an interval of 1 for every bit of a double.
constexpr Index halvings = 60;

/// One normaliser at work on scores [h, n, m].
class RowNormalizer {
public:
    RowNormalizer(Composer& the_composer, const Expression& the_scores, std::string the_suffix)
        : composer(the_composer), scores(the_scores), suffix(std::move(the_suffix)),
          temperature(composer.plan.spec.normalizer.temperature),
          has_forbidden(composer.mask_excludes() || composer.plan.spec.selection.type != SelectionType::none),
          may_be_empty(composer.plan.spec.selection.type != SelectionType::none ||
                       (composer.mask_excludes() && !composer.plan.allowed.fully_masked_queries().empty())) {}

    /// The weights, not yet named.
    Expression weights();

private:
    Expression let(const std::string& name, const Expression& value, const std::string& note = {}) {
        return composer.let(name + suffix, value, note);
    }
    double number(const char* name) const { return option<double>(options(), name); }
    const Options& options() const { return composer.plan.spec.normalizer.options; }
    Expression over_temperature(const Expression& x) const { return temperature == 1 ? x : x / temperature; }
    /// The same of numbers that are minus infinity where a pair may not meet: a spreadsheet has the number
    /// -1E300 for it, which a small temperature would bring out of range.
    Expression open_over_temperature(const Expression& x) const {
        return temperature == 1 || !has_forbidden ? over_temperature(x)
                                                  : choose(is_open(), x / temperature, minus_infinity());
    }

    Expression is_open() const { return is_above(scores, minus_infinity()); }
    /// `x` of pairs that may meet, else 0.
    Expression open_only(const Expression& x) const { return has_forbidden ? choose(is_open(), x, 0) : x; }
    /// Scores over the temperature with 0 in the place of minus infinity.
    Expression open_scores() {
        return let("open_scores", over_temperature(open_only(scores)), "scores of the pairs that may meet");
    }
    /// Largest score of each row; 0 where nothing is allowed, which then stays minus infinity below it.
    Expression row_maximum() {
        const Expression largest =
            let("row_maximum", maximum_of_columns(scores), "the largest score of each row");
        return may_be_empty ? choose(is_above(largest, minus_infinity()), largest, 0) : largest;
    }
    /// How many keys each query may look at; at least 1.
    Expression key_counts() {
        if (!has_forbidden)
            return static_cast<double>(composer.plan.keys);
        return let("key_counts", larger_of(sum_of_columns(as_number(is_open())), 1),
                   "keys that each query may look at");
    }
    Expression zero_column() {
        return composer.constant("zeros" + suffix, {composer.heads, scores.extent().rows, 1},
                                 "where the search begins", [](Index, Index, Index) { return 0.0; });
    }
    /// 1 in column `column` for each key `row` that is near enough.
    Expression between_keys(const std::string& name, const std::string& note,
                            const std::function<bool(Index row, Index column)>& holds) {
        const Index m = composer.plan.keys;
        return composer.constant(name, {0, m, m}, note, [&](Index, Index row, Index column) {
            return holds(row, column) ? 1.0 : 0.0;
        });
    }
    static Expression choose_not_zero(const Expression& sum) { return choose(is_equal(sum, 0), 1, sum); }
    Expression divided(const Expression& x, const Expression& sum) const {
        return x / (may_be_empty ? choose_not_zero(sum) : sum);
    }
    Expression exponentials() {
        const Expression below = scores - row_maximum();
        return let("exponentials", exp_of(open_over_temperature(below)), "exp(score − largest score)");
    }
    Expression softmax() {
        const Expression powers = exponentials();
        return divided(powers, let("row_sum", sum_of_columns(powers), "the sum of each row"));
    }
    /// (score − largest) / temperature, minus infinity where the pair may not meet.
    Expression below_largest() {
        return let("below_largest", open_over_temperature(scores - row_maximum()),
                   "scores less the largest of the row");
    }

    /// A number of each head, which the option leaves to a parameter where it is `learned`.
    Expression of_head(const char* name, double learned, const char* parameter) {
        return number(name) == learned ? composer.parameter_of_heads(parameter) : Expression(number(name));
    }

    Expression hard();
    Expression length_scaled();
    Expression signed_softmax();
    Expression clipped();
    Expression first_largest(const Expression& x);
    Expression with_sink(const Expression& logit);
    Expression sparsemax();
    Expression entmax();
    Expression budget();
    Expression normmax();
    Expression softpick();
    Expression taylor();
    Expression gumbel();
    Expression stick_breaking();
    /// ln of the sums of exp(logs) over the queries of each key; 0 where there is none.
    Expression log_sums_of_columns(const Expression& logs);
    /// The same over the keys of each query.
    Expression log_sums_of_rows(const Expression& logs);
    Expression sinkhorn();
    Expression slot();
    Expression monotonic();
    Expression chunkwise();
    /// The threshold between `low` and `high` at which `falling`, a function of it, comes down to `level`.
    Expression bisected(const Expression& low, const Expression& high, double level,
                        const std::function<Expression(const Expression& threshold)>& falling);

    Composer& composer;
    Expression scores;
    std::string suffix;
    double temperature;
    bool has_forbidden, may_be_empty;
};

/// 1 for the first of the largest numbers of each row.
Expression RowNormalizer::first_largest(const Expression& x) {
    const Expression is_largest = let("is_largest", as_number(is_equal(x, maximum_of_columns(x))));
    return open_only(as_number(is_equal(is_largest * cumulative_sum(is_largest), 1)));
}

Expression RowNormalizer::hard() {
    if (composer.plan.spec.normalizer.mode == HardMode::argmax)
        return first_largest(scores);
    const Expression soft = let("soft_weights", softmax(), "the row that a key is drawn from");
    const Plan& plan = composer.plan;
    const Expression drawn =
        composer.constant("uniform_numbers" + suffix, {composer.heads, plan.queries, 1},
                          "a number between 0 and 1 for each query", [&](Index head, Index row, Index) {
                              const auto of_head = substream(plan.seed, static_cast<std::uint64_t>(head));
                              const auto of_query = substream(of_head, static_cast<std::uint64_t>(row));
                              return uniform(substream(of_query, std::uint64_t(0)));
                          });
    const Expression until =
        let("soft_weights_so_far", cumulative_sum(soft), "the chance of this key or one before");
    const Expression passes = let("has_passed", as_number(is_above(until, drawn)));
    return as_number(is_equal(passes * cumulative_sum(passes), 1));
}

Expression RowNormalizer::with_sink(const Expression& logit) {
    const Expression largest = let("largest_score", maximum_of_columns(scores), "of each row");
    const Expression most = let("largest", larger_of(largest, temperature == 1 ? logit : logit * temperature),
                                "of the row and the sink");
    const Expression powers =
        let("exponentials", exp_of(open_over_temperature(scores - most)), "exp(score − largest)");
    const Expression sum =
        let("sum_with_sink", sum_of_columns(powers) + exp_of(logit - over_temperature(most)),
            "the sum of each row and the sink");
    return powers / sum;
}

Expression RowNormalizer::sparsemax() {
    const Expression z = below_largest();
    const Expression sorted = let("descending_scores", descending(z), "each row, the largest first");
    const Expression counts =
        composer.constant("counts", {0, 1, composer.plan.keys}, "1, 2, 3, ...",
                          [](Index, Index, Index column) { return static_cast<double>(column + 1); });
    // The largest of all means less 1 is the threshold: it grows as long as a key belongs to the support.
    const Expression threshold =
        let("tau", maximum_of_columns((cumulative_sum(sorted) - 1) / counts), "what every score loses");
    return open_only(relu_of(z - threshold));
}

Expression RowNormalizer::bisected(const Expression& low, const Expression& high, double level,
                                   const std::function<Expression(const Expression&)>& falling) {
    const Expression lower = let("lower", low, "the threshold lies between these two");
    const Expression upper = let("upper", high);
    composer.program.repeat(halvings, [&] {
        const Expression middle = let("middle", (lower + upper) / 2);
        const Expression higher = let("is_higher", as_number(is_above(falling(middle), level)));
        let("lower", choose(is_above(higher, 0), middle, lower));
        let("upper", choose(is_above(higher, 0), upper, middle));
    });
    const Expression found = (lower + upper) / 2;
    return let("tau", solution_of(found, falling(found) - level));
}

Expression RowNormalizer::entmax() {
    const double alpha = number("alpha");
    if (alpha == 1)
        return softmax();
    const Expression z = below_largest();
    const auto powers = [&](const Expression& theta) {
        const Expression base = relu_of(1 + (alpha - 1) * (z - theta));
        return power_of(base, 1 / (alpha - 1));
    };
    const Expression zero = zero_column();
    const Expression theta =
        bisected(zero, zero + std::log(static_cast<double>(composer.plan.keys)), 1,
                 [&](const Expression& middle) { return sum_of_columns(powers(middle)); });
    const Expression raw = let("powers", powers(theta), "[1 + (α − 1)(s − τ)]₊ to the power 1 / (α − 1)");
    return divided(raw, let("row_sum", sum_of_columns(raw)));
}

Expression RowNormalizer::budget() {
    const Expression z = below_largest();
    const double budget = number("budget");
    const auto cut = [&](const Expression& tau) { return smaller_of(relu_of(z - tau), 1); };
    const Expression low = -maximum_of_columns(open_only(-z)) - 1;
    const Expression tau = bisected(low, zero_column(), budget,
                                    [&](const Expression& middle) { return sum_of_columns(cut(middle)); });
    return open_only(cut(tau));
}

Expression RowNormalizer::normmax() {
    const Expression z = below_largest();
    const double alpha = number("alpha");
    const auto powers = [&](const Expression& tau, double power) {
        return power_of(relu_of(z - tau), power);
    };
    const Expression zero = zero_column();
    const Expression tau = bisected(zero - 1, zero, 1, [&](const Expression& middle) {
        return sum_of_columns(powers(middle, alpha / (alpha - 1)));
    });
    const Expression raw = let("powers", powers(tau, 1 / (alpha - 1)), "[s − τ]₊ to the power 1 / (α − 1)");
    return divided(raw, let("row_sum", sum_of_columns(raw)));
}

Expression RowNormalizer::length_scaled() {
    const Expression factor = of_head("strength", 0, "s_length") * log_of(key_counts());
    const Expression scaled = open_scores() * factor;
    scores = let("length_scaled_scores", has_forbidden ? choose(is_open(), scaled, minus_infinity()) : scaled,
                 "scores times a strength and the logarithm of how many keys there are");
    temperature = 1;
    return softmax();
}

Expression RowNormalizer::clipped() {
    const double low = number("low"), high = number("high");
    const Expression soft = let("soft_weights", softmax(), "the softmax before it is stretched");
    return open_only(smaller_of(relu_of(soft * high + (1 - soft) * low), 1));
}

Expression RowNormalizer::signed_softmax() {
    const Expression sign =
        let("signs", choose(is_above(0, open_only(scores)), -1, 1), "the sign of each score");
    const Expression size = absolute_of(open_only(scores));
    scores = let("sizes", has_forbidden ? choose(is_open(), size, minus_infinity()) : size,
                 "the size of each score");
    return sign * softmax();
}

Expression RowNormalizer::softpick() {
    const Expression s = open_scores();
    const Expression largest = let("largest", relu_of(maximum_of_columns(s)), "of the row and 0");
    const Expression above = let("differences", open_only(exp_of(s - largest) - exp_of(-largest)),
                                 "exp(s) − 1, both times exp(−largest)");
    return relu_of(above) / choose_not_zero(let("row_sum", sum_of_columns(absolute_of(above))));
}

Expression RowNormalizer::taylor() {
    const Expression s = open_scores();
    Expression sum = 1, term = 1;
    double factorial = 1;
    for (int power = 1; power <= std::stoi(option<std::string>(options(), "degree")); ++power) {
        factorial *= power;
        sum = sum + (power == 1 ? s : power_of(s, power) / factorial);
    }
    const Expression powers = let("exponentials", open_only(sum), "the series of exp(s)");
    return powers / choose_not_zero(let("row_sum", sum_of_columns(powers)));
}

Expression RowNormalizer::gumbel() {
    const Plan& plan = composer.plan;
    const Expression noise =
        composer.constant("gumbel_noise", {composer.heads, plan.queries, plan.keys},
                          "−ln(−ln u) of uniform numbers u", [&](Index head, Index row, Index column) {
                              const auto of_head = substream(plan.seed, static_cast<std::uint64_t>(head));
                              const auto of_query = substream(of_head, static_cast<std::uint64_t>(row));
                              const double u =
                                  uniform(substream(of_query, static_cast<std::uint64_t>(column)));
                              return -std::log(-std::log(std::max(u, 0x1p-54)));
                          });
    scores = let("noisy_scores", scores + noise, "scores plus noise");
    return option<bool>(options(), "hard") ? first_largest(scores) : softmax();
}

Expression RowNormalizer::stick_breaking() {
    const Expression s = open_scores();
    const bool own_key = option<bool>(options(), "own_key");
    const auto takes_part = [&](const Expression& x) {
        const Expression open = open_only(x);
        if (own_key)
            return open;
        return open *
               composer.constant("other_keys", {0, composer.plan.queries, composer.plan.keys},
                                 "1 for each key but the query’s own",
                                 [](Index, Index row, Index column) { return row == column ? 0.0 : 1.0; });
    };
    const Expression left =
        let("log_left", takes_part(log_sigmoid_of(-s)), "ln of what each key leaves of the stick");
    const Expression later = between_keys("later_keys", "1 for each key after this one",
                                          [](Index row, Index column) { return row > column; });
    const Expression before =
        let("log_stick", product(left, later), "ln of what the keys after it have left");
    return takes_part(exp_of(log_sigmoid_of(s) + before));
}

Expression RowNormalizer::log_sums_of_columns(const Expression& logs) {
    const Expression largest = let("largest_of_column", maximum_of_rows(logs), "of each key");
    const Expression reach = choose(is_above(largest, minus_infinity()), largest, 0);
    const Expression sum = let("column_sum", sum_of_rows(exp_of(logs - reach)), "the sum of each column");
    return reach + log_of(choose_not_zero(sum));
}

Expression RowNormalizer::log_sums_of_rows(const Expression& logs) {
    const Expression largest = let("largest_of_row", maximum_of_columns(logs), "of each query");
    const Expression reach = choose(is_above(largest, minus_infinity()), largest, 0);
    const Expression sum =
        let("balanced_row_sum", sum_of_columns(exp_of(logs - reach)), "the sum of each row");
    return reach + log_of(choose_not_zero(sum));
}

Expression RowNormalizer::sinkhorn() {
    // Rows and columns with nothing in them have no share in what the others are brought to.
    const auto counted_as_one = [](const Expression& largest) {
        return as_number(is_above(largest, minus_infinity()));
    };
    const Plan& plan = composer.plan;
    const Expression column_target =
        has_forbidden
            ? log_of(let("row_count", sum_of_rows(counted_as_one(maximum_of_columns(scores)))) /
                     let("column_count", sum_of_columns(counted_as_one(maximum_of_rows(scores)))))
            : Expression(std::log(static_cast<double>(plan.queries) / static_cast<double>(plan.keys)));
    // In logarithms: what underflows in one step may be all that a row has in the next.
    const Expression whole = let("log_unbalanced", open_over_temperature(scores));
    const Expression logs = let("log_balanced", whole - log_sums_of_rows(whole), "rows that sum to 1");
    composer.program.repeat(option<Index>(options(), "iterations") - 1, [&] {
        let("log_balanced", logs - log_sums_of_columns(logs) + column_target, "columns of one sum");
        let("log_balanced", logs - log_sums_of_rows(logs), "rows that sum to 1");
    });
    return exp_of(logs);
}

Expression RowNormalizer::slot() {
    const Expression logs = let("scores_over_temperature", open_over_temperature(scores));
    const Expression shares =
        let("log_column_shares", logs - log_sums_of_columns(logs), "ln of the softmax of each column");
    // A row's largest share counts as 1: all of them may be too small for a number.
    const Expression largest = maximum_of_columns(shares);
    const Expression powers = let(
        "exponentials",
        exp_of(shares - (may_be_empty ? choose(is_above(largest, minus_infinity()), largest, 0) : largest)));
    return divided(powers, let("row_sum", sum_of_columns(powers), "the sum of each row"));
}

Expression RowNormalizer::monotonic() {
    const Plan& plan = composer.plan;
    const Index m = plan.keys;
    Expression stops = open_only(sigmoid_of(open_scores() + number("bias")));
    if (option<std::string>(options(), "alignment") == "hard")
        stops = as_number(is_above(let("soft_chances", stops), 0.5));
    const Expression p = let("chances", stops, "the chance of stopping at each key");
    std::vector<Index> before{0};
    for (Index key = 1; key < m; ++key)
        before.push_back(key - 1);
    const Expression is_later = composer.truth("is_later_key", {0, m, m}, "keys after another",
                                               [](Index row, Index column) { return column > row; });
    const Expression from_here = between_keys("keys_from_here", "1 for each key from this one on",
                                              [](Index row, Index column) { return column >= row; });
    Expression stopped =
        composer.constant("start", {composer.heads, 1, m}, "the search begins at the first key",
                          [](Index, Index, Index column) { return column == 0 ? 1.0 : 0.0; });
    std::vector<Expression> rows;
    for (Index query = 0; query < plan.queries; ++query) {
        const std::string number_of = numbered("_", query + 1);
        const Expression own = let("chances" + number_of, some_rows(p, {query}));
        const bool is_empty = composer.mask_excludes() && plan.allowed.end(query) == 0;
        if (is_empty) {  // passed over
            rows.push_back(own);
            continue;
        }
        const Expression passes =
            let("passes" + number_of, choose(is_later, 1 - some_columns(own, before), 1),
                "the chance of passing the key before");
        const Expression arrives = let("arrives" + number_of, cumulative_product(passes) * from_here,
                                       "of coming from one key to another");
        const Expression row =
            let("stops" + number_of, product(stopped, arrives) * own, "where this query stops");
        const Expression has_key = is_above(maximum_of_columns(some_rows(scores, {query})), minus_infinity());
        rows.push_back(row);
        stopped = may_be_empty ? let("stopped" + number_of, choose(has_key, row, stopped)) : row;
    }
    return join_rows(rows);
}

Expression RowNormalizer::chunkwise() {
    const Index given = option<Index>(options(), "width");
    const Index width = given == 0 ? composer.plan.keys : given;
    const Expression stops = let("stopping", monotonic(), "where each query stops");
    const Index m = composer.plan.keys;
    const Expression is_in_chunk =
        composer.truth("is_in_chunk", {0, m, m}, "whether a key is in the chunk that ends at another",
                       [=](Index row, Index column) { return column <= row && column > row - width; });
    // Each chunk has a softmax of its own: next to the largest score of the row it may have none.
    const Expression tempered =
        temperature == 1 ? scores : let("scores_over_temperature", open_over_temperature(scores));
    std::vector<Expression> rows;
    for (Index query = 0; query < composer.plan.queries; ++query) {
        const std::string number_of = numbered("_", query + 1);
        const Expression own = let("chunk_scores" + number_of,
                                   choose(is_in_chunk, some_rows(tempered, {query}), minus_infinity()),
                                   "[last key of the chunk, key]");
        const Expression soft = softmax_of(composer, "in_chunks" + number_of + suffix, own);
        rows.push_back(let("chunked" + number_of, product(some_rows(stops, {query}), soft)));
    }
    return join_rows(rows);
}

Expression RowNormalizer::weights() {
    switch (composer.plan.spec.normalizer.type) {
    case NormalizerType::softmax:
        return softmax();
    case NormalizerType::hard:
        return hard();
    case NormalizerType::none:
        return open_only(over_temperature(scores));
    case NormalizerType::length_scaled:
        return length_scaled();
    case NormalizerType::off_by_one:
        return with_sink(zero_column());
    case NormalizerType::sink: {
        constexpr double learned_by_heads = -20;
        return with_sink(zero_column() + of_head("logit", learned_by_heads, "b_sink"));
    }
    case NormalizerType::clipped:
        return clipped();
    case NormalizerType::sparsemax:
        return sparsemax();
    case NormalizerType::entmax:
        return entmax();
    case NormalizerType::sigmoid: {
        constexpr double automatic = -20;
        const double bias = number("bias");
        const Expression added = bias == automatic ? -log_of(key_counts()) : Expression(bias);
        return open_only(sigmoid_of(open_scores() + added));
    }
    case NormalizerType::relu:
        return open_only(power_of(relu_of(open_scores()),
                                  static_cast<double>(std::stoi(option<std::string>(options(), "power")))) /
                         key_counts());
    case NormalizerType::softpick:
        return softpick();
    case NormalizerType::gumbel:
        return gumbel();
    case NormalizerType::monotonic:
        return monotonic();
    case NormalizerType::chunkwise:
        return chunkwise();
    case NormalizerType::stick_breaking:
        return stick_breaking();
    case NormalizerType::sinkhorn:
        return sinkhorn();
    case NormalizerType::slot:
        return slot();
    case NormalizerType::signed_softmax:
        return signed_softmax();
    case NormalizerType::taylor:
        return taylor();
    case NormalizerType::budget:
        return budget();
    case NormalizerType::normmax:
        return normmax();
    }
    return softmax();
}

}  // namespace

Expression write_weights(Composer& composer, const Expression& scores, const std::string& name,
                         const std::string& suffix) {
    return composer.let(name, RowNormalizer(composer, scores, suffix).weights(),
                        "what each query gives to each key");
}

}  // namespace headlight
