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
    for (const Expression& operand : node.operands)
        extents.push_back(operand.extent());
    const OperationDescription& description = description_of(node.operation);
    node.extent = description.shape(node, extents);
    if (description.family == OperationFamily::places) {
        node.is_truth = node.operands.front()->is_truth;
        node.moves = std::make_shared<KnownMoves>();
    }
    return Expression(std::make_shared<const ExpressionNode>(std::move(node)));
}

Expression made_of(Operation operation, std::vector<Expression> operands) {
    const bool is_truth = description_of(operation).is_truth;
    return made({.operation = operation, .operands = std::move(operands), .is_truth = is_truth});
}

/// `x`, which people write in another way.
Expression in_short(const Expression& x, ShortForm form) {
    ExpressionNode node = *x;
    node.short_form = std::make_shared<const ShortForm>(std::move(form));
    return Expression(std::make_shared<const ExpressionNode>(std::move(node)));
}

}  // namespace

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
    return made_of(Operation::solution, {searched, residual});
}

Expression operator-(const Expression& x) {
    return x->operation == Operation::number ? Expression(-x->number) : made_of(Operation::negate, {x});
}
Expression operator+(const Expression& a, const Expression& b) { return made_of(Operation::add, {a, b}); }
Expression operator-(const Expression& a, const Expression& b) {
    return made_of(Operation::subtract, {a, b});
}
Expression operator*(const Expression& a, const Expression& b) {
    return made_of(Operation::multiply, {a, b});
}
Expression operator/(const Expression& a, const Expression& b) { return made_of(Operation::divide, {a, b}); }

Expression exp_of(const Expression& x) {
    return x->operation == Operation::number ? Expression(std::exp(x->number))
                                             : made_of(Operation::exponential, {x});
}
Expression log_of(const Expression& x) {
    return x->operation == Operation::number ? Expression(std::log(x->number))
                                             : made_of(Operation::logarithm, {x});
}
Expression log_of_more(const Expression& x) { return made_of(Operation::logarithm_of_more, {x}); }
Expression root_of(const Expression& x) { return made_of(Operation::root, {x}); }
Expression tanh_of(const Expression& x) { return made_of(Operation::hyperbolic_tangent, {x}); }
Expression sin_of(const Expression& x) { return made_of(Operation::sine, {x}); }
Expression cos_of(const Expression& x) { return made_of(Operation::cosine, {x}); }
Expression arctan_of(const Expression& x) { return made_of(Operation::arc_tangent, {x}); }
Expression erf_of(const Expression& x) { return made_of(Operation::error_function, {x}); }
Expression absolute_of(const Expression& x) { return made_of(Operation::absolute, {x}); }
Expression floor_of(const Expression& x) { return made_of(Operation::floor, {x}); }
Expression power_of(const Expression& x, const Expression& exponent) {
    return made_of(Operation::power, {x, exponent});
}
Expression smaller_of(const Expression& a, const Expression& b) {
    return made_of(Operation::minimum, {a, b});
}
Expression larger_of(const Expression& a, const Expression& b) { return made_of(Operation::maximum, {a, b}); }
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

Expression is_above(const Expression& a, const Expression& b) { return made_of(Operation::above, {a, b}); }
Expression is_at_least(const Expression& a, const Expression& b) {
    return made_of(Operation::at_least, {a, b});
}
Expression is_equal(const Expression& a, const Expression& b) { return made_of(Operation::equal, {a, b}); }
Expression both_of(const Expression& a, const Expression& b) { return made_of(Operation::both, {a, b}); }
Expression choose(const Expression& condition, const Expression& yes, const Expression& no) {
    return made_of(Operation::choose, {condition, yes, no});
}
Expression as_number(const Expression& truth) { return choose(truth, 1, 0); }

Expression sum_of_columns(const Expression& x) { return made_of(Operation::sum_of_columns, {x}); }
Expression sum_of_rows(const Expression& x) { return made_of(Operation::sum_of_rows, {x}); }
Expression maximum_of_columns(const Expression& x) { return made_of(Operation::maximum_of_columns, {x}); }
Expression maximum_of_rows(const Expression& x) { return made_of(Operation::maximum_of_rows, {x}); }
Expression cumulative_sum(const Expression& x) { return made_of(Operation::cumulative_sum, {x}); }
Expression cumulative_product(const Expression& x) { return made_of(Operation::cumulative_product, {x}); }
Expression descending(const Expression& x) { return made_of(Operation::descending, {x}); }
Expression rank_of(const Expression& x) { return made_of(Operation::rank, {x}); }

Expression product(const Expression& a, const Expression& b) { return made_of(Operation::product, {a, b}); }
Expression product_transposed(const Expression& a, const Expression& b) {
    return made_of(Operation::product_transposed, {a, b});
}
Expression inverse_of(const Expression& x) { return made_of(Operation::inverse, {x}); }
Expression mix_heads(const Expression& mixing, const Expression& x) {
    return x.extent().heads == 0 ? mixing * x : made_of(Operation::mix_heads, {mixing, x});
}

Expression sum_of_pairs(const Expression& summand) { return made_of(Operation::sum_of_pairs, {summand}); }
Expression left_row(const Expression& x) { return made_of(Operation::left_row, {x}); }
Expression right_row(const Expression& y) { return made_of(Operation::right_row, {y}); }

Expression transposed(const Expression& x) { return made_of(Operation::transposed, {x}); }
Expression split_heads(const Expression& x, Index heads) {
    return heads == 0 ? x : made({.operation = Operation::split_heads, .operands = {x}, .count = heads});
}
Expression split_rows(const Expression& x, Index heads) {
    return heads == 0 ? x : made({.operation = Operation::split_rows, .operands = {x}, .count = heads});
}
Expression join_heads(const Expression& x) {
    return x.extent().heads == 0 ? x : made_of(Operation::join_heads, {x});
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
    return made_of(Operation::join_columns, std::move(parts));
}
Expression join_rows(std::vector<Expression> parts) {
    return made_of(Operation::join_rows, std::move(parts));
}

std::vector<Index> counted(Index first, Index count) {
    std::vector<Index> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

}  // namespace headlight
