#include "core/graph/asked_rows.h"

#include "core/graph/graph_kernels.h"
#include "core/tensor/interruption.h"

#include <algorithm>

namespace headlight {
namespace {

/// The graph, if a run of it is over before somebody waits for it.
const Graph& few(const Graph& graph) {
    constexpr double most_bytes = 64e6;
    if (bytes_of_numbers(graph) > most_bytes)
        throw TooMuch();
    return graph;
}

/// A row of the result needs of the operand no more than the same row.
bool needs_one_row(const ExpressionNode& node, std::size_t operand) {
    switch (description_of(node.operation).family) {
    case OperationFamily::elements:
    case OperationFamily::row:
        return true;
    case OperationFamily::reduction:
        return description_of(node.operation).along == AlongAxis::columns;
    case OperationFamily::matrices:
        return operand == 0 && description_of(node.operation).goes_by_rows;
    case OperationFamily::given:
    case OperationFamily::side:
    case OperationFamily::places:
        return false;
    }
    return false;
}

}  // namespace

AskedRows::WholeRun::WholeRun(const Program& program)
    : graph(program.given(), program.parts()), values(few(graph)) {
    for (const GivenTensor& tensor : program.given())
        values.set(tensor.name, tensor.numbers.all());
    values.run();
}

AskedRows::AskedRows(const Program& program, Known known) : program_(program), known_(std::move(known)) {
    for (const GivenTensor& tensor : program.given())
        given_[tensor.name] = &tensor;
    for (const ProgramPart& part : program.parts())
        for (const ProgramLine& line : part.assignments)
            // Who is assigned twice has no line: the later one reads the earlier one's numbers.
            if (const auto [at, is_new] = lines_.try_emplace(line.name, part.times == 1 ? &line : nullptr);
                !is_new)
                at->second = nullptr;
}

const ProgramLine* AskedRows::line_of(std::string_view name) const {
    const auto found = lines_.find(name);
    return found == lines_.end() ? nullptr : found->second;
}

const GivenTensor* AskedRows::given(std::string_view name) const {
    const auto found = given_.find(name);
    return found == given_.end() ? nullptr : found->second;
}

double AskedRows::at(const Expression& x, Place place) {
    // A number that is given or moved is there without its row.
    if (description_of(x->operation).family == OperationFamily::places) {
        const MovedElement from = description_of(x->operation).source(*x, meeting(x.extent(), place));
        return at(x->operands[from.operand], from.place);
    }
    if (const GivenTensor* tensor = x->operation == Operation::tensor ? given(x->tensor) : nullptr)
        return tensor->numbers[index_of(x.extent(), place)];
    return row(x, place)[x.extent().columns == 1 ? 0 : static_cast<std::size_t>(place.column)];
}

std::span<const double> AskedRows::row(const Expression& x, Place place) {
    place = meeting(x.extent(), place);
    if (x->operation == Operation::tensor)
        if (const auto known = row_of_tensor(x, place))
            return *known;
    Rows& rows = rows_[&*x];
    const std::pair at{place.head, place.row};
    if (const auto kept = rows.find(at); kept != rows.end())
        return kept->second;
    Interruption::check();
    made_ += x.extent().columns;
    if (made_ > most_numbers || depth_ == most_depth)
        throw TooMuch();
    ++depth_;
    std::vector<double> numbers = computed(x, place);
    --depth_;
    return rows_[&*x][at] = std::move(numbers);
}

std::optional<std::span<const double>> AskedRows::row_of_tensor(const Expression& x, Place place) {
    const Extent& extent = x.extent();
    const auto start = static_cast<std::size_t>((place.head * extent.rows + place.row) * extent.columns);
    const auto width = static_cast<std::size_t>(extent.columns);
    if (const auto known = known_(x->tensor, extent, place))
        return known;
    if (const GivenTensor* tensor = given(x->tensor)) {
        if (tensor->numbers.are_there())
            return std::span(tensor->numbers.all()).subspan(start, width);
        std::vector<double>& numbers = rows_[&*x][{place.head, place.row}];
        for (std::size_t i = numbers.size(); i < width; ++i)
            numbers.push_back(tensor->numbers[static_cast<Index>(start + i)]);
        return numbers;
    }
    if (line_of(x->tensor))
        return {};
    return after_the_loops(x->tensor).subspan(start, width);
}

std::span<const double> AskedRows::after_the_loops(const std::string& tensor) {
    if (!whole_run_)
        whole_run_ = std::make_unique<WholeRun>(program_);
    return whole_run_->values.of(tensor);
}

std::span<const double> AskedRows::matrix(const Expression& x, Index head) {
    const Extent& extent = x.extent();
    head = extent.heads <= 1 ? 0 : head;
    std::vector<double>& numbers = matrices_[{&*x, head}];
    if (!numbers.empty())
        return numbers;
    if (extent.rows * extent.columns > most_numbers)
        throw TooMuch();
    std::vector<double> all;
    all.reserve(static_cast<std::size_t>(extent.rows * extent.columns));
    for (Index at = 0; at < extent.rows; ++at) {
        const auto part = row(x, {head, at, 0});
        all.insert(all.end(), part.begin(), part.end());
    }
    return matrices_[{&*x, head}] = std::move(all);
}

std::vector<double> AskedRows::computed(const Expression& x, Place place) {
    const ExpressionNode& node = *x;
    const OperationDescription& description = description_of(node.operation);
    const Extent& extent = x.extent();
    const auto copy_of = [&](const Expression& other) {
        const auto numbers = row(other, place);
        return std::vector<double>(numbers.begin(), numbers.end());
    };
    if (node.operation == Operation::number)
        return {node.number};
    if (node.operation == Operation::tensor)
        return copy_of(line_of(node.tensor)->value);
    if (node.operation == Operation::solution)
        return copy_of(node.operands.front());
    if (node.operation == Operation::sum_of_pairs)
        return summed_pairs(x, place);
    if (node.operation == Operation::mix_heads)
        return mixed(x, place);
    std::vector<double> result(static_cast<std::size_t>(extent.columns));
    if (description.family == OperationFamily::places) {
        for (Index column = 0; column < extent.columns; ++column) {
            const MovedElement from = description.source(node, {place.head, place.row, column});
            result[static_cast<std::size_t>(column)] = at(node.operands[from.operand], from.place);
        }
        return result;
    }
    OperandList operands;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
        const Expression& operand = node.operands[i];
        const bool is_row = needs_one_row(node, i);
        const auto numbers = is_row ? row(operand, place) : matrix(operand, place.head);
        operands.add({numbers.data(), {0, is_row ? 1 : operand.extent().rows, operand.extent().columns}});
    }
    if (needs_one_row(node, 0) || extent.rows == 1) {
        description.run({node, {0, 1, extent.columns}, operands.all()}, result.data());
        return result;
    }
    std::vector<double> all(static_cast<std::size_t>(extent.rows * extent.columns));
    description.run({node, {0, extent.rows, extent.columns}, operands.all()}, all.data());
    for (Index at = 0; at < extent.rows; ++at) {
        const auto start = all.begin() + at * extent.columns;
        rows_[&*x][{place.head, at}].assign(start, start + extent.columns);
    }
    return rows_[&*x][{place.head, place.row}];
}

std::vector<double> AskedRows::mixed(const Expression& x, Place place) {
    const Expression &mixing = x->operands[0], &heads = x->operands[1];
    std::vector<double> result(static_cast<std::size_t>(x.extent().columns));
    for (Index head = 0; head < mixing.extent().columns; ++head) {
        const double share = at(mixing, {0, place.head, head});
        const auto part = row(heads, {head, place.row, 0});
        for (std::size_t column = 0; column < result.size(); ++column)
            result[column] += share * part[column];
    }
    return result;
}

AskedRows::Summand AskedRows::summand(const Expression& x, Place place) {
    const OperationDescription& description = description_of(x->operation);
    const auto all = [](std::span<const double> numbers, const Extent& of, Index rows) {
        return Summand{{numbers.begin(), numbers.end()}, {0, rows, of.columns}};
    };
    if (x->operation == Operation::number)
        return {{x->number}, {}};
    if (description.family == OperationFamily::side) {
        const Expression& side = x->operands.front();
        return x->operation == Operation::left_row
                   ? all(row(side, place), side.extent(), 1)
                   : all(matrix(side, place.head), side.extent(), side.extent().rows);
    }
    if (description.family != OperationFamily::elements)
        return all(matrix(x, place.head), x.extent(), x.extent().rows);
    std::vector<Summand> parts;
    std::vector<Extent> extents;
    for (const Expression& operand : x->operands) {
        parts.push_back(summand(operand, place));
        extents.push_back(parts.back().extent);
    }
    OperandList operands;
    for (const Summand& part : parts)
        operands.add({part.numbers.data(), part.extent});
    Summand result{{}, description.shape(*x, extents)};
    result.numbers.resize(static_cast<std::size_t>(result.extent.size()));
    description.run({*x, result.extent, operands.all()}, result.numbers.data());
    return result;
}

std::vector<double> AskedRows::summed_pairs(const Expression& x, Place place) {
    const Summand terms = summand(x->operands.front(), place);
    const OperandNumbers numbers{terms.numbers.data(), terms.extent};
    std::vector<double> result(static_cast<std::size_t>(x.extent().columns));
    for (Index key = 0; key < x.extent().columns; ++key)
        result[static_cast<std::size_t>(key)] =
            graph_arithmetic().sum(numbers.numbers + numbers.at({0, key, 0}), terms.extent.columns);
    return result;
}

}  // namespace headlight
