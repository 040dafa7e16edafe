#pragma once

#include "core/attention/interruption.h"
#include "core/attention/pipeline.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <new>
#include <string>
#include <vector>

namespace headlight {

// What mechanisms share whose map is a product of narrow factors, computed in double and never formed unless
// somebody asks for it.

/// From the beginning of a cache line on, so that no lanes lie across two.
template <class T>
struct LineAllocator {
    using value_type = T;
    static constexpr std::align_val_t line{64};
    T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), line)); }
    void deallocate(T* memory, std::size_t) noexcept { ::operator delete(memory, line); }
    bool operator==(const LineAllocator&) const = default;
};

struct Dense {
    Index rows = 0, columns = 0;
    /// Written when it is made: fresh memory that is read first becomes a copy of the kernel's page of zeros,
    /// and each copy stops the other threads.
    std::vector<double, LineAllocator<double>> values;

    Dense() = default;
    /// Zeros, which take long enough to be interrupted.
    Dense(Index row_count, Index column_count) : rows(row_count), columns(column_count) {
        values.reserve(static_cast<std::size_t>(rows * columns));
        for (Index r = 1; r <= rows; ++r) {
            Interruption::check();
            values.resize(static_cast<std::size_t>(r * columns));
        }
    }
    template <class Real>
    explicit Dense(MatrixView<const Real> from) : Dense(from.rows, from.columns) {
        for (Index r = 0; r < rows; ++r)
            for (Index c = 0; c < columns; ++c)
                (*this)(r, c) = static_cast<double>(from.row(r)[c]);
    }
    double& operator()(Index r, Index c) { return values[static_cast<std::size_t>(r * columns + c)]; }
    double operator()(Index r, Index c) const { return values[static_cast<std::size_t>(r * columns + c)]; }
    const double* row(Index r) const { return values.data() + r * columns; }
};

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
[[gnu::noinline]] double dot_in_lanes(const Left* left, const Right* right, Index width) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index i = 0; i < width; ++i)
        sum += static_cast<double>(left[i]) * static_cast<double>(right[i]);
    return sum;
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

/// a b, b dense or a view.
template <class Right>
Dense product(const Dense& a, const Right& b) {
    Dense result(a.rows, b.columns);
    for_each_pair(a.rows, (a.columns + 3) / 4, [&](Index r, Index four) {
        const Index first = 4 * four, last = std::min(first + 4, a.columns);
        const double* factors = a.row(r);
        double* to = result.values.data() + r * b.columns;
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

inline Dense transposed(const Dense& a) {
    Dense result(a.columns, a.rows);
    for (Index r = 0; r < a.rows; ++r)
        for (Index c = 0; c < a.columns; ++c)
            result(c, r) = a(r, c);
    return result;
}

/// softmax(queries keys^T / sqrt(d)), row by row, of dense ones or views.
template <class Queries, class Keys>
Dense soft_similarities(const Queries& queries, const Keys& keys) {
    Dense result(queries.rows, keys.rows);
    const double root = std::sqrt(static_cast<double>(queries.columns));
    for_each_pair(result.rows, result.columns, [&](Index r, Index c) {
        result(r, c) = dot_in_lanes(queries.row(r), keys.row(c), queries.columns) / root;
    });
    for (Index r = 0; r < result.rows && result.columns > 0; ++r) {
        Interruption::check();
        double* row = result.values.data() + r * result.columns;
        const double largest = *std::max_element(row, row + result.columns);
        double total = 0;
        for (Index c = 0; c < result.columns; ++c)
            total += row[c] = std::exp(row[c] - largest);
        for (Index c = 0; c < result.columns; ++c)
            row[c] /= total;
    }
    return result;
}

/// [count, size]: row r is the mean over the r-th of `count` segments of nearly equal length.
inline Dense segment_means(Index count, Index size) {
    Dense means(count, size);
    for (Index r = 0; r < count; ++r) {
        const Index begin = r * size / count, end = (r + 1) * size / count;
        for (Index c = begin; c < end; ++c)
            means(r, c) = 1 / static_cast<double>(end - begin);
    }
    return means;
}

inline void record_matrix(const Recorder& record, std::string_view name, Index head, const Dense& matrix) {
    const Index size = std::ssize(matrix.values);
    record.write(name, head * size, matrix.values.data(), size);
}

template <class Real>
void write_context(const HeadTask<Real>& task, const Dense& context) {
    for (Index r = 0; r < context.rows; ++r)
        for (Index c = 0; c < context.columns; ++c)
            task.context.row(r)[c] = static_cast<Real>(context(r, c));
}

/// Keys past the columns of `weights` are forbidden.
template <class Real>
void write_weights(const HeadTask<Real>& task, const Dense& weights, Index keys) {
    for (Index r = 0; r < weights.rows; ++r) {
        Interruption::check();
        for (Index c = 0; c < keys; ++c)
            task.weights.row(r)[c] = c < weights.columns ? static_cast<Real>(weights(r, c)) : Real(0);
    }
}

}  // namespace headlight
