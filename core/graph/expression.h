#pragma once

#include "core/graph/from_places.h"
#include "core/graph/operation_types.h"

#include <memory>
#include <string>
#include <vector>

namespace headlight {

// The arithmetic of a trace as a value: expressions of tensors, which writers turn into lines of NumPy and of
// PyTorch and into cells of a spreadsheet, and which graphs evaluate and differentiate. Extents follow as in
// NumPy: where one operand has an extent of 1, or no heads at all, it meets every row, column or head of the
// other. What each operation does is a row of a table: core/graph/operation.h.

/// The extents of a tensor: [rows, columns], or [heads, rows, columns].
struct Extent {
    Index heads = 0;  ///< 0: no axis of heads
    Index rows = 1;
    Index columns = 1;

    Index matrices() const { return heads > 0 ? heads : 1; }
    Index size() const { return matrices() * rows * columns; }
    bool operator==(const Extent&) const = default;
};

/// "[2, 7, 7]"
std::string to_string(const Extent& extent);

enum class Operation {
    number,
    tensor,
    solution,
    // On elements:
    negate,
    exponential,
    logarithm,
    logarithm_of_more,  ///< ln(1 + x), also of an x that 1 + x has no digits of
    root,
    hyperbolic_tangent,
    sine,
    cosine,
    absolute,
    floor,
    add,
    subtract,
    multiply,
    divide,
    power,
    minimum,
    maximum,
    above,
    at_least,
    equal,
    both,
    choose,
    // Along an axis, which then has the extent 1.
    sum_of_columns,
    sum_of_rows,
    maximum_of_columns,
    maximum_of_rows,
    // Along the columns, which stay.
    cumulative_sum,
    cumulative_product,
    descending,
    rank,
    // On matrices:
    product,
    product_transposed,
    inverse,
    mix_heads,
    // Over the features of each query and each key:
    sum_of_pairs,
    left_row,
    right_row,
    // Elements in another place.
    transposed,
    split_heads,
    split_rows,
    join_heads,
    take_heads,
    pick,
    join_columns,
    join_rows,
    // Those of core/graph/operations, named by their files:
    HEADLIGHT_OPERATIONS,
};

/// Places of a matrix, [rows, columns].
struct Places {
    Index rows = 0, columns = 0;
    FromPlaces<Index> numbers;  ///< row by row

    Index operator()(Index row, Index column) const {
        return numbers[(rows == 1 ? 0 : row) * columns + (columns == 1 ? 0 : column)];
    }
};

/// An element of a tensor.
struct Place {
    Index head = 0, row = 0, column = 0;
};

struct ExpressionNode;

class Expression {
public:
    Expression(double number);  // NOLINT: to be written as 2 * x
    explicit Expression(std::shared_ptr<const ExpressionNode> node) : node_(std::move(node)) {}

    const ExpressionNode& operator*() const { return *node_; }
    const ExpressionNode* operator->() const { return node_.get(); }
    const Extent& extent() const;

private:
    std::shared_ptr<const ExpressionNode> node_;
};

/// How people write what stable arithmetic is made of in more words: "sigmoid(" x ")".
struct ShortForm {
    const char* before = "";
    Expression of;
    const char* after = "";
};

class KnownMoves;

struct ExpressionNode {
    Operation operation = Operation::number;
    Extent extent = {};
    std::vector<Expression> operands = {};
    double number = 0;           ///< Operation::number
    std::string tensor = {};     ///< Operation::tensor: its name in the program
    bool is_truth = false;       ///< true and false in place of numbers
    Places row_places = {};      ///< pick
    Places column_places = {};   ///< pick
    std::vector<Index> heads{};  ///< take_heads
    Index count = 0;             ///< split_heads, split_rows: into how many heads
    std::shared_ptr<const ShortForm> short_form = nullptr;
    std::shared_ptr<KnownMoves> moves = nullptr;  ///< of an operation on places
    double nodes = 1;  ///< written out: what several operands share is counted for each
};

/// `searched`, the numbers at which each element of `residual` is 0. Both have one extent, `residual` is made
/// of `searched` element by element or row by row, and of the tensors that decide where it is 0. What a
/// search finds has no derivative of its own; this one has that of the equation: -(∂residual/∂x) /
/// (∂residual/∂searched).
Expression solution_of(const Expression& searched, const Expression& residual);

/// The number of a score that counts for nothing.
Expression minus_infinity();

Expression named_tensor(std::string name, const Extent& extent, bool is_truth);

/// An operation that needs nothing beside its operands.
Expression applied(Operation operation, std::vector<Expression> operands);

Expression operator-(const Expression& x);
Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator/(const Expression& a, const Expression& b);

Expression exp_of(const Expression& x);
Expression log_of(const Expression& x);
/// ln(1 + x)
Expression log_of_more(const Expression& x);
Expression root_of(const Expression& x);
Expression tanh_of(const Expression& x);
Expression sin_of(const Expression& x);
Expression cos_of(const Expression& x);
/// Between −π/2 and π/2.
Expression arctan_of(const Expression& x);
/// 2 / √π times the integral of exp(−t²) from 0 to x: between −1 and 1.
Expression erf_of(const Expression& x);
Expression absolute_of(const Expression& x);
Expression floor_of(const Expression& x);
Expression power_of(const Expression& x, const Expression& exponent);
Expression smaller_of(const Expression& a, const Expression& b);
Expression larger_of(const Expression& a, const Expression& b);
// Written so that no power is above 1: a spreadsheet has no number for one that overflows.
/// 1 / (1 + exp(-x)).
Expression sigmoid_of(const Expression& x);
/// ln(1 + exp(x)).
Expression softplus_of(const Expression& x);
/// ln of the sigmoid, where that may be 0.
Expression log_sigmoid_of(const Expression& x);
/// max(x, 0).
Expression relu_of(const Expression& x);

// Truths.
Expression is_above(const Expression& a, const Expression& b);
Expression is_at_least(const Expression& a, const Expression& b);
Expression is_equal(const Expression& a, const Expression& b);
Expression both_of(const Expression& a, const Expression& b);
Expression choose(const Expression& condition, const Expression& yes, const Expression& no);
/// 1 and 0.
Expression as_number(const Expression& truth);

Expression sum_of_columns(const Expression& x);      ///< [.., rows, 1]
Expression sum_of_rows(const Expression& x);         ///< [.., 1, columns]
Expression maximum_of_columns(const Expression& x);  ///< [.., rows, 1]
Expression maximum_of_rows(const Expression& x);     ///< [.., 1, columns]
Expression cumulative_sum(const Expression& x);      ///< along the columns
Expression cumulative_product(const Expression& x);  ///< along the columns
Expression descending(const Expression& x);          ///< each row sorted, the largest first
/// How many of a row come before each number of it, the largest first, of equal ones the first.
Expression rank_of(const Expression& x);

Expression product(const Expression& a, const Expression& b);             ///< a b
Expression product_transposed(const Expression& a, const Expression& b);  ///< a bᵀ
Expression inverse_of(const Expression& x);                               ///< of square matrices
/// [g, h] and [h, rows, columns] to [g, rows, columns]: row i mixes the heads into head i.
Expression mix_heads(const Expression& mixing, const Expression& x);

/// [.., n, m] from [.., n, d] and [.., m, d]: the sum over the columns of `summand`, which is made of
/// left_row(x), the row of the query, of right_row(y), that of the key, and of vectors [1, d].
Expression sum_of_pairs(const Expression& summand);
Expression left_row(const Expression& x);
Expression right_row(const Expression& y);

Expression transposed(const Expression& x);
/// [rows, h d] to [h, rows, d]; x itself where there are no heads.
Expression split_heads(const Expression& x, Index heads);
/// [h r, columns] to [h, r, columns]; x itself where there are no heads.
Expression split_rows(const Expression& x, Index heads);
/// [h, rows, d] to [rows, h d]; x itself where it has no heads.
Expression join_heads(const Expression& x);
Expression take_heads(const Expression& x, std::vector<Index> heads);
/// The number at (rows(i, j), columns(i, j)) of each matrix in the place (i, j).
Expression pick(const Expression& x, Places rows, Places columns);
Expression some_rows(const Expression& x, const std::vector<Index>& rows);
Expression some_columns(const Expression& x, const std::vector<Index>& columns);
Expression join_columns(std::vector<Expression> parts);
Expression join_rows(std::vector<Expression> parts);

/// first, first + 1, ...
std::vector<Index> counted(Index first, Index count);

}  // namespace headlight
