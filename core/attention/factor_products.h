#pragma once

#include "core/kernels/multiply_in_parts.h"
#include "core/tensor/interruption.h"
#include "core/tensor/tensor.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

namespace headlight {

// Products in double of a head's vectors and narrow matrices, by the kernels of the processor.

/// Zeros that are written, row by row, since so many take long enough to be interrupted: fresh memory that is
/// read first becomes a copy of the kernel's page of zeros, and each copy stops the other threads.
inline Tensor written_zeros(Index rows, Index columns) {
    constexpr Index untouched = (Index(1) << 20) / Index(sizeof(double));  // fewer are written by Storage
    Tensor zeros({rows, columns});
    for (Index r = 0; zeros.size() >= untouched && r < rows; ++r) {
        Interruption::check();
        std::ranges::fill(zeros.row(r), 0.0);
    }
    return zeros;
}

/// In double.
template <class Real>
Tensor copy_of(MatrixView<const Real> from) {
    Tensor copy({from.rows, from.columns});
    for (Index r = 0; r < from.rows; ++r) {
        Interruption::check();
        for (Index c = 0; c < from.columns; ++c)
            copy(r, c) = static_cast<double>(from(r, c));
    }
    return copy;
}

// A factor is a tensor, or vectors where they lie in an executor's buffers.
inline MatrixView<const double> view_of(const Tensor& factor) { return factor.view(); }
template <class Real>
MatrixView<const Real> view_of(MatrixView<const Real> factor) {
    return factor;
}

/// The rows in double: as they lie, or copied to `room`.
template <class Real>
MatrixView<const double> in_double(MatrixView<const Real> rows, std::vector<double>& room) {
    if constexpr (std::is_same_v<Real, double>) {
        return rows;
    } else {
        room.clear();
        for (Index r = 0; r < rows.rows; ++r)
            room.insert(room.end(), rows.row(r), rows.row(r) + rows.columns);
        return row_major<const double>(room.data(), rows.rows, rows.columns);
    }
}

/// Products in double by the kernels of the processor, of a part of the factors at a time: so that neither is
/// copied as a whole, and a run can be interrupted. All of a thread share their room: what one was set to is
/// gone when another is.
class FactorProducts {
public:
    static constexpr Index rows_at_once = 96, depth_at_once = 256;

    /// Numbers that a matrix takes to be multiplied by: none where it is read as it lies.
    static double packed_numbers(Index rows, Index columns) {
        return columns % kernels::padding<double> == 0
                   ? 0
                   : static_cast<double>(kernels::packed_size<double>(rows, columns));
    }
    /// Sets what multiply() multiplies by, which stays until then.
    void set_right(MatrixView<const double> right) {
        if (right.step == 1 && packed_numbers(right.rows, right.columns) == 0) {
            right_ = {right.data, right.rows, right.columns, right.stride};
            return;
        }
        // Kept from product to product: fresh memory costs more than a small one. What is too small goes
        // first, so that there is never more than the largest.
        thread_local std::vector<double> packed;
        const auto size = static_cast<std::size_t>(kernels::packed_size<double>(right.rows, right.columns));
        if (packed.size() < size) {
            packed = std::vector<double>();
            packed.resize(size);
        }
        right_ = kernels_.pack(right, packed.data());
    }
    /// out = left right, or what it was and that.
    template <class Real>
    void multiply(MatrixView<const Real> left, bool adds, MatrixView<double> out) {
        thread_local std::vector<double> room;
        kernels::for_each_part(left.rows, rows_at_once, [&](Index row, Index count) {
            kernels_.multiply({.left = in_double(left.row_range(row, count), room),
                               .right = right_,
                               .adds = adds,
                               .out = out.row_range(row, count)});
        });
    }

private:
    const kernels::Table<double>& kernels_ = kernels::table<double>(kernels::chosen_level());
    kernels::Packed<double> right_;
};

/// Numbers that product() takes beside its factors in double, the right one of so many rows and columns. Of
/// one in float up to depth_at_once rows are copied to double as well, which is not counted.
inline double product_room(Index rows, Index columns) {
    return FactorProducts::packed_numbers(std::min(rows, FactorProducts::depth_at_once), columns);
}
/// The same where a mask may leave fewer columns, which then do not lie as they are read.
inline double most_product_room(Index rows, Index columns) {
    return static_cast<double>(
        kernels::packed_size<double>(std::min(rows, FactorProducts::depth_at_once), columns));
}

/// The rows from the first to the last that are not all zeros: pooling has few for some of the tokens.
inline std::pair<Index, Index> rows_with_numbers(MatrixView<const double> matrix) {
    const auto is_empty = [&](Index r) {
        return std::all_of(matrix.row(r), matrix.row(r) + matrix.columns, [](double x) { return x == 0; });
    };
    Index first = 0, end = matrix.rows;
    while (first < end && is_empty(first))
        ++first;
    while (first < end && is_empty(end - 1))
        --end;
    return {first, end};
}

/// left right
template <class Right>
Tensor product(const Tensor& left, const Right& right) {
    const MatrixView<const double> a = view_of(left);
    const auto b = view_of(right);
    Tensor result = written_zeros(a.rows, b.columns);
    FactorProducts products;
    thread_local std::vector<double> room;
    kernels::for_each_part(a.columns, FactorProducts::depth_at_once, [&](Index depth, Index count) {
        const MatrixView<const double> factors = a.column_range(depth, count);
        const auto [first, end] = rows_with_numbers(factors);
        products.set_right(in_double(b.row_range(depth, count), room));
        products.multiply(factors.row_range(first, end - first), true,
                          result.view().row_range(first, end - first));
    });
    return result;
}

}  // namespace headlight
