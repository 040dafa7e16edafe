// A definition in words: its line with the numbers of one cell.
#include "core/attention/explained_cell.h"
#include "core/graph/operation.h"

#include <map>
#include <utility>

namespace headlight {
namespace {

/// How tightly a written part holds together.
enum class Holds { sum, term, whole };

struct WrittenPart {
    Arithmetic text;
    Holds holds = Holds::whole;
};

/// The row of the query and that of the key, where a sum over their features is written.
struct Pair {
    Index query = 0, key = 0;
};

class DefinitionWriter {
public:
    explicit DefinitionWriter(const ExplainedCell& cell) : cell_(cell), numbers_(cell.program()) {}

    /// What `x` is made of at `place`.
    WrittenPart written_at(const Expression& x, Place place);

private:
    static constexpr int most_lines = 6;  ///< that no stage records, one within another

    double number_at(const Expression& x, Place place);
    std::vector<double> row_of(const Expression& x, Place place, AlongAxis along, Index count);
    WrittenPart tensor(const Expression& x, Place place);
    WrittenPart element(const Expression& x, Place place);
    WrittenPart sum(const Expression& x, Place place, AlongAxis along, Index count);
    WrittenPart matrices(const Expression& x, Place place);
    WrittenPart moved(const Expression& x, Place place);
    WrittenPart pairs(const Expression& x, Place place);
    double pair_number(const Expression& x, Index head, Pair pair, Index feature);

    Arithmetic inside(const Expression& x, Place place, Holds at_least);
    Arithmetic power_text(const Expression& exponent, Place place);

    const ExplainedCell& cell_;
    const ProgramNumbers& numbers_;
    std::map<const ExpressionNode*, std::vector<double>> known_;
    int lines_ = 0;
};

/// Where an element of an operand lies that meets `place` of the result.
Place meeting(const Extent& extent, Place place) {
    return {extent.heads <= 1 ? 0 : place.head, extent.rows == 1 ? 0 : place.row,
            extent.columns == 1 ? 0 : place.column};
}

double DefinitionWriter::number_at(const Expression& x, Place place) {
    if (x->operation == Operation::number)
        return x->number;
    if (x->operation == Operation::tensor) {
        const OperandNumbers found = *numbers_.find(x->tensor);
        return found.numbers[found.at(place)];
    }
    auto& numbers = known_[&*x];
    if (numbers.empty())
        numbers = numbers_.numbers_of(x);
    const OperandNumbers found{numbers.data(), x.extent()};
    return found.numbers[found.at(place)];
}

std::vector<double> DefinitionWriter::row_of(const Expression& x, Place place, AlongAxis along, Index count) {
    std::vector<double> row;
    for (Index at = 0; at < count; ++at) {
        (along == AlongAxis::rows ? place.row : place.column) = at;
        row.push_back(number_at(x, place));
    }
    return row;
}

Arithmetic DefinitionWriter::inside(const Expression& x, Place place, Holds at_least) {
    const WrittenPart part = written_at(x, meeting(x.extent(), place));
    return part.holds < at_least ? "(" + part.text + ")" : part.text;
}

Arithmetic DefinitionWriter::power_text(const Expression& exponent, Place place) {
    const bool is_square = exponent->operation == Operation::number && exponent->number == 2;
    return is_square ? "²" : "^" + inside(exponent, place, Holds::whole);
}

/// A number that a stage has, or one that was given; other lines are written in its place.
WrittenPart DefinitionWriter::tensor(const Expression& x, Place place) {
    const ProgramLine* line = numbers_.line_of(x->tensor);
    if (!line || cell_.is_recorded(x->tensor) || lines_ >= most_lines)
        return {written(number_at(x, place))};
    ++lines_;
    WrittenPart part = written_at(line->value, meeting(line->value.extent(), place));
    --lines_;
    return part;
}

WrittenPart DefinitionWriter::element(const Expression& x, Place place) {
    const auto& operands = x->operands;
    const auto part = [&](std::size_t i, Holds at_least) { return inside(operands[i], place, at_least); };
    const auto call = [&](const char* name) -> WrittenPart {
        return {name + ("(" + part(0, Holds::sum)) + ")"};
    };
    switch (x->operation) {
    case Operation::negate:
        return {"−" + part(0, Holds::whole), Holds::sum};
    case Operation::exponential:
        return call("exp");
    case Operation::logarithm:
        return call("ln");
    case Operation::logarithm_of_more:
        return {"ln(1 + " + part(0, Holds::sum) + ")"};
    case Operation::root:
        return {"√" + part(0, Holds::whole)};
    case Operation::hyperbolic_tangent:
        return call("tanh");
    case Operation::sine:
        return call("sin");
    case Operation::cosine:
        return call("cos");
    case Operation::absolute:
        return {"|" + part(0, Holds::sum) + "|"};
    case Operation::floor:
        return {"⌊" + part(0, Holds::sum) + "⌋"};
    case Operation::add:
        return {part(0, Holds::sum) + " + " + part(1, Holds::term), Holds::sum};
    case Operation::subtract:
        return {part(0, Holds::sum) + " − " + part(1, Holds::term), Holds::sum};
    case Operation::multiply:
        return {part(0, Holds::term) + " × " + part(1, Holds::term), Holds::term};
    case Operation::divide:
        return {part(0, Holds::term) + " / " + part(1, Holds::whole), Holds::term};
    case Operation::power:
        return {part(0, Holds::whole) + power_text(operands[1], place), Holds::term};
    case Operation::minimum:
        return {"min(" + part(0, Holds::sum) + ", " + part(1, Holds::sum) + ")"};
    case Operation::maximum:
        return {"max(" + part(0, Holds::sum) + ", " + part(1, Holds::sum) + ")"};
    case Operation::choose:
        return written_at(operands[number_at(operands[0], place) != 0 ? 1 : 2], place);
    default:
        return {written(number_at(x, place))};
    }
}

/// Terms of `x` along an axis; a product's with both factors.
WrittenPart DefinitionWriter::sum(const Expression& x, Place place, AlongAxis along, Index count) {
    if (x->operation == Operation::multiply) {
        const auto left = row_of(x->operands[0], place, along, count),
                   right = row_of(x->operands[1], place, along, count);
        std::vector<Factors> terms;
        for (std::size_t i = 0; i < left.size(); ++i)
            terms.push_back({left[i], right[i]});
        return {sum_of_products(terms), count > 1 ? Holds::sum : Holds::term};
    }
    std::vector<double> terms = row_of(x, place, along, count);
    if (std::ranges::any_of(terms, [](double term) { return term != 0; }))
        std::erase(terms, 0.0);  // of pairs that do not meet
    return {sum_of(terms), terms.size() > 1 ? Holds::sum : Holds::whole};
}

WrittenPart DefinitionWriter::matrices(const Expression& x, Place place) {
    const auto& operands = x->operands;
    const bool mixes = x->operation == Operation::mix_heads;
    const bool is_transposed = x->operation == Operation::product_transposed;
    if (!mixes && !is_transposed && x->operation != Operation::product)
        return {written(number_at(x, place))};
    std::vector<Factors> terms;
    const Index count = operands[0].extent().columns;
    for (Index i = 0; i < count; ++i) {
        const Place left = mixes ? Place{0, place.head, i} : Place{place.head, place.row, i};
        const Place right = mixes           ? Place{i, place.row, place.column}
                            : is_transposed ? Place{place.head, place.column, i}
                                            : Place{place.head, i, place.column};
        const Factors term{number_at(operands[0], left), number_at(operands[1], right)};
        if (term.left != 0 || count == 1)
            terms.push_back(term);
    }
    if (terms.empty())
        return {written(0)};
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
        return number_at(side, meeting(side.extent(), {head, row, feature}));
    }
    if (description.family != OperationFamily::elements)
        return number_at(x, meeting(x.extent(), {head, 0, feature}));
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
    std::vector<double> terms;
    for (Index feature = 0; feature < features_of(summand); ++feature)
        terms.push_back(pair_number(summand, place.head, pair, feature));
    return {sum_of(terms), terms.size() > 1 ? Holds::sum : Holds::whole};
}

WrittenPart DefinitionWriter::written_at(const Expression& x, Place place) {
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
        return x->operation == Operation::tensor ? tensor(x, place) : WrittenPart{written(x->number)};
    case OperationFamily::elements:
        return element(x, place);
    case OperationFamily::reduction: {
        const Expression& of = x->operands.front();
        const Index count = is_of_columns ? of.extent().columns : of.extent().rows;
        if (x->operation == Operation::sum_of_columns || x->operation == Operation::sum_of_rows)
            return sum(of, place, description.along, count);
        std::vector<double> numbers = row_of(of, place, description.along, count);
        return {maximum_of(numbers)};
    }
    case OperationFamily::row:
        if (x->operation == Operation::cumulative_sum)
            return sum(x->operands.front(), place, AlongAxis::columns, place.column + 1);
        if (x->operation == Operation::cumulative_product)
            return {product_of(row_of(x->operands.front(), place, AlongAxis::columns, place.column + 1)),
                    Holds::term};
        return {written(number_at(x, place))};
    case OperationFamily::matrices:
        return matrices(x, place);
    case OperationFamily::side:
        return {written(number_at(x, place))};
    case OperationFamily::places:
        return moved(x, place);
    }
    return {written(number_at(x, place))};
}

}  // namespace

Arithmetic defined_arithmetic(const ExplainedCell& cell, std::string_view stage) {
    const ProgramLine* line = cell.program().line_of(stage);
    if (!line)
        return {};
    return DefinitionWriter(cell)
        .written_at(line->value, meeting(line->value.extent(), {cell.head, cell.row, cell.column}))
        .text;
}

}  // namespace headlight
