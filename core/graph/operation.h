#pragma once

#include "core/graph/expression.h"
#include "core/graph/spelling.h"
#include "core/graph/tensor_axes.h"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace headlight {

struct PairBody;

/// Where a place of a result lies in an operand that meets it: an extent of 1 meets every head, row or
/// column.
inline Place meeting(const Extent& extent, Place place) {
    return {extent.heads <= 1 ? 0 : place.head, extent.rows == 1 ? 0 : place.row,
            extent.columns == 1 ? 0 : place.column};
}
/// The same as a number in the order of rows and heads.
inline Index index_of(const Extent& extent, Place place) {
    const Place met = meeting(extent, place);
    return (met.head * extent.rows + met.row) * extent.columns + met.column;
}

/// The numbers of an operand, row by row, head by head.
struct OperandNumbers {
    const double* numbers = nullptr;
    Extent extent;

    /// Where an element lies.
    Index at(Place place) const { return index_of(extent, place); }
};

/// The operands of one call. Where they come from a graph, all of its runs share their extents.
class CallOperands {
public:
    CallOperands(std::span<const Extent* const> extents, const double* const* numbers)
        : extents_(extents), numbers_(numbers) {}

    std::size_t size() const { return extents_.size(); }
    OperandNumbers operator[](std::size_t operand) const { return {numbers_[operand], *extents_[operand]}; }

private:
    std::span<const Extent* const> extents_;
    const double* const* numbers_;
};

/// Operands that are put together for a call.
class OperandList {
public:
    void add(const OperandNumbers& operand) {
        extents_.push_back(operand.extent);
        numbers_.push_back(operand.numbers);
    }
    void clear() {
        extents_.clear();
        numbers_.clear();
    }
    /// As long as the list stays as it is.
    CallOperands all() {
        places_.clear();
        for (const Extent& extent : extents_)
            places_.push_back(&extent);
        return {places_, numbers_.data()};
    }

private:
    std::vector<Extent> extents_;
    std::vector<const Extent*> places_;
    std::vector<const double*> numbers_;
};

/// One operation on numbers that are known.
struct OperationCall {
    const ExpressionNode& node;  ///< for what the operation needs beside its operands: places, heads
    Extent extent;               ///< the result's
    CallOperands operands;
    const PairBody* body = nullptr;  ///< sum_of_pairs: its summand, for one query
    OperandNumbers read_where = {};  ///< sum_of_pairs: 0 where nobody reads it; without numbers: all is read
    Index first_rows = 0;            ///< elements: so many of each matrix alone; 0: all
};

/// One element of an operand, which stands in a place of the result.
struct MovedElement {
    std::size_t operand = 0;
    Place place;
};

enum class OperationFamily {
    given,      ///< numbers that are there, or that a search has found
    elements,   ///< each element by itself
    reduction,  ///< along an axis, which then has the extent 1
    row,        ///< along the columns of each row, which stay
    matrices,
    side,    ///< the query's or the key's row, in what sum_of_pairs() adds up
    places,  ///< elements in another place
};

/// The axis that an operation goes along.
enum class AlongAxis { none, columns, rows };

/// What is known of an operation, declared once: a row of the table. What evaluates, differentiates, writes
/// or labels expressions reads it here. One that is a file of operations/ has `operation` and `name` from
/// that: of operations/arc_tangent.cpp, which defines `OperationDescription declare_operation_arc_tangent()`,
/// Operation::arc_tangent and "arc tangent".
struct OperationDescription {
    Operation operation = Operation::number;
    std::string_view name;
    OperationFamily family = OperationFamily::given;
    AlongAxis along = AlongAxis::none;
    bool is_truth = false;  ///< 1 and 0 stand for true and false

    /// Returns the extent of the result; throws Error where operands do not meet.
    Extent (*shape)(const ExpressionNode& node, std::span<const Extent> operands) = nullptr;
    /// Returns what the axes of the result count.
    TensorAxes (*axes)(const ExpressionNode& node, std::span<const TensorAxes> operands) = nullptr;
    /// Computes every number of the result.
    void (*run)(const OperationCall& call, double* result) = nullptr;
    /// Adds to the gradient of each operand what follows from that of the result. Those that nobody asks for
    /// are null. Null itself where `no_derivative` says why.
    void (*backward)(const OperationCall& call, const double* result, const double* gradient,
                     std::span<double* const> gradients) = nullptr;
    /// Why no gradient passes; empty where one does.
    std::string_view no_derivative = {};
    /// places: which element stands in a place of the result.
    MovedElement (*source)(const ExpressionNode& node, Place place) = nullptr;
    /// places: how many columns of the result, from each multiple of it on, lie together in an operand;
    /// null: 1.
    Index (*together)(const ExpressionNode& node) = nullptr;

    /// matrices: the places of the two factors of each term of the sum that a number of the result is. There
    /// are as many terms as the first operand has columns.
    std::array<Place, 2> (*factors)(const ExpressionNode& node, Place at, Index term) = nullptr;
    /// matrices: a row of the result reads the same row of the first operand, and all of the others.
    bool goes_by_rows = false;
    /// How many multiplications with an addition a run takes; null: those of the factors, or none.
    double (*multiply_adds)(const Extent& result, const Extent& first) = nullptr;

    PythonSpelling python = {};
    CellSpelling cell = {};
    PrintSpelling print = {};
    /// elements: people write it as a function of this name, "arctan"; empty: as `print` says.
    std::string_view symbol = {};
    /// How formulas that a person types call it, with all its operands; what goes along columns they may let
    /// go along rows. Without a name: not, or as formula_functions.cpp says.
    FormulaFunction function = {};
    std::size_t operands = 1;  ///< of such a call
};

const OperationDescription& description_of(Operation operation);
/// OperationDescription::together of an operation on places.
Index elements_together(const ExpressionNode& node);

/// The whole vocabulary, in the order of its enumeration.
std::span<const OperationDescription> operation_table();
/// The operation of this name, "arc tangent". Throws Error where there is none.
Operation operation_named(std::string_view name);
/// The value of an operation on elements, one of each operand.
double value_of_elements(const OperationDescription& description, std::span<const double> elements);

// The rows of the table, a file for each family.
std::span<const OperationDescription> given_operations();
std::span<const OperationDescription> element_operations();
std::span<const OperationDescription> reduction_operations();
std::span<const OperationDescription> row_operations();
std::span<const OperationDescription> matrix_operations();
std::span<const OperationDescription> pair_operations();
std::span<const OperationDescription> place_operations();

/// Throws Error: operands of `what` that do not meet.
[[noreturn]] void refuse_extents(const char* what, const Extent& a, const Extent& b);
/// Returns the number of heads of a result; one head, or none, meets any number.
Index heads_that_meet(const Extent& a, const Extent& b);
/// Returns the extent of operands that meet element by element.
Extent broadcast(const Extent& a, const Extent& b);

// Rules that several families share.
Extent shape_of_operand(const ExpressionNode& node, std::span<const Extent> operands);
TensorAxes axes_of_operand(const ExpressionNode& node, std::span<const TensorAxes> operands);
/// Axes of operands that meet element by element, as far as they are known: one of extent 1 says nothing.
TensorAxes axes_that_meet(const ExpressionNode& node, std::span<const TensorAxes> operands);
/// "0.2 + 0.5", "0.2 × 0.5 + 0.3 × 0.1"
PrintedList printed_sum();

}  // namespace headlight
