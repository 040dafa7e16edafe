// Elements of operands in another place. Each operation says which element stands where; copying them, their
// gradients and the formulas of their cells follow.
#include "core/graph/known_moves.h"
#include "core/graph/operation.h"

#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <numeric>
#include <utility>

namespace headlight {
namespace {

/// Calls apply(at, operand, from, count) for elements that lie together in the result and in the operand.
/// `extent_of(operand)` is that of an operand.
template <class ExtentOf, class Do>
void for_each_source(const ExpressionNode& node, const Extent& extent, const ExtentOf& extent_of,
                     const Do& apply) {
    const OperationDescription& description = description_of(node.operation);
    // Every place will be asked for: they are numbers from now on.
    node.row_places.numbers.all();
    node.column_places.numbers.all();
    const Index together = elements_together(node);
    Index at = 0;
    for (Index head = 0; head < extent.matrices(); ++head)
        for (Index row = 0; row < extent.rows; ++row) {
            Interruption::check();
            for (Index column = 0; column < extent.columns; column += together, at += together) {
                const MovedElement moved = description.source(node, {head, row, column});
                apply(at, moved.operand, index_of(extent_of(moved.operand), moved.place), together);
            }
        }
}

template <class Do>
void for_each_move(const OperationCall& call, const Do& apply) {
    const auto known = call.node.moves ? call.node.moves->all() : std::span<const MovedStretch>();
    if (known.empty()) {
        const auto extent_of = [&](std::size_t operand) { return call.operands[operand].extent; };
        for_each_source(call.node, call.extent, extent_of, apply);
        return;
    }
    Interruption::check();
    Index at = 0;
    for (const MovedStretch& move : known) {
        apply(at, move.operand, move.from, move.count);
        at += move.count;
    }
}

void run_places(const OperationCall& call, double* result) {
    for_each_move(call, [&](Index at, std::size_t operand, Index from, Index count) {
        const double* numbers = call.operands[operand].numbers + from;
        if (count == 1)  // not worth a call
            result[at] = *numbers;
        else
            std::copy_n(numbers, count, result + at);
    });
}

/// An element that stands in several places gets the sum of their gradients.
void backward_places(const OperationCall& call, const double* /*result*/, const double* gradient,
                     std::span<double* const> gradients) {
    for_each_move(call, [&](Index at, std::size_t operand, Index from, Index count) {
        if (double* sum = gradients[operand])
            for (Index i = 0; i < count; ++i)
                sum[from + i] += gradient[at + i];
    });
}

Index whole_rows(const ExpressionNode& node) { return node.extent.columns; }
Index rows_of_operand(const ExpressionNode& node) { return node.operands.front().extent().columns; }
/// The columns of the operand, each in its own place.
Index picked_rows(const ExpressionNode& node) {
    if (node.column_places.rows != 1 || node.row_places.columns != 1 ||
        node.column_places.columns != node.extent.columns)
        return 1;
    const std::vector<Index>& columns = node.column_places.numbers;
    return columns == counted(columns.front(), node.extent.columns) ? node.extent.columns : 1;
}

MovedElement source_of_transposed(const ExpressionNode&, Place at) {
    return {0, {at.head, at.column, at.row}};
}
Extent transposed_shape(const ExpressionNode&, std::span<const Extent> operands) {
    return {operands[0].heads, operands[0].columns, operands[0].rows};
}
TensorAxes transposed_axes(const ExpressionNode&, std::span<const TensorAxes> operands) {
    return {operands[0].columns, operands[0].rows};
}

MovedElement source_of_split_heads(const ExpressionNode& node, Place at) {
    return {0, {0, at.row, at.head * node.extent.columns + at.column}};
}
Extent split_heads_shape(const ExpressionNode& node, std::span<const Extent> operands) {
    return {node.count, operands[0].rows, operands[0].columns / node.count};
}

MovedElement source_of_split_rows(const ExpressionNode& node, Place at) {
    return {0, {0, at.head * node.extent.rows + at.row, at.column}};
}
Extent split_rows_shape(const ExpressionNode& node, std::span<const Extent> operands) {
    return {node.count, operands[0].rows / node.count, operands[0].columns};
}
TensorAxes split_rows_axes(const ExpressionNode&, std::span<const TensorAxes> operands) {
    return {CountedAxis::unknown, operands[0].columns};
}

MovedElement source_of_join_heads(const ExpressionNode& node, Place at) {
    const Index width = node.operands.front().extent().columns;
    return {0, {at.column / width, at.row, at.column % width}};
}
Extent join_heads_shape(const ExpressionNode&, std::span<const Extent> operands) {
    return {0, operands[0].rows, operands[0].heads * operands[0].columns};
}

MovedElement source_of_take_heads(const ExpressionNode& node, Place at) {
    return {0, {node.heads[static_cast<std::size_t>(at.head)], at.row, at.column}};
}
Extent take_heads_shape(const ExpressionNode& node, std::span<const Extent> operands) {
    return {std::ssize(node.heads), operands[0].rows, operands[0].columns};
}

MovedElement source_of_pick(const ExpressionNode& node, Place at) {
    return {0, {at.head, node.row_places(at.row, at.column), node.column_places(at.row, at.column)}};
}
Extent pick_shape(const ExpressionNode& node, std::span<const Extent> operands) {
    const Places &rows = node.row_places, &columns = node.column_places;
    return {operands[0].heads, std::max(rows.rows, columns.rows), std::max(rows.columns, columns.columns)};
}

template <Index Extent::*axis, Index Place::*along>
MovedElement source_of_joined(const ExpressionNode& node, Place at) {
    for (std::size_t part = 0; part < node.operands.size(); ++part) {
        const Index count = node.operands[part].extent().*axis;
        if (at.*along < count)
            return {part, at};
        at.*along -= count;
    }
    throw Error({"join matrices", "", "a place of one of them", "one beyond"});
}
/// Whatever part an element is of, so many go on with it.
Index columns_of_each_part(const ExpressionNode& node) {
    Index together = 0;
    for (const Expression& part : node.operands)
        together = std::gcd(together, part.extent().columns);
    return std::max<Index>(together, 1);
}
template <Index Extent::*axis>
Extent joined_shape(const ExpressionNode&, std::span<const Extent> operands) {
    Extent extent = operands.front();
    extent.*axis = 0;
    for (const Extent& part : operands)
        extent.*axis += part.*axis;
    return extent;
}

/// Rows and columns apart are their outer product; else each place has its own.
PythonPattern pick_in_python(const ExpressionNode& node, LineWords words) {
    if (words != LineWords::formula)
        return {};
    const bool is_outer = node.row_places.columns == 1 && node.column_places.rows == 1;
    return {is_outer ? "{0:atom}[{row_slice}, {column_slice}]" : "pick({0}, {row_list}, {column_list})"};
}

PythonSpelling python_of_places(const char* text, const char* formula, const char* torch = nullptr) {
    return {.form = PythonSpelling::Form::pattern,
            .pattern = {text},
            .torch_pattern = {torch},
            .formula = {formula}};
}

OperationDescription moving(Operation operation, std::string_view name, const PythonSpelling& python,
                            const char* symbols, MovedElement (*source)(const ExpressionNode&, Place),
                            Extent (*shape)(const ExpressionNode&, std::span<const Extent>),
                            Index (*together)(const ExpressionNode&) = nullptr,
                            TensorAxes (*axes)(const ExpressionNode&,
                                               std::span<const TensorAxes>) = axes_of_operand) {
    return {.operation = operation,
            .name = name,
            .family = OperationFamily::places,
            .shape = shape,
            .axes = axes,
            .run = run_places,
            .backward = backward_places,
            .source = source,
            .together = together,
            .python = python,
            .cell = {.form = CellSpelling::Form::structure},
            .print = {.form = PrintSpelling::Form::structure, .symbols = {symbols}}};
}

}  // namespace

Index elements_together(const ExpressionNode& node) {
    const auto together = description_of(node.operation).together;
    return together ? together(node) : 1;
}

void KnownMoves::know(const ExpressionNode& node) {
    const std::lock_guard lock(asking_);
    if (are_known_)
        return;
    std::vector<MovedStretch> found;
    const auto extent_of = [&](std::size_t operand) { return node.operands[operand].extent(); };
    for_each_source(node, node.extent, extent_of, [&](Index, std::size_t operand, Index from, Index count) {
        if (!found.empty() && found.back().operand == operand &&
            static_cast<Index>(found.back().from + found.back().count) == from)
            found.back().count += static_cast<std::uint32_t>(count);
        else
            found.push_back({static_cast<std::uint32_t>(operand), static_cast<std::uint32_t>(from),
                             static_cast<std::uint32_t>(count)});
    });
    found.shrink_to_fit();
    stretches_ = std::move(found);
    are_known_.store(true, std::memory_order_release);
}

std::span<const OperationDescription> place_operations() {
    static const std::array table{
        moving(Operation::transposed, "transposed",
               python_of_places("{0:atom}.swapaxes(-1, -2)", "{0:atom}.T"), "{0:whole}ᵀ",
               source_of_transposed, transposed_shape, nullptr, transposed_axes),
        moving(Operation::split_heads, "split heads",
               python_of_places("{0:atom}.reshape({rows}, {matrices}, {columns}).swapaxes(0, 1)",
                                "split_heads({0}, {count})"),
               "{0}", source_of_split_heads, split_heads_shape, whole_rows),
        moving(Operation::split_rows, "split rows",
               python_of_places("{0:atom}.reshape({shape})", "split_rows({0}, {count})"), "{0}",
               source_of_split_rows, split_rows_shape, whole_rows, split_rows_axes),
        moving(Operation::join_heads, "join heads",
               python_of_places("{0:atom}.swapaxes(0, 1).reshape({shape})", "join_heads({0})"), "{0}",
               source_of_join_heads, join_heads_shape, rows_of_operand),
        moving(Operation::take_heads, "take heads",
               python_of_places("{0:atom}[{taken_heads}]", "take_heads({0}, [{heads}])"), "{0}",
               source_of_take_heads, take_heads_shape, whole_rows),
        moving(Operation::pick, "pick",
               {.form = PythonSpelling::Form::pattern,
                .pattern = {"{0:atom}[..., {picked_places}]"},
                .own = pick_in_python},
               "", source_of_pick, pick_shape, picked_rows, axes_that_meet),
        moving(Operation::join_columns, "join columns",
               python_of_places("{np}concatenate([{list}], axis=-1)", "concat([{list}])",
                                "{np}cat([{list}], dim=-1)"),
               "", source_of_joined<&Extent::columns, &Place::column>, joined_shape<&Extent::columns>,
               columns_of_each_part),
        moving(Operation::join_rows, "join rows",
               python_of_places("{np}concatenate([{list}], axis=-2)", "concat([{list}], axis=-2)",
                                "{np}cat([{list}], dim=-2)"),
               "", source_of_joined<&Extent::rows, &Place::row>, joined_shape<&Extent::rows>, whole_rows),
    };
    return table;
}

}  // namespace headlight
