#pragma once

#include "core/attention/trace.h"
#include "core/figure/view_settings.h"
#include "core/model/transcript.h"

#include <span>
#include <string>
#include <string_view>

namespace headlight {

/// With two digits behind the decimal point; with four where two would say that a share is all or nothing,
/// which it is not: 0.9990.
std::string told_apart(double number);

/// The numbers that a lesson's text speaks of, of one run, at the site and the head that are looked at:
/// - STAGE:ROW,COLUMN, a number of a stage of the trace: weight (the stage weights), score (scores),
///   masked_scores, query, row_sum, ... Rows and columns are tokens or, counted from 1, numbers; where a
///   token stands more than once "the#2" is the second. energy:QUERY,KEY,UNIT has three axes, row_sum:QUERY
///   one.
/// - product:QUERY,KEY,N, what dimension N adds to a dot product
/// - sum:STAGE,ROW, over a row of a stage; column_sum:STAGE,KEY, over a column
/// - largest:QUERY, the key with the largest weight of a row, as a word; largest_weight:QUERY, that weight
/// - entropy:QUERY, of a row of weights, in bits
/// - distance:QUERY,KEY, how many places lie from one to the other
/// - slope:QUERY,KEY, how much a weight of a softmax changes with its own score: weight (1 - weight)
/// - head, which one is looked at, counted from 1
/// - queries, keys, heads: how many there are; width, of a query; root, the square root of width
/// - seen:QUERY, to how many keys it gives any weight; seen, how many cells of the map have any
/// - probability:QUERY, that the model gave to what it said at this decoding step
/// - parameter:NAME,ROW,COLUMN, of a matrix that the run had; parameter:NAME,N, of a vector
/// Behind a bar stands how many digits follow the decimal point: weight:it,animal|3. Where it is not given
/// there are 2, or 4 of what would be rounded to 0, 1 or −1 and is not: 0.9990.
class LessonNumbers {
public:
    /// `said` by the model of the run, null where there is none. Both have to outlive it.
    LessonNumbers(const Trace& trace, const Selection& selection, const Transcript* said = nullptr);

    /// What stands in the text for these words. Throws Error for words that mean nothing in this run.
    std::string text_of(std::string_view words) const;
    double number_of(std::string_view words) const;

    /// The row or the column that a token, or a number from 1, means. Throws Error where there is none.
    Index query_at(std::string_view token) const;
    Index key_at(std::string_view token) const;
    std::string key_name(Index key) const;

    const std::string& site() const { return site_; }
    Index head() const { return head_; }

private:
    double element(const Stage& stage, std::span<const std::string_view> places) const;
    std::span<const double> row(const std::string& stage, std::string_view query) const;
    double column_sum(const std::string& stage, std::string_view key) const;
    double parameter(std::span<const std::string_view> places) const;
    double probability(std::string_view step) const;
    const Stage& stage_named(const std::string& name) const;

    const Trace& trace_;
    const Transcript* said_ = nullptr;
    std::string site_;
    Index head_ = 0;
};

}  // namespace headlight
