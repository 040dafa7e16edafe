// A definition in words: its line with the numbers of one cell.
#include "core/attention/component.h"
#include "core/attention/explained_cell.h"
#include "core/attention/line_in_symbols.h"
#include "core/graph/operation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace headlight {
namespace {

struct WrittenPart {
    Arithmetic text;
    Holds holds = Holds::whole;
    std::optional<double> number = {};  ///< where it is one and no more
    std::string origin = {};            ///< what it is a number of, where that was given
};

WrittenPart plain(double number) { return {written(number), Holds::whole, number}; }

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

Arithmetic in_brackets(const WrittenPart& part, Holds at_least) {
    return part.holds < at_least ? "(" + part.text + ")" : part.text;
}

class DefinitionWriter {
public:
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
    static constexpr int most_lines = 6;  ///< that no stage records, one within another
    /// Characters of a line that is written in the place of its name; longer ones are lines of their own.
    static constexpr Index longest_inside = 28;

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
    WrittenPart element(const Expression& x, Place place);
    WrittenPart sum(const Expression& x, Place place, AlongAxis along, Index count);
    WrittenPart matrices(const Expression& x, Place place);
    WrittenPart moved(const Expression& x, Place place);
    WrittenPart pairs(const Expression& x, Place place);
    double pair_number(const Expression& x, Index head, Pair pair, Index feature);

    Arithmetic inside(const Expression& x, Place place, Holds at_least);
    /// In brackets where it is negative: −0.3² is not (−0.3)².
    Arithmetic base_text(const Expression& x, Place place) {
        const WrittenPart part = part_at(x, place);
        const bool is_bare = part.holds == Holds::whole && part.number.value_or(0) >= 0;
        return is_bare ? part.text : "(" + part.text + ")";
    }
    Arithmetic power_text(const Expression& exponent, Place place);

    const ExplainedCell& cell_;
    AskedRows& rows_;
    std::optional<Pair> pair_;  ///< whose rows the sides are that are written now
    bool is_all_ = true;        ///< nothing is written yet around what is written now
    bool is_chosen_by_mask_ = false;
    int lines_ = 0;
};

std::vector<double> DefinitionWriter::numbers_along(const Expression& x, Place place, AlongAxis along,
                                                    Index count) {
    std::vector<double> row;
    for (Index at = 0; at < count; ++at) {
        (along == AlongAxis::rows ? place.row : place.column) = at;
        row.push_back(number_at(x, place));
    }
    return row;
}

Arithmetic DefinitionWriter::inside(const Expression& x, Place place, Holds at_least) {
    return in_brackets(part_at(x, place), at_least);
}

Arithmetic DefinitionWriter::power_text(const Expression& exponent, Place place) {
    const bool is_square = exponent->operation == Operation::number && exponent->number == 2;
    return is_square ? "²" : "^" + inside(exponent, place, Holds::whole);
}

/// The mask's pairs, or scores that it has left something of.
bool says_what_may_meet(const Expression& condition) {
    const auto is_minus_infinity = [](const Expression& x) {
        return x->operation == Operation::number && std::isinf(x->number);
    };
    return (condition->operation == Operation::tensor && condition->tensor == "allowed") ||
           (condition->operation == Operation::above && is_minus_infinity(condition->operands[1]));
}

bool DefinitionWriter::is_constant(const Expression& x, Place place, double number) {
    const GivenTensor* given = x->operation == Operation::tensor ? rows_.given(x->tensor) : nullptr;
    const bool is_number = x->operation == Operation::number;
    return (is_number || (given && given->kind == GivenTensor::Kind::constant)) &&
           number_at(x, place) == number;
}

/// "b[2, 3]": where it stands in a parameter, counted from 1.
std::string place_in(const GivenTensor& parameter, Place place) {
    const Extent& extent = parameter.extent;
    std::string text;
    const auto add = [&](Index count, Index at) {
        if (count > 1)
            text += (text.empty() ? "" : ", ") + std::to_string(at + 1);
    };
    add(extent.matrices(), place.head);
    add(extent.rows, place.row);
    add(extent.columns, place.column);
    return text.empty() ? parameter.name : parameter.name + "[" + text + "]";
}

/// A number that a stage has, or one that was given; other lines are written in its place.
WrittenPart DefinitionWriter::tensor(const Expression& x, Place place) {
    const ProgramLine* line = rows_.line_of(x->tensor);
    const bool is_known = cell_.is_recorded(x->tensor) || (!is_all_ && cell_.is_row_of_recorded(x->tensor));
    if (!line || is_known || lines_ >= most_lines) {
        WrittenPart part = plain(number_at(x, place));
        const GivenTensor* given = rows_.given(x->tensor);
        if (given && given->kind == GivenTensor::Kind::parameter)
            part.origin = place_in(*given, place);
        else if (given)
            part.origin = given->note;
        return part;
    }
    const bool is_all = is_all_;
    ++lines_;
    WrittenPart part = part_at(line->value, place);
    --lines_;
    if (!is_all && !part.number && static_cast<Index>(part.text.text(4).size()) > longest_inside) {
        const double value = number_at(x, place);
        cell_.add_before(x->tensor, part.text, value);
        return plain(value);
    }
    return part;
}

WrittenPart DefinitionWriter::element(const Expression& x, Place place) {
    const auto& operands = x->operands;
    const auto part = [&](std::size_t i, Holds at_least) { return inside(operands[i], place, at_least); };
    if (const std::string_view symbol = description_of(x->operation).symbol; !symbol.empty())
        return {std::string(symbol) + "(" + part(0, Holds::sum) + ")"};
    switch (x->operation) {
    case Operation::negate: {
        const WrittenPart negated = part_at(operands[0], place);
        return negated.number ? plain(-*negated.number)
                              : WrittenPart{"−" + in_brackets(negated, Holds::whole), Holds::sum};
    }
    case Operation::logarithm_of_more:
        return {"ln(1 + " + part(0, Holds::sum) + ")"};
    case Operation::root:
        return {"√" + part(0, Holds::whole)};
    case Operation::absolute:
        return {"|" + part(0, Holds::sum) + "|"};
    case Operation::floor:
        return {"⌊" + part(0, Holds::sum) + "⌋"};
    case Operation::add:
    case Operation::subtract: {
        const bool is_sum = x->operation == Operation::add;
        const Arithmetic left = part(0, Holds::sum);
        const WrittenPart right = part_at(operands[1], place);
        if (right.number)
            return {plus(left, is_sum ? *right.number : -*right.number), Holds::sum};
        return {left + (is_sum ? " + " : " − ") + in_brackets(right, Holds::term), Holds::sum};
    }
    case Operation::multiply:
        for (const std::size_t i : {0, 1})
            if (is_constant(operands[i], place, 1))
                return part_at(operands[1 - i], place);
        return {part(0, Holds::term) + " × " + part(1, Holds::term), Holds::term};
    case Operation::divide:
        if (is_constant(operands[1], place, 1))
            return part_at(operands[0], place);
        return {part(0, Holds::term) + " / " + part(1, Holds::whole), Holds::term};
    case Operation::power:
        if (is_constant(operands[1], place, 1))
            return part_at(operands[0], place);
        return {base_text(operands[0], place) + power_text(operands[1], place), Holds::term};
    case Operation::minimum:
        return {"min(" + part(0, Holds::sum) + ", " + part(1, Holds::sum) + ")"};
    case Operation::maximum:
        return {"max(" + part(0, Holds::sum) + ", " + part(1, Holds::sum) + ")"};
    case Operation::choose: {
        const bool holds = number_at(operands[0], place) != 0;
        is_chosen_by_mask_ = is_chosen_by_mask_ || (!holds && says_what_may_meet(operands[0]));
        return written_at(operands[holds ? 1 : 2], place);
    }
    default:
        return plain(number_at(x, place));
    }
}

/// Terms of `x` along an axis; a product's with both factors.
WrittenPart DefinitionWriter::sum(const Expression& x, Place place, AlongAxis along, Index count) {
    if (x->operation == Operation::multiply) {
        const auto left = numbers_along(x->operands[0], place, along, count),
                   right = numbers_along(x->operands[1], place, along, count);
        return {sum_of_products(left, right), count > 1 ? Holds::sum : Holds::term};
    }
    std::vector<double> terms = numbers_along(x, place, along, count);
    if (std::ranges::any_of(terms, [](double term) { return term != 0; }))
        std::erase(terms, 0.0);  // of pairs that do not meet
    return {sum_of(terms), terms.size() > 1 ? Holds::sum : Holds::whole};
}

WrittenPart DefinitionWriter::matrices(const Expression& x, Place place) {
    const auto& operands = x->operands;
    const bool mixes = x->operation == Operation::mix_heads;
    const bool is_transposed = x->operation == Operation::product_transposed;
    if (x->operation == Operation::inverse)
        return {"row " + std::to_string(place.row + 1) + ", column " + std::to_string(place.column + 1) +
                " of the inverse"};
    std::vector<Factors> terms;
    const GivenTensor* right_given =
        operands[1]->operation == Operation::tensor ? rows_.given(operands[1]->tensor) : nullptr;
    const bool picks_out = right_given && right_given->kind == GivenTensor::Kind::constant;
    const Index count = operands[0].extent().columns;
    for (Index i = 0; i < count; ++i) {
        const Place left = mixes ? Place{0, place.head, i} : Place{place.head, place.row, i};
        const Place right = mixes           ? Place{i, place.row, place.column}
                            : is_transposed ? Place{place.head, place.column, i}
                                            : Place{place.head, i, place.column};
        const Factors term{number_at(operands[0], left), number_at(operands[1], right)};
        if ((term.left != 0 && !(picks_out && term.right == 0)) || count == 1)
            terms.push_back(term);
    }
    if (terms.empty())
        return {written(0)};
    if (picks_out && std::ranges::all_of(terms, [](const Factors& term) { return term.right == 1; })) {
        std::vector<double> picked;
        for (const Factors& term : terms)
            picked.push_back(term.left);
        return {sum_of(picked), terms.size() > 1 ? Holds::sum : Holds::whole};
    }
    return {sum_of_products(terms), terms.size() > 1 ? Holds::sum : Holds::term};
}

WrittenPart DefinitionWriter::moved(const Expression& x, Place place) {
    const MovedElement from = description_of(x->operation).source(*x, place);
    return written_at(x->operands[from.operand], from.place);
}

double DefinitionWriter::pair_number(const Expression& x, Index head, Pair pair, Index feature) {
    const OperationDescription& description = description_of(x->operation);
    if (x->operation == Operation::left_row || x->operation == Operation::right_row) {
        const Expression& side = x->operands.front();
        const Index row = x->operation == Operation::left_row ? pair.query : pair.key;
        return rows_.at(side, meeting(side.extent(), {head, row, feature}));
    }
    if (description.family != OperationFamily::elements)
        return rows_.at(x, meeting(x.extent(), {head, 0, feature}));
    std::vector<double> numbers;
    for (const Expression& operand : x->operands)
        numbers.push_back(pair_number(operand, head, pair, feature));
    std::vector<OperandNumbers> operands;
    for (const double& number : numbers)
        operands.push_back({&number, {}});
    double result = 0;
    description.run({*x, {}, operands}, &result);
    return result;
}

/// Features of a query and a key in the sides that a summand reads.
Index features_of(const Expression& x) {
    if (description_of(x->operation).family == OperationFamily::side || x->operation == Operation::tensor)
        return x.extent().columns;
    Index columns = 1;
    for (const Expression& operand : x->operands)
        columns = std::max(columns, features_of(operand));
    return columns;
}

WrittenPart DefinitionWriter::pairs(const Expression& x, Place place) {
    const Expression& summand = x->operands.front();
    const Pair pair{place.row, place.column};
    const auto numbers = [&](const Expression& part) {
        std::vector<double> of_features;
        for (Index feature = 0; feature < features_of(summand); ++feature)
            of_features.push_back(pair_number(part, place.head, pair, feature));
        return of_features;
    };
    const Holds holds = features_of(summand) > 1 ? Holds::sum : Holds::term;
    if (summand->operation == Operation::multiply)
        return {sum_of_products(numbers(summand->operands[0]), numbers(summand->operands[1])), holds};
    return {sum_of(numbers(summand)), holds};
}

WrittenPart DefinitionWriter::written_at(const Expression& x, Place place) {
    const bool passes_on = description_of(x->operation).family == OperationFamily::places ||
                           x->operation == Operation::tensor || x->operation == Operation::choose ||
                           x->operation == Operation::solution;
    is_all_ = is_all_ && passes_on;
    if (const auto& form = x->short_form)
        return {form->before + inside(form->of, place, Holds::sum) + form->after,
                std::string_view(form->before).starts_with("−") ? Holds::sum : Holds::whole};
    if (x->operation == Operation::sum_of_pairs)
        return pairs(x, place);
    const OperationDescription& description = description_of(x->operation);
    const bool is_of_columns = description.along == AlongAxis::columns;
    switch (description.family) {
    case OperationFamily::given:
        if (x->operation == Operation::solution)
            return written_at(x->operands.front(), place);
        return x->operation == Operation::tensor ? outside_of_pair([&] { return tensor(x, place); })
                                                 : plain(x->number);
    case OperationFamily::elements:
        return element(x, place);
    case OperationFamily::reduction: {
        const Expression& of = x->operands.front();
        const Index count = is_of_columns ? of.extent().columns : of.extent().rows;
        if (x->operation == Operation::sum_of_columns || x->operation == Operation::sum_of_rows)
            return sum(of, place, description.along, count);
        std::vector<double> numbers = numbers_along(of, place, description.along, count);
        if (std::ranges::any_of(numbers, [](double number) { return std::isfinite(number); }))
            std::erase(numbers, -std::numeric_limits<double>::infinity());  // of pairs that do not meet
        return {maximum_of(numbers)};
    }
    case OperationFamily::row:
        if (x->operation == Operation::cumulative_sum)
            return sum(x->operands.front(), place, AlongAxis::columns, place.column + 1);
        if (x->operation == Operation::cumulative_product)
            return {
                product_of(numbers_along(x->operands.front(), place, AlongAxis::columns, place.column + 1)),
                Holds::term};
        if (x->operation == Operation::rank)
            return {"how many of the row come before it, the largest first"};
        return {"number " + std::to_string(place.column + 1) + " of the row, the largest first"};
    case OperationFamily::matrices:
        return matrices(x, place);
    case OperationFamily::side: {
        const Pair pair = *pair_;  // no side stands elsewhere
        const Index row = x->operation == Operation::left_row ? pair.query : pair.key;
        return outside_of_pair([&] { return part_at(x->operands.front(), {place.head, row, place.column}); });
    }
    case OperationFamily::places:
        return moved(x, place);
    }
    return plain(number_at(x, place));
}

Expression DefinitionWriter::behind(Expression x, Place place) {
    for (int steps = 0; steps < most_lines; ++steps) {
        place = meeting(x.extent(), place);
        const bool has_line = x->operation == Operation::tensor && !cell_.is_recorded(x->tensor);
        const ProgramLine* line = has_line ? rows_.line_of(x->tensor) : nullptr;
        if (line) {
            x = line->value;
        } else if (x->operation == Operation::choose) {
            const Expression chosen = x->operands[number_at(x->operands[0], place) != 0 ? 1 : 2];
            x = chosen;
        } else if (description_of(x->operation).family == OperationFamily::places) {
            const MovedElement from = description_of(x->operation).source(*x, place);
            const Expression moved = x->operands[from.operand];
            x = moved;
            place = from.place;
        } else {
            return x;
        }
    }
    return x;
}

Arithmetic DefinitionWriter::line(const Expression& x, Place place) {
    const WrittenPart part = part_at(x, place);
    if (part.number) {
        const bool is_of_pair = cell_.stage.has_axis(Axis::query) && cell_.stage.has_axis(Axis::key);
        const bool is_forbidden = is_of_pair && !cell_.plan.allowed.allowed(cell_.row, cell_.column);
        if (!part.origin.empty())
            return part.origin;
        if (is_forbidden && is_chosen_by_mask_)
            return part.text + ", for " + cell_.why_not();
        if (is_of_pair && *part.number == -std::numeric_limits<double>::infinity())
            return part.text + ", for this key is left out";
        const Expression source = behind(x, place);
        const bool is_of_line = source->operation == Operation::tensor && !rows_.given(source->tensor);
        return is_of_line ? in_words(source->tensor) + " = " + part.text : part.text;
    }
    std::string symbols = in_symbols(x);
    if (symbols.empty())
        symbols = in_symbols(behind(x, place));
    return symbols.empty() ? part.text : symbols + " = " + part.text;
}

/// Energies and the like, whose stage has a row for each pair.
bool has_row_for_each_pair(const ExplainedCell& cell, std::string_view stage) {
    const Stage* found = cell.trace.find(stage);
    return found && found->has_axis(Axis::key) && found->axes.back() == Axis::attention;
}

double recorded_number(const ExplainedCell& cell, std::string_view stage) {
    if (cell.is_asked(stage))
        return cell.asked();
    return has_row_for_each_pair(cell, stage)
               ? cell.at(stage, cell.head, cell.row * cell.plan.keys + cell.column, cell.feature)
               : cell.here(stage);
}

/// A model that was traced went on with rows of its own, which a person may have changed: whether the trace
/// has the number that the line says.
bool is_still_true(const ExplainedCell& cell, std::string_view stage, const std::function<double()>& said) {
    if (!cell.plan.given || !cell.is_recorded(stage))
        return true;
    constexpr double rounding = 1e-5;  // of sums of floats, as those of a model are
    const double recorded = recorded_number(cell, stage), number = said();
    return recorded == number || std::abs(recorded - number) <= rounding * std::max(1.0, std::abs(recorded));
}

struct LineOfCell {
    const ProgramLine* line = nullptr;
    Index row = 0;  ///< of the line
};

/// The line of a stage; where each row is scored by those before, that of the cell's row.
LineOfCell line_of_cell(const ExplainedCell& cell, const AskedRows& rows, std::string_view stage) {
    if (const ProgramLine* line = rows.line_of(stage))
        return {line, cell.row};
    return {rows.line_of(std::string(stage) + "_" + std::to_string(cell.row + 1)), 0};
}

/// What the scores of a line add up over the features of each pair, but for the weight of each feature; null
/// where they are no such sum.
const Expression* weighed_in(const ProgramLine* scores) {
    if (!scores || scores->value->operation != Operation::sum_of_pairs)
        return nullptr;
    const Expression& summand = scores->value->operands.front();
    return summand->operation == Operation::multiply ? &summand->operands[1] : &summand;
}

/// What is weighed in a score, which no line has by itself: there would be a number for each feature of each
/// pair.
Arithmetic energy_of_scores(const ExplainedCell& cell, AskedRows& rows) {
    for (const std::string_view stage : {"scores", "content_scores"}) {  // a place may add to the latter
        const LineOfCell scores = line_of_cell(cell, rows, stage);
        const Expression* energy = weighed_in(scores.line);
        if (!energy)
            continue;
        DefinitionWriter writer(cell, rows);
        const PairPlace place{cell.head, {scores.row, cell.column}, cell.feature};
        const bool is_true =
            is_still_true(cell, "energy", [&] { return writer.number_of_pair(*energy, place); });
        return is_true ? writer.part_of_pair(*energy, place) : Arithmetic();
    }
    return {};
}

Arithmetic arithmetic_of_line(const ExplainedCell& cell, AskedRows& rows, std::string_view stage) {
    LineOfCell found = line_of_cell(cell, rows, stage);
    if (!found.line && stage == "masked_scores" && !is_composed(cell.plan.spec))  // nothing is masked
        found = line_of_cell(cell, rows, "scaled_scores");
    if (!found.line)
        return stage == "energy" ? energy_of_scores(cell, rows) : Arithmetic();
    const Expression& x = found.line->value;
    Place place{cell.head, found.row, cell.column};
    if (has_row_for_each_pair(cell, stage)) {
        const bool has_all_pairs = x.extent().rows == cell.plan.queries * cell.plan.keys;
        place.row = has_all_pairs ? cell.row * cell.plan.keys + cell.column : cell.column;
        place.column = cell.feature;
    }
    const bool is_there = (x.extent().rows == 1 || place.row < x.extent().rows) &&
                          (x.extent().columns == 1 || place.column < x.extent().columns);
    if (!is_there || !is_still_true(cell, stage, [&] { return rows.at(x, place); }))
        return {};
    return DefinitionWriter(cell, rows).line(x, place);
}

}  // namespace

Arithmetic defined_arithmetic(const ExplainedCell& cell, std::string_view stage) {
    AskedRows* rows = cell.rows();
    if (!rows)
        return {};
    try {
        return arithmetic_of_line(cell, *rows, stage);
    } catch (const TooMuch&) {
        cell.forget_before();
        return {};
    }
}

}  // namespace headlight
