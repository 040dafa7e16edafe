#pragma once

#include "core/attention/pipeline.h"
#include "core/attention/row_lanes.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

// What algorithms with a softmax of their own do alike, one query at a time: score, softmax_row, mix. Written
// so that the loops run over whole vectors.

/// left . right
template <class Real>
Real inner_product(const Real* left, const Real* right, Index width) {
    Real sums[row_lanes] = {};
    Index i = 0;
    for (; i + row_lanes <= width; i += row_lanes)
        for (Index lane = 0; lane < row_lanes; ++lane)
            sums[lane] += left[i + lane] * right[i + lane];
    Real sum = 0;
    for (; i < width; ++i)
        sum += left[i] * right[i];
    for (const Real each : sums)
        sum += each;
    return sum;
}

/// to += factor * from
template <class Real>
void add_scaled(Real factor, const Real* from, Index width, Real* to) {
    for (Index i = 0; i < width; ++i)
        to[i] += factor * from[i];
}

/// to += factors[0] rows[0] + factors[1] rows[1] + ..., in this order. Four rows at a time: `to` is read and
/// written a quarter as often.
template <class Real>
void add_scaled_rows(const Real* factors, MatrixView<const Real> rows, Real* to) {
    constexpr Index together = 4;
    const Index whole = rows.rows - rows.rows % together, width = rows.columns, stride = rows.stride;
    for (Index first = 0; first < whole; first += together) {
        const Real* row = rows.row(first);
#pragma omp simd
        for (Index i = 0; i < width; ++i) {
            Real sum = to[i];
            for (Index r = 0; r < together; ++r)
                sum += factors[first + r] * row[r * stride + i];
            to[i] = sum;
        }
    }
    for (Index r = whole; r < rows.rows; ++r)
        add_scaled(factors[r], rows.row(r), width, to);
}

/// row[key] = scale (query . key), -infinity where the mask forbids the pair.
template <class Real>
void score_allowed(const AllowedPairs& allowed, Index query_number, const Real* query,
                   MatrixView<const Real> keys, Real scale, Real* row) {
    const auto is_allowed = allowed.row(query_number);
    for (Index key = 0; key < allowed.keys(); ++key)
        row[key] = is_allowed[static_cast<std::size_t>(key)]
                       ? scale * inner_product(query, keys.row(key), keys.columns)
                       : -std::numeric_limits<Real>::infinity();
}

/// Scores to weights, in place: exactly 0 for -infinity, and all zero when nothing else is there. A score
/// that has overflowed makes the row NaN, so that the run is refused.
template <class Real>
void softmax_row(Real* row, Index size) {
    const Real largest = row_maximum(row, size);
    if (largest == -std::numeric_limits<Real>::infinity()) {
        std::fill_n(row, size, Real(0));
        return;
    }
    for (Index key = 0; key < size; ++key)
        row[key] = std::exp(row[key] - largest);
    const Real sum = row_sum(row, size);
    for (Index key = 0; key < size; ++key)
        row[key] /= sum;
}

/// context = sum of weights [m] times values [m, d_v].
template <class Real>
void mix_values(const Real* weights, MatrixView<const Real> values, Real* context) {
    std::fill_n(context, values.columns, Real(0));
    for (Index key = 0; key < values.rows; ++key)
        if (weights[key] != 0)  // what is forbidden may hold anything
            add_scaled(weights[key], values.row(key), values.columns, context);
}

/// A row that is kept where somebody reads the weights, and scratch otherwise. Here a long run can be
/// interrupted.
template <class Real>
Real* weights_row(const HeadTask<Real>& task, Index query, std::vector<Real>& scratch) {
    Interruption::check();
    if (task.wants_weights())
        return task.weights.row(query);
    scratch.resize(static_cast<std::size_t>(task.key.rows));
    return scratch.data();
}

}  // namespace headlight
