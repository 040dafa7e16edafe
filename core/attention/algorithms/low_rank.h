#pragma once

#include "core/attention/pipeline.h"
#include "core/tensor/dot_in_lanes.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

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

/// Calls visit(r, c) for every pair, so that the longer of the two is gone through once.
template <class Visit>
void for_each_pair(Index rows, Index columns, const Visit& visit) {
    if (rows < columns)
        for (Index c = 0; c < columns; ++c) {
            Interruption::check();
            for (Index r = 0; r < rows; ++r)
                visit(r, c);
        }
    else
        for (Index r = 0; r < rows; ++r) {
            Interruption::check();
            for (Index c = 0; c < columns; ++c)
                visit(r, c);
        }
}

// The innermost loops, in as many lanes as the processor has. In functions of their own, whose loops the
// compiler sees to be free of anything else.

/// left . right
template <class Left, class Right>
[[gnu::noinline]] double similarity_of_rows(const Left* left, const Right* right, Index width) {
    return dot_in_lanes<double>(left, right, width);
}

/// to += factor from
template <class From>
[[gnu::noinline]] void add_in_lanes(double factor, const From* from, Index width, double* to) {
#pragma omp simd
    for (Index i = 0; i < width; ++i)
        to[i] += factor * static_cast<double>(from[i]);
}

/// to += factors[0] from[0] + ... + factors[3] from[3], added in this order while `to` is at hand.
template <class From>
[[gnu::noinline]] void add_four_in_lanes(const double* factors, const std::array<const From*, 4>& from,
                                         Index width, double* to) {
    const double first = factors[0], second = factors[1], third = factors[2], fourth = factors[3];
    const From *a = from[0], *b = from[1], *c = from[2], *d = from[3];
#pragma omp simd
    for (Index i = 0; i < width; ++i)
        to[i] = to[i] + first * static_cast<double>(a[i]) + second * static_cast<double>(b[i]) +
                third * static_cast<double>(c[i]) + fourth * static_cast<double>(d[i]);
}

/// left right
template <class Right>
Tensor product(const Tensor& left, const Right& right) {
    const auto a = view_of(left);
    const auto b = view_of(right);
    Tensor result = written_zeros(a.rows, b.columns);
    const MatrixView<double> out = result.view();
    for_each_pair(a.rows, (a.columns + 3) / 4, [&](Index r, Index four) {
        const Index first = 4 * four, last = std::min(first + 4, a.columns);
        const double* factors = a.row(r);
        double* to = out.row(r);
        const auto is_zero = [](double factor) { return factor == 0; };
        if (last == first + 4 && std::none_of(factors + first, factors + last, is_zero))
            return add_four_in_lanes(
                factors + first,
                std::array{b.row(first), b.row(first + 1), b.row(first + 2), b.row(first + 3)}, b.columns,
                to);
        for (Index i = first; i < last; ++i)
            if (!is_zero(factors[i]))  // pooling is mostly zeros
                add_in_lanes(factors[i], b.row(i), b.columns, to);
    });
    return result;
}

/// softmax(q k^T / sqrt(d)), row by row.
template <class Queries, class Keys>
Tensor soft_similarities(const Queries& q, const Keys& k) {
    const auto queries = view_of(q);
    const auto keys = view_of(k);
    Tensor result = written_zeros(queries.rows, keys.rows);
    const MatrixView<double> out = result.view();
    const double root = std::sqrt(static_cast<double>(queries.columns));
    for_each_pair(out.rows, out.columns, [&](Index r, Index c) {
        out.row(r)[c] = similarity_of_rows(queries.row(r), keys.row(c), queries.columns) / root;
    });
    for (Index r = 0; r < out.rows && out.columns > 0; ++r) {
        Interruption::check();
        double* row = out.row(r);
        const double largest = *std::max_element(row, row + out.columns);
        double total = 0;
        for (Index c = 0; c < out.columns; ++c)
            total += row[c] = std::exp(row[c] - largest);
        for (Index c = 0; c < out.columns; ++c)
            row[c] /= total;
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
