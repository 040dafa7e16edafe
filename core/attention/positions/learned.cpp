#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

Index most_tokens(const Plan& plan) { return std::max(plan.queries, plan.keys); }

/// Rows of the table: one for each place, or as many as a training had.
Index rows_of_table(const Plan& plan) {
    const Index trained = plan.position().count("trained");
    return trained > 0 ? trained : most_tokens(plan);
}

/// Places of a text that is longer than the table lie evenly between the first row and the last.
struct BetweenRows {
    BetweenRows(const Plan& plan, Index the_tokens) : rows(rows_of_table(plan)), tokens(the_tokens) {}
    Index rows, tokens;

    bool is_needed() const { return tokens > rows; }
    /// How much of `row` the token at this place has.
    double share(Index place, Index row) const {
        const double at = static_cast<double>(place * (rows - 1)) / static_cast<double>(tokens - 1);
        return std::max(0.0, 1 - std::abs(at - static_cast<double>(row)));
    }
};

const std::vector<Index>& segment_lengths(const Plan& plan) { return plan.position().list("segments"); }
bool has_segments(const Plan& plan) { return !segment_lengths(plan).empty(); }

/// The segments of the tokens, one after another: what is left belongs to one more.
std::vector<Index> segments_of_tokens(const Plan& plan, Index tokens) {
    std::vector<Index> segments;
    Index number = 0;
    for (const Index length : segment_lengths(plan)) {
        segments.resize(static_cast<std::size_t>(std::min(std::ssize(segments) + length, tokens)), number);
        ++number;
    }
    segments.resize(static_cast<std::size_t>(tokens), number);
    return segments;
}

/// Row p of the table to the token at place p.
Tensor learned_term(const Plan& plan, Index tokens, Index width) {
    const Tensor& table = plan.parameter("E_pos");
    Tensor term({tokens, width});
    const BetweenRows between(plan, tokens);
    for (Index token = 0; token < tokens; ++token) {
        if (!between.is_needed()) {
            std::ranges::copy(table.row(token), term.row(token).begin());
            continue;
        }
        for (Index row = 0; row < between.rows; ++row)
            if (const double share = between.share(token, row); share > 0)
                for (Index column = 0; column < width; ++column)
                    term(token, column) += share * table(row, column);
    }
    if (!has_segments(plan))
        return term;
    const Tensor& of_segments = plan.parameter("E_segment");
    const std::vector<Index> segments = segments_of_tokens(plan, tokens);
    for (Index token = 0; token < tokens; ++token)
        for (Index column = 0; column < width; ++column)
            term(token, column) += of_segments(segments[static_cast<std::size_t>(token)], column);
    return term;
}

void check_learned(const Plan& plan) {
    const TokenDimensions& tokens = plan.tokens;
    if (tokens.key_width != tokens.query_width || tokens.value_width != tokens.query_width)
        throw Error({"learned positions", "token vectors",
                     "queries, keys and values of one width, for one table of places is added to all",
                     std::to_string(tokens.query_width) + ", " + std::to_string(tokens.key_width) + " and " +
                         std::to_string(tokens.value_width)});
}

Expression define_learned(Composer& composer, const std::string& name, Index tokens, Index) {
    const BetweenRows between(composer.plan, tokens);
    const Expression places =
        between.is_needed()
            ? product(composer.of_places(name + "_rows_of_table", {0, tokens, between.rows},
                                         "how much of each row a place has",
                                         [between](Place at) { return between.share(at.row, at.column); }),
                      composer.parameter("E_pos"))
            : some_rows(composer.parameter("E_pos"), counted(0, tokens));
    if (!has_segments(composer.plan))
        return composer.let(name, places, "a learned vector for each place");
    return composer.let(
        name, places + some_rows(composer.parameter("E_segment"), segments_of_tokens(composer.plan, tokens)),
        "a learned vector for each place, and one for each segment");
}

}  // namespace

PositionComponent declare_positions_learned() {
    PositionComponent component;
    component.meaning = "x + E[p]: a learned vector for each place, added to the token vectors before "
                        "projection (BERT, GPT-2); with segments also one for the part of the text that the "
                        "token is in (BERT); of a table that is shorter than the text the places between its "
                        "rows are mixtures of the two beside them";
    component.options = {
        list_option("segments", "Lengths of segments", {}, {1, 65536},
                    "How many tokens each segment has, one after another; what is left is one more. The "
                    "tokens of a segment share a learned vector. None: there are no segments."),
        count_option("trained", "Rows of the table", 0, {0, 65536},
                     "How many places have a vector, as a training with texts of so many tokens leaves it; "
                     "those of a longer text lie evenly between the first and the last.",
                     "one for each place")};
    component.known_parameters = {
        {"E_pos", "[tokens, d], or as many rows as the option “trained” says",
         "row p is added to the token vector at place p"},
        {"E_segment", "[segments, d]", "row s is added to the token vectors of segment s"}};
    component.copies_parameters = false;
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("E_pos", {rows_of_table(plan), plan.tokens.query_width});
        if (has_segments(plan))
            list.add("E_segment", {std::ssize(segment_lengths(plan)) + 1, plan.tokens.query_width});
    };
    component.check = check_learned;
    component.token_term = learned_term;
    component.define_token_term = define_learned;
    return component;
}

}  // namespace headlight
