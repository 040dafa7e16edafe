#include "core/program/evaluate.h"

#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headlight {
namespace {

bool is_of_elements(Operation operation) {
    return operation >= Operation::negate && operation <= Operation::choose;
}

/// An operation on elements; what it does not take of `x` is 0.
double of_elements(Operation operation, const std::array<double, 3>& x) {
    switch (operation) {
    case Operation::negate:
        return -x[0];
    case Operation::exponential:
        return std::exp(x[0]);
    case Operation::logarithm:
        return std::log(x[0]);
    case Operation::root:
        return std::sqrt(x[0]);
    case Operation::hyperbolic_tangent:
        return std::tanh(x[0]);
    case Operation::sine:
        return std::sin(x[0]);
    case Operation::cosine:
        return std::cos(x[0]);
    case Operation::absolute:
        return std::abs(x[0]);
    case Operation::floor:
        return std::floor(x[0]);
    case Operation::add:
        return x[0] + x[1];
    case Operation::subtract:
        return x[0] - x[1];
    case Operation::multiply:
        return x[0] * x[1];
    case Operation::divide:
        return x[0] / x[1];
    case Operation::power:
        return std::pow(x[0], x[1]);
    case Operation::minimum:
        return std::min(x[0], x[1]);
    case Operation::maximum:
        return std::max(x[0], x[1]);
    case Operation::above:
        return x[0] > x[1] ? 1 : 0;
    case Operation::at_least:
        return x[0] >= x[1] ? 1 : 0;
    case Operation::equal:
        return x[0] == x[1] ? 1 : 0;
    case Operation::both:
        return x[0] != 0 && x[1] != 0 ? 1 : 0;
    case Operation::choose:
        return x[0] != 0 ? x[1] : x[2];
    default:
        throw Error({"evaluate a program", "", "an operation on elements", "another"});
    }
}

/// In place, [size, size], by Gauss and Jordan with the largest pivot of each column.
void invert(std::vector<double>& matrix, std::size_t size) {
    std::vector<double> inverse(size * size);
    for (std::size_t at = 0; at < size; ++at)
        inverse[at * size + at] = 1;
    const auto for_row = [&](const auto& change) {
        for (std::size_t column = 0; column < size; ++column) {
            change(matrix, column);
            change(inverse, column);
        }
    };
    for (std::size_t pivot = 0; pivot < size; ++pivot) {
        std::size_t largest = pivot;
        for (std::size_t row = pivot + 1; row < size; ++row)
            if (std::abs(matrix[row * size + pivot]) > std::abs(matrix[largest * size + pivot]))
                largest = row;
        for_row([&](std::vector<double>& of, std::size_t column) {
            std::swap(of[pivot * size + column], of[largest * size + column]);
        });
        const double divisor = matrix[pivot * size + pivot];
        for_row([&](std::vector<double>& of, std::size_t column) { of[pivot * size + column] /= divisor; });
        for (std::size_t row = 0; row < size; ++row) {
            const double factor = row == pivot ? 0 : matrix[row * size + pivot];
            for_row([&](std::vector<double>& of, std::size_t column) {
                of[row * size + column] -= factor * of[pivot * size + column];
            });
        }
    }
    matrix = std::move(inverse);
}

double as_cell(double number) { return std::isinf(number) ? std::copysign(cell_infinity, number) : number; }

}  // namespace

void Evaluation::set(const std::string& name, const Extent& extent, std::vector<double> numbers) {
    tensors_[name] = {extent, std::move(numbers)};
}

std::vector<double> Evaluation::numbers_of(const Expression& x) {
    inverses_.clear();
    const Extent& extent = x.extent();
    std::vector<double> numbers;
    numbers.reserve(static_cast<std::size_t>(extent.size()));
    for (Index head = 0; head < extent.matrices(); ++head)
        for (Index row = 0; row < extent.rows; ++row) {
            Interruption::check();
            for (Index column = 0; column < extent.columns; ++column)
                numbers.push_back(element(x, {head, row, column}));
        }
    return numbers;
}

double Evaluation::element(const Expression& x, Place at) {
    const ExpressionNode& node = *x;
    const Extent& extent = node.extent;
    at = {extent.heads <= 1 ? 0 : at.head, extent.rows == 1 ? 0 : at.row,
          extent.columns == 1 ? 0 : at.column};
    if (node.operation == Operation::number)
        return as_cell(node.number);
    if (node.operation == Operation::tensor) {
        const Index place = (at.head * extent.rows + at.row) * extent.columns + at.column;
        return as_cell(tensors_.at(node.tensor).numbers[static_cast<std::size_t>(place)]);
    }
    if (is_of_elements(node.operation)) {
        std::array<double, 3> parts{};
        for (std::size_t i = 0; i < node.operands.size(); ++i)
            parts[i] = element(node.operands[i], at);
        return of_elements(node.operation, parts);
    }
    switch (node.operation) {
    case Operation::sum_of_columns:
    case Operation::sum_of_rows:
    case Operation::maximum_of_columns:
    case Operation::maximum_of_rows:
        return reduced(x, at);
    case Operation::cumulative_sum:
    case Operation::cumulative_product:
    case Operation::descending:
    case Operation::rank:
        return along_row(x, at);
    case Operation::product:
    case Operation::product_transposed:
    case Operation::mix_heads:
        return multiplied(x, at);
    case Operation::inverse:
        return inverse(x, at);
    case Operation::sum_of_pairs: {
        double sum = 0;
        for (Index column = 0; column < node.operands.front().extent().columns; ++column)
            sum += of_pair(node.operands.front(), at, column);
        return sum;
    }
    default:
        return moved(x, at);
    }
}

double Evaluation::of_pair(const Expression& x, Place at, Index column) {
    const ExpressionNode& node = *x;
    if (node.operation == Operation::left_row)
        return element(node.operands.front(), {at.head, at.row, column});
    if (node.operation == Operation::right_row)
        return element(node.operands.front(), {at.head, at.column, column});
    if (!is_of_elements(node.operation))
        return element(x, {at.head, 0, column});
    std::array<double, 3> parts{};
    for (std::size_t i = 0; i < node.operands.size(); ++i)
        parts[i] = of_pair(node.operands[i], at, column);
    return of_elements(node.operation, parts);
}

double Evaluation::reduced(const Expression& x, Place at) {
    const Expression& operand = x->operands.front();
    const Operation operation = x->operation;
    const bool is_of_columns =
        operation == Operation::sum_of_columns || operation == Operation::maximum_of_columns;
    const bool is_sum = operation == Operation::sum_of_columns || operation == Operation::sum_of_rows;
    Index& place = is_of_columns ? at.column : at.row;
    const Index count = is_of_columns ? operand.extent().columns : operand.extent().rows;
    place = 0;
    double result = element(operand, at);
    for (place = 1; place < count; ++place)
        result = is_sum ? result + element(operand, at) : std::max(result, element(operand, at));
    return result;
}

double Evaluation::along_row(const Expression& x, Place at) {
    const Expression& operand = x->operands.front();
    const Operation operation = x->operation;
    const bool is_of_all = operation == Operation::descending || operation == Operation::rank;
    std::vector<double> row;
    for (Index column = 0; column < (is_of_all ? operand.extent().columns : at.column + 1); ++column)
        row.push_back(element(operand, {at.head, at.row, column}));
    if (operation == Operation::descending) {
        std::ranges::nth_element(row, row.begin() + at.column, std::ranges::greater());
        return row[static_cast<std::size_t>(at.column)];
    }
    if (operation == Operation::rank) {
        const double own = row[static_cast<std::size_t>(at.column)];
        return static_cast<double>(std::ranges::count_if(row, [&](double each) { return each > own; }) +
                                   std::count(row.begin(), row.begin() + at.column, own));
    }
    double result = row.front();
    for (std::size_t column = 1; column < row.size(); ++column)
        result = operation == Operation::cumulative_sum ? result + row[column] : result * row[column];
    return result;
}

double Evaluation::multiplied(const Expression& x, Place at) {
    const Expression &left = x->operands[0], &right = x->operands[1];
    double sum = 0;
    if (x->operation == Operation::mix_heads) {
        for (Index head = 0; head < right.extent().heads; ++head)
            sum += element(left, {0, at.head, head}) * element(right, {head, at.row, at.column});
        return sum;
    }
    const bool is_transposed = x->operation == Operation::product_transposed;
    for (Index met = 0; met < left.extent().columns; ++met)
        sum +=
            element(left, {at.head, at.row, met}) *
            element(right, is_transposed ? Place{at.head, at.column, met} : Place{at.head, met, at.column});
    return sum;
}

double Evaluation::inverse(const Expression& x, Place at) {
    const Index size = x.extent().rows;
    auto& known = inverses_[{&*x, at.head}];
    if (known.empty()) {
        for (Index row = 0; row < size; ++row)
            for (Index column = 0; column < size; ++column)
                known.push_back(element(x->operands.front(), {at.head, row, column}));
        invert(known, static_cast<std::size_t>(size));
    }
    return known[static_cast<std::size_t>(at.row * size + at.column)];
}

/// Elements of an operand in another place.
double Evaluation::moved(const Expression& x, Place at) {
    const ExpressionNode& node = *x;
    const Extent& extent = node.extent;
    const Expression& operand = node.operands.front();
    switch (node.operation) {
    case Operation::transposed:
        return element(operand, {at.head, at.column, at.row});
    case Operation::split_heads:
        return element(operand, {0, at.row, at.head * extent.columns + at.column});
    case Operation::split_rows:
        return element(operand, {0, at.head * extent.rows + at.row, at.column});
    case Operation::join_heads: {
        const Index width = operand.extent().columns;
        return element(operand, {at.column / width, at.row, at.column % width});
    }
    case Operation::take_heads:
        return element(operand, {node.heads[static_cast<std::size_t>(at.head)], at.row, at.column});
    case Operation::pick:
        return element(operand,
                       {at.head, node.row_places(at.row, at.column), node.column_places(at.row, at.column)});
    case Operation::join_columns:
    case Operation::join_rows: {
        const bool is_of_columns = node.operation == Operation::join_columns;
        Index& place = is_of_columns ? at.column : at.row;
        for (const Expression& part : node.operands) {
            const Index count = is_of_columns ? part.extent().columns : part.extent().rows;
            if (place < count)
                return element(part, at);
            place -= count;
        }
        break;
    }
    default:
        break;
    }
    throw Error({"evaluate a program", "", "an operation that has numbers", "another"});
}

}  // namespace headlight
