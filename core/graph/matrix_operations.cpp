// Products of matrices, inverses, and mixtures of heads.
#include "core/graph/graph_kernels.h"
#include "core/graph/operation.h"
#include "core/kernels/multiply_in_parts.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace headlight {
namespace {

/// One head's matrices, [rows, inner] [inner, columns] -> [rows, columns]: where each begins.
struct ProductHead {
    Index left = 0, right = 0, result = 0;
};

template <class Do>
void for_each_head(const OperationCall& call, const Do& apply) {
    for (Index head = 0; head < call.extent.matrices(); ++head)
        apply(ProductHead{call.operands[0].at({head, 0, 0}), call.operands[1].at({head, 0, 0}),
                          head * call.extent.rows * call.extent.columns});
}

using Matrix = MatrixView<const double>;

/// Adds left right to `sum` by the kernels of the processor: the bits of an element do not depend on the
/// extents.
class AddedProduct {
public:
    void operator()(Matrix left, Matrix right, MatrixView<double> sum) {
        multiply_in_parts(kernels_,
                          {.left = left, .right = as_read_by(left.rows, right), .adds = true, .out = sum});
    }

private:
    /// Rows of the result for which to rearrange a matrix takes longer than to read it where it lies; and
    /// columns of the matrix that a kernel reads at once, so that to rearrange them is to copy them.
    static constexpr Index few_rows = 6, few_columns = 4 * kernels::padding<double>;
    /// Numbers for which no memory is asked.
    static constexpr std::size_t small_size = 4096;

    kernels::Packed<double> as_read_by(Index rows, Matrix right) {
        if ((rows <= few_rows || right.columns <= few_columns) && right.step == 1 &&
            right.columns % kernels::padding<double> == 0)
            return {right.data, right.rows, right.columns, right.stride};
        const auto size = static_cast<std::size_t>(kernels::packed_size<double>(right.rows, right.columns));
        if (size > size_) {
            room_ = std::make_unique_for_overwrite<double[]>(size);
            size_ = size;
        }
        return kernels_.pack(right, size <= small_size ? small_room() : room_.get());
    }
    static double* small_room() {
        thread_local std::array<double, small_size> room;
        return room.data();
    }

    const kernels::Table<double>& kernels_ = graph_kernels();
    std::unique_ptr<double[]> room_;  // zeros in it would take longer than a product with one row
    std::size_t size_ = small_size;
};

Matrix factor(const OperandNumbers& of, Index start) {
    return row_major(of.numbers + start, of.extent.rows, of.extent.columns);
}
MatrixView<double> slopes_of(const OperandNumbers& of, double* gradient, Index start) {
    return row_major(gradient + start, of.extent.rows, of.extent.columns);
}

Extent product_shape(const ExpressionNode&, std::span<const Extent> operands) {
    const Extent &left = operands[0], &right = operands[1];
    if (left.columns != right.rows)
        refuse_extents("product", left, right);
    return {heads_that_meet(left, right), left.rows, right.columns};
}

TensorAxes product_axes(const ExpressionNode&, std::span<const TensorAxes> operands) {
    const TensorAxes &left = operands[0], &right = operands[1];
    const bool is_projected =
        left.columns == CountedAxis::features && right.columns == CountedAxis::unknown;  // x W
    return {left.rows, is_projected ? CountedAxis::features : right.columns};
}

void run_product(const OperationCall& call, double* result) {
    AddedProduct add_product;
    for_each_head(call, [&](const ProductHead& head) {
        std::fill_n(result + head.result, call.extent.rows * call.extent.columns, 0.0);
        add_product(factor(call.operands[0], head.left), factor(call.operands[1], head.right),
                    row_major(result + head.result, call.extent.rows, call.extent.columns));
    });
}

/// Adds G Bᵀ to `sum`.
void add_times_transposed(Matrix g, Matrix b, MatrixView<double> sum, AddedProduct& add_product) {
    if (g.rows > 1)
        return add_product(g, b.transposed(), sum);
    for (Index row = 0; row < b.rows; ++row)
        sum.row(0)[row] += graph_arithmetic().inner_product(g.row(0), b.row(row), b.columns);
}

/// dA = G Bᵀ and dB = Aᵀ G.
void backward_product(const OperationCall& call, const double* /*result*/, const double* gradient,
                      std::span<double* const> gradients) {
    AddedProduct add_product;
    for_each_head(call, [&](const ProductHead& head) {
        const Matrix slopes = row_major(gradient + head.result, call.extent.rows, call.extent.columns);
        if (gradients[0])
            add_times_transposed(slopes, factor(call.operands[1], head.right),
                                 slopes_of(call.operands[0], gradients[0], head.left), add_product);
        if (gradients[1])
            add_product(factor(call.operands[0], head.left).transposed(), slopes,
                        slopes_of(call.operands[1], gradients[1], head.right));
    });
}

Extent transposed_product_shape(const ExpressionNode&, std::span<const Extent> operands) {
    const Extent &left = operands[0], &right = operands[1];
    if (left.columns != right.columns)
        refuse_extents("product with a transposed matrix", left, right);
    return {heads_that_meet(left, right), left.rows, right.rows};
}

TensorAxes transposed_product_axes(const ExpressionNode&, std::span<const TensorAxes> operands) {
    return {operands[0].rows, operands[1].rows};
}

void run_transposed_product(const OperationCall& call, double* result) {
    AddedProduct add_product;
    for_each_head(call, [&](const ProductHead& head) {
        std::fill_n(result + head.result, call.extent.rows * call.extent.columns, 0.0);
        add_product(factor(call.operands[0], head.left), factor(call.operands[1], head.right).transposed(),
                    row_major(result + head.result, call.extent.rows, call.extent.columns));
    });
}

/// dA = G B and dB = Gᵀ A.
void backward_transposed_product(const OperationCall& call, const double* /*result*/, const double* gradient,
                                 std::span<double* const> gradients) {
    AddedProduct add_product;
    for_each_head(call, [&](const ProductHead& head) {
        const Matrix slopes = row_major(gradient + head.result, call.extent.rows, call.extent.columns);
        if (gradients[0])
            add_product(slopes, factor(call.operands[1], head.right),
                        slopes_of(call.operands[0], gradients[0], head.left));
        if (gradients[1])
            add_product(slopes.transposed(), factor(call.operands[0], head.left),
                        slopes_of(call.operands[1], gradients[1], head.right));
    });
}

/// Only zeros stand above the diagonal, and none on it.
bool is_lower_triangle(Matrix x) {
    for (Index row = 0; row < x.rows; ++row) {
        const double* numbers = x.row(row);
        if (numbers[row] == 0 ||
            std::any_of(numbers + row + 1, numbers + x.columns, [](double number) { return number != 0; }))
            return false;
    }
    return true;
}

/// In place, a lower triangle in halves: [A 0; B C] becomes [A⁻¹ 0; -C⁻¹ B A⁻¹ C⁻¹].
void invert_triangle(MatrixView<double> x, AddedProduct& add_product) {
    constexpr Index small = 16;
    Interruption::check();
    if (x.rows > small) {
        const Index half = x.rows / 2, rest = x.rows - half;
        const MatrixView<double> a = x.row_range(0, half).column_range(0, half),
                                 b = x.row_range(half, rest).column_range(0, half),
                                 c = x.row_range(half, rest).column_range(half, rest);
        invert_triangle(a, add_product);
        invert_triangle(c, add_product);
        std::vector<double> kept(static_cast<std::size_t>(rest * half));
        add_product(b, a, row_major(kept.data(), rest, half));
        std::ranges::transform(kept, kept.begin(), std::negate());
        for (Index row = 0; row < rest; ++row)
            std::fill_n(b.row(row), half, 0.0);
        add_product(c, row_major<const double>(kept.data(), rest, half), b);
        return;
    }
    for (Index column = x.columns; column-- > 0;) {
        const double of_diagonal = x.row(column)[column] = 1 / x.row(column)[column];
        for (Index row = x.rows; --row > column;) {  // those above it are not yet changed
            double sum = 0;
            for (Index at = column + 1; at <= row; ++at)
                sum += x.row(row)[at] * x.row(at)[column];
            x.row(row)[column] = -sum * of_diagonal;
        }
    }
}

/// In place, by Gauss and Jordan with the largest pivot of each column: where that becomes a column of the
/// unit matrix, the inverse has one that was.
void invert(MatrixView<double> x) {
    const Index size = x.rows;
    const auto& by = graph_arithmetic();
    std::vector<Index> swapped(static_cast<std::size_t>(size));
    for (Index pivot = 0; pivot < size; ++pivot) {
        Interruption::check();
        Index& largest = swapped[static_cast<std::size_t>(pivot)] = pivot;
        for (Index row = pivot + 1; row < size; ++row)
            if (std::abs(x.row(row)[pivot]) > std::abs(x.row(largest)[pivot]))
                largest = row;
        double* const of_pivot = x.row(pivot);
        if (largest != pivot)
            std::swap_ranges(of_pivot, of_pivot + size, x.row(largest));
        const double divisor = std::exchange(of_pivot[pivot], 1);
        std::for_each_n(of_pivot, size, [&](double& number) { number /= divisor; });
        for (Index row = 0; row < size; ++row) {
            const double factor = x.row(row)[pivot];
            if (row == pivot || factor == 0)
                continue;
            by.add_scaled(-factor, of_pivot, size, x.row(row));
            x.row(row)[pivot] =
                -factor * of_pivot[pivot];  // 0 before: to write that first would be waited for
        }
    }
    for (Index pivot = size; pivot-- > 0;)
        if (const Index largest = swapped[static_cast<std::size_t>(pivot)]; largest != pivot)
            for (Index row = 0; row < size; ++row)
                std::swap(x.row(row)[pivot], x.row(row)[largest]);
}

void run_inverse(const OperationCall& call, double* result) {
    AddedProduct add_product;
    const Index n = call.extent.rows;
    std::copy_n(call.operands[0].numbers, call.extent.size(), result);
    for (Index start = 0; start < call.extent.size(); start += n * n) {
        const MatrixView<double> x = row_major(result + start, n, n);
        if (is_lower_triangle(x))
            invert_triangle(x, add_product);
        else
            invert(x);
    }
}

/// With Y = X⁻¹: dX = -Yᵀ G Yᵀ.
void backward_inverse(const OperationCall& call, const double* result, const double* gradient,
                      std::span<double* const> gradients) {
    AddedProduct add_product;
    const Index n = call.extent.rows;
    std::vector<double> turned(static_cast<std::size_t>(n * n));  // Yᵀ G
    for (Index start = 0; start < call.extent.size(); start += n * n) {
        const Matrix y_turned = row_major(result + start, n, n).transposed();
        std::ranges::fill(turned, 0.0);
        add_product(y_turned, row_major(gradient + start, n, n), row_major(turned.data(), n, n));
        std::ranges::transform(turned, turned.begin(), std::negate());
        add_product(row_major<const double>(turned.data(), n, n), y_turned,
                    row_major(gradients[0] + start, n, n));
    }
}

Extent mixture_shape(const ExpressionNode&, std::span<const Extent> operands) {
    const Extent &weights = operands[0], &maps = operands[1];
    if (weights.columns != maps.heads)
        refuse_extents("mixture of heads", weights, maps);
    return {weights.rows, maps.rows, maps.columns};
}

TensorAxes mixture_axes(const ExpressionNode&, std::span<const TensorAxes> operands) { return operands[1]; }

/// out[g] = Σ W[g, h] x[h], a map each.
void run_mixture(const OperationCall& call, double* result) {
    const Index size = call.extent.rows * call.extent.columns, heads = call.operands[1].extent.heads;
    const auto& by = graph_arithmetic();
    std::fill_n(result, call.extent.size(), 0.0);
    for (Index mixed = 0; mixed < call.extent.heads; ++mixed)
        for (Index head = 0; head < heads; ++head) {
            Interruption::check();
            by.add_scaled(call.operands[0].numbers[mixed * heads + head],
                          call.operands[1].numbers + head * size, size, result + mixed * size);
        }
}

void backward_mixture(const OperationCall& call, const double* /*result*/, const double* gradient,
                      std::span<double* const> gradients) {
    const Index size = call.extent.rows * call.extent.columns, heads = call.operands[1].extent.heads;
    const auto& by = graph_arithmetic();
    for (Index mixed = 0; mixed < call.extent.heads; ++mixed)
        for (Index head = 0; head < heads; ++head) {
            Interruption::check();
            const double* slopes = gradient + mixed * size;
            if (gradients[0])
                gradients[0][mixed * heads + head] +=
                    by.inner_product(slopes, call.operands[1].numbers + head * size, size);
            if (gradients[1])
                by.add_scaled(call.operands[0].numbers[mixed * heads + head], slopes, size,
                              gradients[1] + head * size);
        }
}

std::array<Place, 2> factors_of_product(const ExpressionNode&, Place at, Index term) {
    return {Place{at.head, at.row, term}, Place{at.head, term, at.column}};
}
std::array<Place, 2> factors_of_transposed(const ExpressionNode&, Place at, Index term) {
    return {Place{at.head, at.row, term}, Place{at.head, at.column, term}};
}
std::array<Place, 2> factors_of_mixture(const ExpressionNode&, Place at, Index term) {
    return {Place{0, at.head, term}, Place{term, at.row, at.column}};
}

CellPattern product_in_cells(const ExpressionNode& node, const Place& /*at*/) {
    if (node.operands[0].extent().columns == 1)
        return {"{0:row}*{1:column}", CellBinding::multiplied};
    return {"MMULT({0:row};{1:column})"};
}

double multiply_adds_of_inverse(const Extent& result, const Extent& /*first*/) {
    return static_cast<double>(result.size()) * static_cast<double>(result.rows);
}

constexpr PrintSpelling print_of_factors{.form = PrintSpelling::Form::factors,
                                         .symbols = {"{0:term} · {1:term}", PrintBinding::term}};

}  // namespace

std::span<const OperationDescription> matrix_operations() {
    static const std::array table{
        OperationDescription{.operation = Operation::product,
                             .name = "product",
                             .family = OperationFamily::matrices,
                             .shape = product_shape,
                             .axes = product_axes,
                             .run = run_product,
                             .backward = backward_product,
                             .factors = factors_of_product,
                             .goes_by_rows = true,
                             .python = {.form = PythonSpelling::Form::pattern,
                                        .pattern = {"{0:term} @ {1:sign}", PythonBinding::term}},
                             .cell = {.form = CellSpelling::Form::pattern, .own = product_in_cells},
                             .print = print_of_factors},
        OperationDescription{
            .operation = Operation::product_transposed,
            .name = "product with a transposed matrix",
            .family = OperationFamily::matrices,
            .shape = transposed_product_shape,
            .axes = transposed_product_axes,
            .run = run_transposed_product,
            .backward = backward_transposed_product,
            .factors = factors_of_transposed,
            .goes_by_rows = true,
            .python = {.form = PythonSpelling::Form::pattern,
                       .pattern = {"{0:term} @ {1:atom}.swapaxes(-1, -2)", PythonBinding::term},
                       .formula = {"{0:term} @ {1:atom}.T", PythonBinding::term}},
            .cell = {.form = CellSpelling::Form::pattern,
                     .pattern = {"SUMPRODUCT({0:row};{1:row_of_column})"}},
            .print = print_of_factors},
        OperationDescription{
            .operation = Operation::inverse,
            .name = "inverse",
            .family = OperationFamily::matrices,
            .shape = shape_of_operand,
            .axes = axes_that_meet,
            .run = run_inverse,
            .backward = backward_inverse,
            .multiply_adds = multiply_adds_of_inverse,
            .python = {.form = PythonSpelling::Form::call, .numpy = "linalg.inv", .formula = {"inv({0})"}},
            .cell = {.form = CellSpelling::Form::pattern,
                     .pattern = {"INDEX(MINVERSE({0:matrix});{row};{column})"}},
            .print = {.form = PrintSpelling::Form::said,
                      .pattern = {"row {row}, column {column} of the inverse"},
                      .symbols = {""}}},
        OperationDescription{.operation = Operation::mix_heads,
                             .name = "mixture of heads",
                             .family = OperationFamily::matrices,
                             .shape = mixture_shape,
                             .axes = mixture_axes,
                             .run = run_mixture,
                             .backward = backward_mixture,
                             .factors = factors_of_mixture,
                             .python = {.form = PythonSpelling::Form::pattern,
                                        .pattern = {"{np}einsum(\"gh,hnm->gnm\", {0}, {1})"},
                                        .formula = {"mix_heads({0}, {1})"}},
                             .cell = {.form = CellSpelling::Form::factors},
                             .print = print_of_factors},
    };
    return table;
}

}  // namespace headlight
