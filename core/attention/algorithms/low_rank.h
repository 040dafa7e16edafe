#pragma once

#include "core/attention/normalizers/rows.h"
#include "core/attention/pipeline.h"
#include "core/kernels/multiply_in_parts.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <utility>

namespace headlight {

// What mechanisms share whose map is a product of narrow factors, computed in double and never formed unless
// somebody asks for it.

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

    /// Sets what multiply() multiplies by.
    void set_right(MatrixView<const double> right) {
        // Kept from product to product: fresh memory costs more than a small one.
        thread_local std::vector<double> packed;
        packed.resize(static_cast<std::size_t>(kernels::packed_size<double>(right.rows, right.columns)));
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

/// Numbers that products take beside their factors, which have at most so many rows and columns.
inline double product_room(Index rows, Index columns) {
    const Index depth = std::min(rows, FactorProducts::depth_at_once);
    return elements(2 * depth + std::min(rows, FactorProducts::rows_at_once), columns);
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

/// softmax(q k^T / sqrt(d)), row by row.
template <class Queries, class Keys>
Tensor soft_similarities(const Queries& q, const Keys& k) {
    const auto queries = view_of(q);
    const auto keys = view_of(k);
    Tensor result = written_zeros(queries.rows, keys.rows);
    FactorProducts products;
    thread_local std::vector<double> room;
    kernels::for_each_part(keys.rows, FactorProducts::depth_at_once, [&](Index key, Index count) {
        products.set_right(in_double(keys.row_range(key, count), room).transposed());
        products.multiply(queries, false, result.view().column_range(key, count));
    });
    const auto& kernels = kernels::table<double>(kernels::chosen_level());
    const double root = std::sqrt(static_cast<double>(queries.columns));
    for (Index r = 0; r < result.rows() && result.cols() > 0; ++r) {
        Interruption::check();
        softmax_of_all(result.view().row(r), result.cols(), kernels, root);
    }
    return result;
}

/// [count, size]: row r is the mean over the r-th of `count` segments of nearly equal length.
inline Tensor segment_means(Index count, Index size) {
    Tensor means = written_zeros(count, size);
    for (Index r = 0; r < count; ++r) {
        const Index begin = r * size / count, end = (r + 1) * size / count;
        for (Index c = begin; c < end; ++c)
            means(r, c) = 1 / static_cast<double>(end - begin);
    }
    return means;
}

inline void record_matrix(const Recorder& record, std::string_view name, Index head, const Tensor& matrix) {
    record.write(name, head * matrix.size(), matrix.data(), matrix.size());
}

template <class Real>
void write_context(const HeadTask<Real>& task, const Tensor& context) {
    for (Index r = 0; r < context.rows(); ++r)
        for (Index c = 0; c < context.cols(); ++c)
            task.context.row(r)[c] = static_cast<Real>(context(r, c));
}

/// Keys past the columns of `weights` are forbidden.
template <class Real>
void write_weights(const HeadTask<Real>& task, const Tensor& weights) {
    for (Index r = 0; r < task.weights.rows; ++r) {
        Interruption::check();
        Real* row = task.weights.row(r);
        for (Index c = 0; c < task.weights.columns; ++c)
            row[c] = c < weights.cols() ? static_cast<Real>(weights(r, c)) : Real(0);
    }
}

}  // namespace headlight
