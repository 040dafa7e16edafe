#include "core/graph/expression.h"

#include "core/graph/known_moves.h"
#include "core/graph/operation.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace headlight {
namespace {

/// An expression whose extent follows from its operands; throws Error where they do not meet.
Expression made(ExpressionNode node) {
    std::vector<Extent> extents;
    extents.reserve(node.operands.size());
    node.nodes = 1;
    for (const Expression& operand : node.operands) {
        extents.push_back(operand.extent());
        node.nodes += operand->nodes;
    }
    const OperationDescription& description = description_of(node.operation);
    node.extent = description.shape(node, extents);
    if (description.family == OperationFamily::places) {
        node.is_truth = node.operands.front()->is_truth;
        node.moves = std::make_shared<KnownMoves>();
    }
    return Expression(std::make_shared<const ExpressionNode>(std::move(node)));
}

/// `x`, which people write in another way.
Expression in_short(const Expression& x, ShortForm form) {
    ExpressionNode node = *x;
    node.short_form = std::make_shared<const ShortForm>(std::move(form));
    return Expression(std::make_shared<const ExpressionNode>(std::move(node)));
}

}  // namespace

Expression applied(Operation operation, std::vector<Expression> operands) {
    const bool is_truth = description_of(operation).is_truth;
    return made({.operation = operation, .operands = std::move(operands), .is_truth = is_truth});
}

std::string to_string(const Extent& extent) {
    return '[' + (extent.heads > 0 ? std::to_string(extent.heads) + ", " : "") + std::to_string(extent.rows) +
           ", " + std::to_string(extent.columns) + ']';
}

Expression::Expression(double number)
    : node_(std::make_shared<const ExpressionNode>(ExpressionNode{.number = number})) {}

const Extent& Expression::extent() const { return node_->extent; }

Expression minus_infinity() { return -std::numeric_limits<double>::infinity(); }

Expression named_tensor(std::string name, const Extent& extent, bool is_truth) {
    return made(
        {.operation = Operation::tensor, .extent = extent, .tensor = std::move(name), .is_truth = is_truth});
}

Expression solution_of(const Expression& searched, const Expression& residual) {
    return applied(Operation::solution, {searched, residual});
}

Expression operator-(const Expression& x) {
    return x->operation == Operation::number ? Expression(-x->number) : applied(Operation::negate, {x});
}
Expression operator+(const Expression& a, const Expression& b) { return applied(Operation::add, {a, b}); }
Expression operator-(const Expression& a, const Expression& b) {
    return applied(Operation::subtract, {a, b});
}
Expression operator*(const Expression& a, const Expression& b) {
    return applied(Operation::multiply, {a, b});
}
Expression operator/(const Expression& a, const Expression& b) { return applied(Operation::divide, {a, b}); }

Expression exp_of(const Expression& x) {
    return x->operation == Operation::number ? Expression(std::exp(x->number))
                                             : applied(Operation::exponential, {x});
}
Expression log_of(const Expression& x) {
    return x->operation == Operation::number ? Expression(std::log(x->number))
                                             : applied(Operation::logarithm, {x});
}
Expression log_of_more(const Expression& x) { return applied(Operation::logarithm_of_more, {x}); }
Expression root_of(const Expression& x) { return applied(Operation::root, {x}); }
Expression tanh_of(const Expression& x) { return applied(Operation::hyperbolic_tangent, {x}); }
Expression sin_of(const Expression& x) { return applied(Operation::sine, {x}); }
Expression cos_of(const Expression& x) { return applied(Operation::cosine, {x}); }
Expression arctan_of(const Expression& x) { return applied(Operation::arc_tangent, {x}); }
Expression erf_of(const Expression& x) { return applied(Operation::error_function, {x}); }
Expression absolute_of(const Expression& x) { return applied(Operation::absolute, {x}); }
Expression floor_of(const Expression& x) { return applied(Operation::floor, {x}); }
Expression power_of(const Expression& x, const Expression& exponent) {
    return applied(Operation::power, {x, exponent});
}
Expression smaller_of(const Expression& a, const Expression& b) {
    return applied(Operation::minimum, {a, b});
}
Expression larger_of(const Expression& a, const Expression& b) { return applied(Operation::maximum, {a, b}); }
Expression sigmoid_of(const Expression& x) {
    return in_short(exp_of(smaller_of(x, 0)) / (1 + exp_of(-absolute_of(x))), {"sigmoid(", x, ")"});
}
Expression softplus_of(const Expression& x) {
    return in_short(larger_of(x, 0) + log_of_more(exp_of(-absolute_of(x))), {"softplus(", x, ")"});
}
Expression log_sigmoid_of(const Expression& x) {
    return in_short(smaller_of(x, 0) - log_of_more(exp_of(-absolute_of(x))), {"−softplus(−(", x, "))"});
}
Expression relu_of(const Expression& x) { return larger_of(x, 0); }

Expression is_above(const Expression& a, const Expression& b) { return applied(Operation::above, {a, b}); }
Expression is_at_least(const Expression& a, const Expression& b) {
    return applied(Operation::at_least, {a, b});
}
Expression is_equal(const Expression& a, const Expression& b) { return applied(Operation::equal, {a, b}); }
Expression both_of(const Expression& a, const Expression& b) { return applied(Operation::both, {a, b}); }
Expression choose(const Expression& condition, const Expression& yes, const Expression& no) {
    return applied(Operation::choose, {condition, yes, no});
}
Expression as_number(const Expression& truth) { return choose(truth, 1, 0); }

Expression sum_of_columns(const Expression& x) { return applied(Operation::sum_of_columns, {x}); }
Expression sum_of_rows(const Expression& x) { return applied(Operation::sum_of_rows, {x}); }
Expression maximum_of_columns(const Expression& x) { return applied(Operation::maximum_of_columns, {x}); }
Expression maximum_of_rows(const Expression& x) { return applied(Operation::maximum_of_rows, {x}); }
Expression cumulative_sum(const Expression& x) { return applied(Operation::cumulative_sum, {x}); }
Expression cumulative_product(const Expression& x) { return applied(Operation::cumulative_product, {x}); }
Expression descending(const Expression& x) { return applied(Operation::descending, {x}); }
Expression rank_of(const Expression& x) { return applied(Operation::rank, {x}); }

Expression product(const Expression& a, const Expression& b) { return applied(Operation::product, {a, b}); }
Expression product_transposed(const Expression& a, const Expression& b) {
    return applied(Operation::product_transposed, {a, b});
}
Expression inverse_of(const Expression& x) { return applied(Operation::inverse, {x}); }
Expression mix_heads(const Expression& mixing, const Expression& x) {
    return x.extent().heads == 0 ? mixing * x : applied(Operation::mix_heads, {mixing, x});
}

Expression sum_of_pairs(const Expression& summand) { return applied(Operation::sum_of_pairs, {summand}); }
Expression left_row(const Expression& x) { return applied(Operation::left_row, {x}); }
Expression right_row(const Expression& y) { return applied(Operation::right_row, {y}); }

Expression transposed(const Expression& x) { return applied(Operation::transposed, {x}); }
Expression split_heads(const Expression& x, Index heads) {
    return heads == 0 ? x : made({.operation = Operation::split_heads, .operands = {x}, .count = heads});
}
Expression split_rows(const Expression& x, Index heads) {
    return heads == 0 ? x : made({.operation = Operation::split_rows, .operands = {x}, .count = heads});
}
Expression join_heads(const Expression& x) {
    return x.extent().heads == 0 ? x : applied(Operation::join_heads, {x});
}
Expression take_heads(const Expression& x, std::vector<Index> heads) {
    return x.extent().heads == 0
               ? x
               : made({.operation = Operation::take_heads, .operands = {x}, .heads = std::move(heads)});
}

Expression pick(const Expression& x, Places rows, Places columns) {
    return made({.operation = Operation::pick,
                 .operands = {x},
                 .row_places = std::move(rows),
                 .column_places = std::move(columns)});
}
Expression some_rows(const Expression& x, const std::vector<Index>& rows) {
    const Index columns = x.extent().columns;
    return pick(x, {std::ssize(rows), 1, rows}, {1, columns, counted(0, columns)});
}
Expression some_columns(const Expression& x, const std::vector<Index>& columns) {
    const Index rows = x.extent().rows;
    return pick(x, {rows, 1, counted(0, rows)}, {1, std::ssize(columns), columns});
}

Expression join_columns(std::vector<Expression> parts) {
    return applied(Operation::join_columns, std::move(parts));
}
Expression join_rows(std::vector<Expression> parts) {
    return applied(Operation::join_rows, std::move(parts));
}

std::vector<Index> counted(Index first, Index count) {
    std::vector<Index> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

}  // namespace headlight
