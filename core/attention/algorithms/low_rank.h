#pragma once

#include "core/attention/interruption.h"
#include "core/attention/pipeline.h"
#include "core/attention/zeroed.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace headlight {

// What mechanisms share whose map is a product of narrow factors, computed in double and never formed unless
// somebody asks for it.

struct Dense {
    Index rows = 0, columns = 0;
    Zeroed<double> values;

    Dense() = default;
    Dense(Index row_count, Index column_count)
        : rows(row_count), columns(column_count), values(static_cast<std::size_t>(row_count * column_count)) {
    }
    /// The first rows of vectors in an executor's buffers.
    template <class Real>
    Dense(Rows<Real> from, Index row_count, Index column_count) : Dense(row_count, column_count) {
        for (Index r = 0; r < rows; ++r)
            for (Index c = 0; c < columns; ++c)
                (*this)(r, c) = static_cast<double>(from.data[r * from.stride + c]);
    }
    double& operator()(Index r, Index c) { return values[static_cast<std::size_t>(r * columns + c)]; }
    double operator()(Index r, Index c) const { return values[static_cast<std::size_t>(r * columns + c)]; }
    const double* row(Index r) const { return values.data() + r * columns; }
};

/// Vectors where they lie in an executor's buffers, to be read like a Dense.
template <class Real>
struct View {
    Rows<Real> from;
    Index rows = 0, columns = 0;
    const Real* row(Index r) const { return from.data + r * from.stride; }
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

/// a b, b dense or a view.
template <class Right>
Dense product(const Dense& a, const Right& b) {
    Dense result(a.rows, b.columns);
    for_each_pair(a.rows, a.columns, [&](Index r, Index i) {
        const double factor = a(r, i);
        const auto* from = b.row(i);
        double* to = result.values.data() + r * b.columns;
        for (Index c = 0; factor != 0 && c < b.columns; ++c)  // pooling is mostly zeros
            to[c] += factor * static_cast<double>(from[c]);
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

/// left . right, in as many lanes as the processor has. In a function of its own, whose loop the compiler
/// sees to be free of anything else.
template <class Left, class Right>
[[gnu::noinline]] double dot_in_lanes(const Left* left, const Right* right, Index width) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index i = 0; i < width; ++i)
        sum += static_cast<double>(left[i]) * static_cast<double>(right[i]);
    return sum;
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
            task.context[r * task.context_stride + c] = static_cast<Real>(context(r, c));
}

/// Keys past the columns of `weights` are forbidden.
template <class Real>
void write_weights(const HeadTask<Real>& task, const Dense& weights, Index keys) {
    for (Index r = 0; r < weights.rows; ++r) {
        Interruption::check();
        for (Index c = 0; c < keys; ++c)
            task.weights[r * keys + c] = c < weights.columns ? static_cast<Real>(weights(r, c)) : Real(0);
    }
}

}  // namespace headlight
