#pragma once

#include "core/attention/pipeline.h"
#include "core/kernels/arithmetic.h"
#include "core/kernels/kernels.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

// What algorithms with a softmax of their own do alike, one query at a time: score, softmax_row, mix. Written
// so that the loops run over whole vectors.

/// row[key] = scale (query . key), -infinity where the mask forbids the pair.
template <class Real>
void score_allowed(const AllowedPairs& allowed, Index query_number, const Real* query,
                   MatrixView<const Real> keys, Real scale, Real* row) {
    const auto& by = kernels::chosen_arithmetic<Real>();
    const auto is_allowed = allowed.row(query_number);
    for (Index key = 0; key < allowed.keys(); ++key)
        row[key] = is_allowed[static_cast<std::size_t>(key)]
                       ? scale * by.inner_product(query, keys.row(key), keys.columns)
                       : -std::numeric_limits<Real>::infinity();
}

/// Scores to weights, in place: exactly 0 for -infinity, and all zero when nothing else is there. A score
/// that has overflowed makes the row NaN, so that the run is refused.
template <class Real>
void softmax_row(Real* row, Index size) {
    const auto& kernels = kernels::table<Real>(kernels::chosen_level());
    const Real largest = kernels.maximum(row, size);
    if (largest == -std::numeric_limits<Real>::infinity()) {
        std::fill_n(row, size, Real(0));
        return;
    }
    const Real sum = kernels.exponentials(row, size, largest, Real(1));
    for (Index key = 0; key < size; ++key)
        row[key] /= sum;
}

/// context = sum of weights [m] times values [m, d_v].
template <class Real>
void mix_values(const Real* weights, MatrixView<const Real> values, Real* context) {
    const auto& by = kernels::chosen_arithmetic<Real>();
    std::fill_n(context, values.columns, Real(0));
    for (Index key = 0; key < values.rows; ++key)
        if (weights[key] != 0)  // what is forbidden may hold anything
            by.add_scaled(weights[key], values.row(key), values.columns, context);
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
