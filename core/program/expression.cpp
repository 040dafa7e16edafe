#include "core/program/expression.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headlight {
namespace {

Expression made(ExpressionNode node) {
    return Expression(std::make_shared<const ExpressionNode>(std::move(node)));
}

[[noreturn]] void refuse_extents(const char* what, const Extent& a, const Extent& b) {
    throw Error({"write a program", what, "extents that meet", to_string(a) + " and " + to_string(b)});
}

Index met(const char* what, Index of_a, Index of_b, const Extent& a, const Extent& b) {
    if (of_a != of_b && of_a != 1 && of_b != 1)
        refuse_extents(what, a, b);
    return std::max(of_a, of_b);
}

Index heads_of(const Extent& a, const Extent& b) {
    if (a.heads == 0 || b.heads == 0)
        return std::max(a.heads, b.heads);
    return met("heads", a.heads, b.heads, a, b);
}

Extent broadcast(const Extent& a, const Extent& b) {
    return {heads_of(a, b), met("rows", a.rows, b.rows, a, b), met("columns", a.columns, b.columns, a, b)};
}

Expression of_elements(Operation operation, std::vector<Expression> operands, bool is_truth = false) {
    Extent extent = operands.front().extent();
    for (const Expression& each : operands)
        extent = broadcast(extent, each.extent());
    return made(
        {.operation = operation, .extent = extent, .operands = std::move(operands), .is_truth = is_truth});
}

Expression of_extent(Operation operation, const Extent& extent, const Expression& x) {
    return made({.operation = operation, .extent = extent, .operands = {x}});
}

Expression along(Operation operation, const Expression& x) { return of_extent(operation, x.extent(), x); }

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

Expression operator-(const Expression& x) {
    return x->operation == Operation::number ? Expression(-x->number) : of_elements(Operation::negate, {x});
}
Expression operator+(const Expression& a, const Expression& b) { return of_elements(Operation::add, {a, b}); }
Expression operator-(const Expression& a, const Expression& b) {
    return of_elements(Operation::subtract, {a, b});
}
Expression operator*(const Expression& a, const Expression& b) {
    return of_elements(Operation::multiply, {a, b});
}
Expression operator/(const Expression& a, const Expression& b) {
    return of_elements(Operation::divide, {a, b});
}

Expression exp_of(const Expression& x) {
    return x->operation == Operation::number ? Expression(std::exp(x->number))
                                             : of_elements(Operation::exponential, {x});
}
Expression log_of(const Expression& x) {
    return x->operation == Operation::number ? Expression(std::log(x->number))
                                             : of_elements(Operation::logarithm, {x});
}
Expression root_of(const Expression& x) { return of_elements(Operation::root, {x}); }
Expression tanh_of(const Expression& x) { return of_elements(Operation::hyperbolic_tangent, {x}); }
Expression sin_of(const Expression& x) { return of_elements(Operation::sine, {x}); }
Expression cos_of(const Expression& x) { return of_elements(Operation::cosine, {x}); }
Expression absolute_of(const Expression& x) { return of_elements(Operation::absolute, {x}); }
Expression floor_of(const Expression& x) { return of_elements(Operation::floor, {x}); }
Expression power_of(const Expression& x, const Expression& exponent) {
    return of_elements(Operation::power, {x, exponent});
}
Expression smaller_of(const Expression& a, const Expression& b) {
    return of_elements(Operation::minimum, {a, b});
}
Expression larger_of(const Expression& a, const Expression& b) {
    return of_elements(Operation::maximum, {a, b});
}
Expression sigmoid_of(const Expression& x) {
    return exp_of(smaller_of(x, 0)) / (1 + exp_of(-absolute_of(x)));
}
Expression softplus_of(const Expression& x) { return larger_of(x, 0) + log_of(1 + exp_of(-absolute_of(x))); }
Expression log_sigmoid_of(const Expression& x) {
    return smaller_of(x, 0) - log_of(1 + exp_of(-absolute_of(x)));
}
Expression relu_of(const Expression& x) { return larger_of(x, 0); }

Expression is_above(const Expression& a, const Expression& b) {
    return of_elements(Operation::above, {a, b}, true);
}
Expression is_at_least(const Expression& a, const Expression& b) {
    return of_elements(Operation::at_least, {a, b}, true);
}
Expression is_equal(const Expression& a, const Expression& b) {
    return of_elements(Operation::equal, {a, b}, true);
}
Expression both_of(const Expression& a, const Expression& b) {
    return of_elements(Operation::both, {a, b}, true);
}
Expression choose(const Expression& condition, const Expression& yes, const Expression& no) {
    return of_elements(Operation::choose, {condition, yes, no});
}
Expression as_number(const Expression& truth) { return choose(truth, 1, 0); }

Expression sum_of_columns(const Expression& x) {
    const Extent& e = x.extent();
    return of_extent(Operation::sum_of_columns, {e.heads, e.rows, 1}, x);
}
Expression sum_of_rows(const Expression& x) {
    const Extent& e = x.extent();
    return of_extent(Operation::sum_of_rows, {e.heads, 1, e.columns}, x);
}
Expression maximum_of_columns(const Expression& x) {
    const Extent& e = x.extent();
    return of_extent(Operation::maximum_of_columns, {e.heads, e.rows, 1}, x);
}
Expression maximum_of_rows(const Expression& x) {
    const Extent& e = x.extent();
    return of_extent(Operation::maximum_of_rows, {e.heads, 1, e.columns}, x);
}
Expression cumulative_sum(const Expression& x) { return along(Operation::cumulative_sum, x); }
Expression cumulative_product(const Expression& x) { return along(Operation::cumulative_product, x); }
Expression descending(const Expression& x) { return along(Operation::descending, x); }
Expression rank_of(const Expression& x) { return along(Operation::rank, x); }

Expression product(const Expression& a, const Expression& b) {
    const Extent &left = a.extent(), &right = b.extent();
    if (left.columns != right.rows)
        refuse_extents("product", left, right);
    return made({.operation = Operation::product,
                 .extent = {heads_of(left, right), left.rows, right.columns},
                 .operands = {a, b}});
}

Expression product_transposed(const Expression& a, const Expression& b) {
    const Extent &left = a.extent(), &right = b.extent();
    if (left.columns != right.columns)
        refuse_extents("product with a transposed matrix", left, right);
    return made({.operation = Operation::product_transposed,
                 .extent = {heads_of(left, right), left.rows, right.rows},
                 .operands = {a, b}});
}

Expression inverse_of(const Expression& x) { return along(Operation::inverse, x); }

Expression mix_heads(const Expression& mixing, const Expression& x) {
    const Extent &weights = mixing.extent(), &maps = x.extent();
    if (maps.heads == 0)
        return mixing * x;
    if (weights.columns != maps.heads)
        refuse_extents("mixture of heads", weights, maps);
    return made({.operation = Operation::mix_heads,
                 .extent = {weights.rows, maps.rows, maps.columns},
                 .operands = {mixing, x}});
}

namespace {

/// Adds the extents of a summand of sum_of_pairs(): heads, rows of the queries, rows of the keys.
void add_pair_extents(const Expression& part, Extent& pairs) {
    const ExpressionNode& node = *part;
    const bool is_side = node.operation == Operation::left_row || node.operation == Operation::right_row;
    if (is_side || node.operation == Operation::tensor) {
        const Extent& whole = is_side ? node.operands.front().extent() : node.extent;
        pairs.heads = std::max(pairs.heads, whole.heads);
        if (node.operation == Operation::left_row)
            pairs.rows = whole.rows;
        if (node.operation == Operation::right_row)
            pairs.columns = whole.rows;
        return;
    }
    for (const Expression& each : node.operands)
        add_pair_extents(each, pairs);
}

/// One row of x, whichever it is.
Expression row_of_side(Operation side, const Expression& x) {
    return of_extent(side, {x.extent().heads, 1, x.extent().columns}, x);
}

}  // namespace

Expression sum_of_pairs(const Expression& summand) {
    Extent pairs;
    add_pair_extents(summand, pairs);
    return of_extent(Operation::sum_of_pairs, pairs, summand);
}
Expression left_row(const Expression& x) { return row_of_side(Operation::left_row, x); }
Expression right_row(const Expression& y) { return row_of_side(Operation::right_row, y); }

Expression transposed(const Expression& x) {
    const Extent& e = x.extent();
    return of_extent(Operation::transposed, {e.heads, e.columns, e.rows}, x);
}
Expression split_heads(const Expression& x, Index heads) {
    const Extent& e = x.extent();
    if (heads == 0)
        return x;
    return of_extent(Operation::split_heads, {heads, e.rows, e.columns / heads}, x);
}
Expression split_rows(const Expression& x, Index heads) {
    const Extent& e = x.extent();
    if (heads == 0)
        return x;
    return of_extent(Operation::split_rows, {heads, e.rows / heads, e.columns}, x);
}
Expression join_heads(const Expression& x) {
    const Extent& e = x.extent();
    if (e.heads == 0)
        return x;
    return of_extent(Operation::join_heads, {0, e.rows, e.heads * e.columns}, x);
}
Expression take_heads(const Expression& x, std::vector<Index> heads) {
    const Extent& e = x.extent();
    if (e.heads == 0)
        return x;
    const Index taken = std::ssize(heads);
    return made({.operation = Operation::take_heads,
                 .extent = {taken, e.rows, e.columns},
                 .operands = {x},
                 .heads = std::move(heads)});
}

Expression pick(const Expression& x, Places rows, Places columns) {
    const Extent extent{x.extent().heads, std::max(rows.rows, columns.rows),
                        std::max(rows.columns, columns.columns)};
    return made({.operation = Operation::pick,
                 .extent = extent,
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
    Extent extent = parts.front().extent();
    extent.columns = 0;
    for (const Expression& part : parts)
        extent.columns += part.extent().columns;
    return made({.operation = Operation::join_columns, .extent = extent, .operands = std::move(parts)});
}
Expression join_rows(std::vector<Expression> parts) {
    Extent extent = parts.front().extent();
    extent.rows = 0;
    for (const Expression& part : parts)
        extent.rows += part.extent().rows;
    return made({.operation = Operation::join_rows, .extent = extent, .operands = std::move(parts)});
}

std::vector<Index> counted(Index first, Index count) {
    std::vector<Index> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

}  // namespace headlight
