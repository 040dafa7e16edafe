#pragma once

#include "core/attention/composer.h"

#include <cstdint>
#include <functional>
#include <string>

namespace headlight {

/// The scores [h, n, m] of some queries that a normaliser defines weights of, and what such definitions are
/// made of. The score of a pair that may not meet is minus infinity; its weight is 0, also where a row has no
/// other.
class DefinedRows {
public:
    /// `suffix` follows the names of what is assigned, where rows are defined one after another.
    DefinedRows(Composer& the_composer, const Expression& the_scores, std::string the_suffix);

    Composer& composer;
    Expression scores;  ///< a definition puts its own in their place before it takes the softmax of them
    std::string suffix;
    Index map = 0;       ///< which it is of the maps of a head that draw each for itself
    double temperature;  ///< of the scores; 1 where a definition has divided them
    bool has_forbidden;  ///< a score may be minus infinity
    bool may_be_empty;   ///< ... and so may all of a row

    Expression let(const std::string& name, const Expression& value, const std::string& note = {}) {
        return composer.let(name + suffix, value, note);
    }
    /// What draws follow from.
    std::uint64_t seed() const;
    /// `name` of numbers that are drawn: the map's own behind the first.
    std::string of_map(const std::string& name) const { return map > 0 ? name + suffix : name; }
    const Options& options() const { return composer.plan.normalizer(); }
    double number(const char* name) const;
    /// A number of each head, which the option leaves to a parameter where it is `learned`.
    Expression of_head(const char* name, double learned, const char* parameter);

    Expression is_open() const { return is_above(scores, minus_infinity()); }
    /// `x` of pairs that may meet, else 0.
    Expression open_only(const Expression& x) const { return has_forbidden ? choose(is_open(), x, 0) : x; }
    /// `x` of pairs that may meet, else minus infinity.
    Expression open_or_forbidden(const Expression& x) const {
        return has_forbidden ? choose(is_open(), x, minus_infinity()) : x;
    }
    Expression over_temperature(const Expression& x) const { return temperature == 1 ? x : x / temperature; }
    /// The same of numbers that are minus infinity where a pair may not meet: a spreadsheet has the number
    /// -1E300 for it, which a small temperature would bring out of range.
    Expression open_over_temperature(const Expression& x) const;
    /// Scores over the temperature with 0 in the place of minus infinity.
    Expression open_scores();
    /// The largest number of each row; 0 where nothing is allowed, which then stays minus infinity below it.
    Expression finite_largest(const Expression& largest) const {
        return may_be_empty ? finite_maximum(largest) : largest;
    }
    /// That of the scores.
    Expression row_maximum();
    /// (score − largest) / temperature, minus infinity where the pair may not meet.
    Expression below_largest();
    /// How many keys each query may look at; at least 1.
    Expression key_counts();
    /// Zeros, one for each row.
    Expression zero_column();
    /// 1 in column `column` for each key `row` that is near enough.
    Expression between_keys(const std::string& name, const std::string& note,
                            std::function<bool(Index row, Index column)> holds);

    /// `x` over the sum of its row.
    Expression divided(const Expression& x, const Expression& sum) const {
        return x / (may_be_empty ? not_zero(sum) : sum);
    }
    Expression exponentials();
    Expression softmax();
    /// max(0, z − τ), τ such that each row sums to 1; `z` is minus infinity where the pair may not meet.
    Expression sparsemax(const Expression& z);
    /// 1 for the first of the largest numbers of each row.
    Expression first_largest(const Expression& x);
    /// The threshold between `low` and `high` at which `falling`, a function of it, comes down to `level`.
    Expression bisected(const Expression& low, const Expression& high, double level,
                        const std::function<Expression(const Expression& threshold)>& falling);
    /// ln of the sums of exp(logs) over the queries of each key; 0 where there is none.
    Expression log_sums_of_columns(const Expression& logs);
    /// The same over the keys of each query.
    Expression log_sums_of_rows(const Expression& logs);
};

/// The weights of the rows, not yet named: as the plan's normaliser defines them, or the softmax and the hard
/// choice, which the kernels do themselves.
Expression define_weights(DefinedRows& rows);

}  // namespace headlight
