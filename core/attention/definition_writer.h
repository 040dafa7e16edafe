#pragma once

#include "core/attention/arithmetic_text.h"
#include "core/attention/line_in_symbols.h"
#include "core/graph/asked_rows.h"
#include "core/graph/operation.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

class ExplainedCell;

/// What the lines of a definition say of one cell, with its numbers.
class DefinitionWriter {
public:
    /// The row of the query and that of the key, where a sum over their features is written.
    struct Pair {
        Index query = 0, key = 0;
    };
    /// A number of what a sum over the features of pairs adds up.
    struct PairPlace {
        Index head = 0;
        Pair pair;
        Index feature = 0;
    };

    DefinitionWriter(const ExplainedCell& cell, AskedRows& rows) : cell_(cell), rows_(rows) {}

    /// The line's number at `place`, with its symbols before its numbers.
    Arithmetic line(const Expression& x, Place place);
    /// The same of a part of what sum_of_pairs() adds up.
    Arithmetic part_of_pair(const Expression& x, const PairPlace& place) {
        pair_ = place.pair;
        return line(x, {place.head, 0, place.feature});
    }
    double number_of_pair(const Expression& x, const PairPlace& place) {
        return pair_number(x, place.head, place.pair, place.feature);
    }

private:
    struct WrittenPart {
        Arithmetic text;
        PrintBinding holds = PrintBinding::whole;
        std::optional<double> number = {};  ///< where it is one and no more
        std::string origin = {};            ///< what it is a number of, where that was given
    };

    static constexpr int most_lines = 6;  ///< that no stage records, one within another
    /// Characters of a line that is written in the place of its name; longer ones are lines of their own.
    static constexpr Index longest_inside = 28;

    static WrittenPart plain(double number) { return {written(number), PrintBinding::whole, number}; }
    static Arithmetic in_brackets(const WrittenPart& part, PrintBinding at_least) {
        return part.holds < at_least ? "(" + part.text + ")" : part.text;
    }

    double number_at(const Expression& x, Place place) {
        return pair_ ? pair_number(x, place.head, *pair_, place.column) : rows_.at(x, place);
    }
    std::vector<double> numbers_along(const Expression& x, Place place, AlongAxis along, Index count);
    WrittenPart written_at(const Expression& x, Place place);
    /// What an element is made of, where `x` meets the place of a result.
    WrittenPart part_at(const Expression& x, Place place) {
        return written_at(x, meeting(x.extent(), place));
    }
    /// What is not of a pair itself, but of what it is made of.
    WrittenPart outside_of_pair(const auto& write) {
        const std::optional<Pair> pair = std::exchange(pair_, std::nullopt);
        WrittenPart part = write();
        pair_ = pair;
        return part;
    }
    /// What is written in the place of `x`: what was chosen or moved, and the line behind a name that no
    /// stage records.
    Expression behind(Expression x, Place place);
    /// A number of the formula itself, or one that follows from places and options.
    bool is_constant(const Expression& x, Place place, double number);
    WrittenPart tensor(const Expression& x, Place place);
    /// What an operation declares of itself, with the cell's numbers: by its symbol, its pattern, its list,
    /// the factors that it adds up, in words.
    WrittenPart called(const Expression& x, Place place);
    WrittenPart patterned(const Expression& x, Place place);
    /// `part` of the operand `x` as a place wants it. A base is in brackets where it is negative: −0.3² is
    /// not (−0.3)².
    static Arithmetic in_place(const Expression& x, const WrittenPart& part, std::string_view wanted);
    WrittenPart listed(const Expression& x, Place place);
    WrittenPart factors(const Expression& x, Place place);
    static WrittenPart said(const PrintPattern& words, Place place);
    WrittenPart structure(const Expression& x, Place place);
    WrittenPart moved(const Expression& x, Place place);
    WrittenPart pairs(const Expression& x, Place place);
    double pair_number(const Expression& x, Index head, Pair pair, Index feature);

    Arithmetic inside(const Expression& x, Place place, PrintBinding at_least);

    const ExplainedCell& cell_;
    AskedRows& rows_;
    std::optional<Pair> pair_;  ///< whose rows the sides are that are written now
    bool is_all_ = true;        ///< nothing is written yet around what is written now
    bool is_chosen_by_mask_ = false;
    int lines_ = 0;
};

}  // namespace headlight
