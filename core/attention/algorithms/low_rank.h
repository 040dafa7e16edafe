#pragma once

#include "core/attention/journey.h"
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
    std::vector<double> values;

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

/// a b
inline Dense product(const Dense& a, const Dense& b) {
    Dense result(a.rows, b.columns);
    for (Index r = 0; r < a.rows; ++r)
        for (Index i = 0; i < a.columns; ++i)
            for (Index c = 0; c < b.columns; ++c)
                result(r, c) += a(r, i) * b(i, c);
    return result;
}

inline Dense transposed(const Dense& a) {
    Dense result(a.columns, a.rows);
    for (Index r = 0; r < a.rows; ++r)
        for (Index c = 0; c < a.columns; ++c)
            result(c, r) = a(r, c);
    return result;
}

/// softmax(queries keys^T / sqrt(d)), row by row.
inline Dense soft_similarities(const Dense& queries, const Dense& keys) {
    Dense result = product(queries, transposed(keys));
    const double root = std::sqrt(static_cast<double>(queries.columns));
    for (Index r = 0; r < result.rows && result.columns > 0; ++r) {
        double largest = -INFINITY, sum = 0;
        for (Index c = 0; c < result.columns; ++c)
            largest = std::max(largest, result(r, c) /= root);
        for (Index c = 0; c < result.columns; ++c)
            sum += result(r, c) = std::exp(result(r, c) - largest);
        for (Index c = 0; c < result.columns; ++c)
            result(r, c) /= sum;
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
    for (Index r = 0; r < weights.rows; ++r)
        for (Index c = 0; c < keys; ++c)
            task.weights[r * keys + c] = c < weights.columns ? static_cast<Real>(weights(r, c)) : Real(0);
}

/// The keys are summed up before any query sees them: all queries must see the same.
inline void require_one_end(const Plan& plan, const std::string& what) {
    const AllowedPairs allowed(plan.spec.mask, plan.queries, plan.keys);
    const auto ends = allowed.ends();
    if (!allowed.is_prefix() || std::ranges::adjacent_find(ends, std::not_equal_to()) != ends.end())
        throw Error({what, "mask", "none or padding: the keys are summed up before any query sees them",
                     "a mask that gives queries different keys"});
}

}  // namespace headlight
