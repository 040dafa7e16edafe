#include "core/attention/definition_writer.h"

#include "core/attention/explained_cell.h"
#include "core/graph/pattern.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace headlight {
namespace {

/// The mask's pairs, or scores that it has left something of.
bool says_what_may_meet(const Expression& condition) {
    const auto is_minus_infinity = [](const Expression& x) {
        return x->operation == Operation::number && std::isinf(x->number);
    };
    return (condition->operation == Operation::tensor && condition->tensor == "allowed") ||
           (condition->operation == Operation::above && is_minus_infinity(condition->operands[1]));
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

/// Features of a query and a key in the sides that a summand reads.
Index features_of(const Expression& x) {
    if (description_of(x->operation).family == OperationFamily::side || x->operation == Operation::tensor)
        return x.extent().columns;
    Index columns = 1;
    for (const Expression& operand : x->operands)
        columns = std::max(columns, features_of(operand));
    return columns;
}

}  // namespace

std::vector<double> DefinitionWriter::numbers_along(const Expression& x, Place place, AlongAxis along,
                                                    Index count) {
    std::vector<double> row;
    for (Index at = 0; at < count; ++at) {
        (along == AlongAxis::rows ? place.row : place.column) = at;
        row.push_back(number_at(x, place));
    }
    return row;
}

Arithmetic DefinitionWriter::inside(const Expression& x, Place place, PrintBinding at_least) {
    return in_brackets(part_at(x, place), at_least);
}

bool DefinitionWriter::is_constant(const Expression& x, Place place, double number) {
    const GivenTensor* given = x->operation == Operation::tensor ? rows_.given(x->tensor) : nullptr;
    const bool is_number = x->operation == Operation::number;
    return (is_number || (given && given->kind == GivenTensor::Kind::constant)) &&
           number_at(x, place) == number;
}

/// A number that a stage has, or one that was given; other lines are written in its place.
DefinitionWriter::WrittenPart DefinitionWriter::tensor(const Expression& x, Place place) {
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

DefinitionWriter::WrittenPart DefinitionWriter::called(const Expression& x, Place place) {
    Arithmetic text = std::string(description_of(x->operation).symbol) + "(";
    for (std::size_t i = 0; i < x->operands.size(); ++i)
        text += (i > 0 ? ", " : "") + inside(x->operands[i], place, PrintBinding::sum);
    return {text + ")"};
}

Arithmetic DefinitionWriter::in_place(const Expression& x, const WrittenPart& part, std::string_view wanted) {
    if (wanted == "base") {
        const bool is_bare = part.holds == PrintBinding::whole && part.number.value_or(0) >= 0;
        return is_bare ? part.text : "(" + part.text + ")";
    }
    if (wanted == "exponent") {
        const bool is_square = x->operation == Operation::number && x->number == 2;
        return is_square ? "²" : "^" + in_brackets(part, PrintBinding::whole);
    }
    const bool is_added = wanted == "added";
    if (!is_added && wanted != "subtracted")
        return in_brackets(part, binding_of(wanted));
    if (part.number)
        return plus(Arithmetic(), is_added ? *part.number : -*part.number);
    return (is_added ? " + " : " − ") + in_brackets(part, PrintBinding::term);
}

DefinitionWriter::WrittenPart DefinitionWriter::patterned(const Expression& x, Place place) {
    const auto& operands = x->operands;
    const PrintSpelling& print = description_of(x->operation).print;
    if (print.commutes && is_constant(operands[0], place, print.neutral))
        return part_at(operands[1], place);
    if (operands.size() == 2 && is_constant(operands[1], place, print.neutral))
        return part_at(operands[0], place);
    // Lines of a divisor stand first of those before this one; terms of a sum keep their order.
    std::vector<WrittenPart> parts(operands.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t at = print.pattern.binding == PrintBinding::sum ? i : parts.size() - 1 - i;
        parts[at] = part_at(operands[at], place);
    }
    if (print.is_sign && parts[0].number)
        return plain(number_at(x, place));
    Arithmetic text;
    walk_pattern(
        print.pattern.text, [&](std::string_view words) { text += std::string(words); },
        [&](const PatternPlace& at) {
            const std::size_t operand = at.operand.value();
            text += in_place(operands.at(operand), parts.at(operand), at.word);
        });
    return {text, print.pattern.binding};
}

/// The numbers that an operation goes along, of a row up to the own one; a sum's with both factors where they
/// are products.
DefinitionWriter::WrittenPart DefinitionWriter::listed(const Expression& x, Place place) {
    const OperationDescription& description = description_of(x->operation);
    const PrintedList& list = description.print.list;
    const Expression& of = x->operands.front();
    const bool is_of_columns = description.along == AlongAxis::columns;
    const Index count = description.family == OperationFamily::row ? place.column + 1
                        : is_of_columns                            ? of.extent().columns
                                                                   : of.extent().rows;
    if (list.has_factors && of->operation == Operation::multiply) {
        const auto left = numbers_along(of->operands[0], place, description.along, count),
                   right = numbers_along(of->operands[1], place, description.along, count);
        return {sum_of_products(left, right), count > 1 ? PrintBinding::sum : PrintBinding::term};
    }
    std::vector<double> numbers = numbers_along(of, place, description.along, count);
    if (std::ranges::any_of(numbers, [&](double number) { return number != list.left_out; }))
        std::erase(numbers, list.left_out);
    return {list_of(numbers, list), numbers.size() > 1 ? list.binding : list.of_one};
}

DefinitionWriter::WrittenPart DefinitionWriter::factors(const Expression& x, Place place) {
    const auto& operands = x->operands;
    std::vector<Factors> terms;
    const GivenTensor* right_given =
        operands[1]->operation == Operation::tensor ? rows_.given(operands[1]->tensor) : nullptr;
    const bool picks_out = right_given && right_given->kind == GivenTensor::Kind::constant;
    const Index count = operands[0].extent().columns;
    for (Index i = 0; i < count; ++i) {
        const auto [left, right] = description_of(x->operation).factors(*x, place, i);
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
        return {sum_of(picked), terms.size() > 1 ? PrintBinding::sum : PrintBinding::whole};
    }
    return {sum_of_products(terms), terms.size() > 1 ? PrintBinding::sum : PrintBinding::term};
}

DefinitionWriter::WrittenPart DefinitionWriter::said(const PrintPattern& words, Place place) {
    std::string text;
    walk_pattern(
        words.text, [&](std::string_view more) { text += more; },
        [&](const PatternPlace& at) {
            text += std::to_string((at.word == "row" ? place.row : place.column) + 1);
        });
    return {text};
}

DefinitionWriter::WrittenPart DefinitionWriter::moved(const Expression& x, Place place) {
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
    OperandList operands;
    for (const double& number : numbers)
        operands.add({&number, {}});
    double result = 0;
    description.run({*x, {}, operands.all()}, &result);
    return result;
}

DefinitionWriter::WrittenPart DefinitionWriter::pairs(const Expression& x, Place place) {
    const Expression& summand = x->operands.front();
    const Index features = features_of(summand);
    const Pair pair{place.row, place.column};
    const auto numbers = [&](const Expression& part) {
        std::vector<double> of_features;
        for (Index feature = 0; feature < features; ++feature)
            of_features.push_back(pair_number(part, place.head, pair, feature));
        return of_features;
    };
    const PrintBinding holds = features > 1 ? PrintBinding::sum : PrintBinding::term;
    if (summand->operation == Operation::multiply)
        return {sum_of_products(numbers(summand->operands[0]), numbers(summand->operands[1])), holds};
    return {sum_of(numbers(summand)), holds};
}

DefinitionWriter::WrittenPart DefinitionWriter::written_at(const Expression& x, Place place) {
    const bool passes_on = description_of(x->operation).family == OperationFamily::places ||
                           x->operation == Operation::tensor || x->operation == Operation::choose ||
                           x->operation == Operation::solution;
    is_all_ = is_all_ && passes_on;
    if (const auto& form = x->short_form)
        return {form->before + inside(form->of, place, PrintBinding::sum) + form->after,
                std::string_view(form->before).starts_with("−") ? PrintBinding::sum : PrintBinding::whole};
    const OperationDescription& description = description_of(x->operation);
    if (!description.symbol.empty())
        return called(x, place);
    switch (description.print.form) {
    case PrintSpelling::Form::pattern:
        return patterned(x, place);
    case PrintSpelling::Form::list:
        return listed(x, place);
    case PrintSpelling::Form::factors:
        return factors(x, place);
    case PrintSpelling::Form::said:
        return said(description.print.pattern, place);
    case PrintSpelling::Form::structure:
        return structure(x, place);
    case PrintSpelling::Form::number:
    case PrintSpelling::Form::undeclared:
        break;
    }
    return plain(number_at(x, place));
}

/// What an operation's operands are, of those that have no words of their own.
DefinitionWriter::WrittenPart DefinitionWriter::structure(const Expression& x, Place place) {
    const auto& operands = x->operands;
    const OperationFamily family = description_of(x->operation).family;
    if (family == OperationFamily::places)
        return moved(x, place);
    if (family == OperationFamily::side) {
        const Pair pair = *pair_;  // no side stands elsewhere
        const Index row = x->operation == Operation::left_row ? pair.query : pair.key;
        return outside_of_pair([&] { return part_at(operands.front(), {place.head, row, place.column}); });
    }
    switch (x->operation) {
    case Operation::tensor:
        return outside_of_pair([&] { return tensor(x, place); });
    case Operation::solution:
        return written_at(operands.front(), place);
    case Operation::sum_of_pairs:
        return pairs(x, place);
    case Operation::choose: {
        const bool holds = number_at(operands[0], place) != 0;
        is_chosen_by_mask_ = is_chosen_by_mask_ || (!holds && says_what_may_meet(operands[0]));
        return written_at(operands[holds ? 1 : 2], place);
    }
    default:
        return plain(x->number);
    }
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

}  // namespace headlight
