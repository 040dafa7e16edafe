#pragma once

#include "core/attention/normalizers/rows.h"
#include "core/attention/pipeline.h"
#include "core/kernels/arithmetic.h"
#include "core/kernels/kernels.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

/// each(first, count) for the longest stretches of [0, size) of which all are in.
template <class IsIn, class Each>
void for_each_stretch(Index size, const IsIn& is_in, const Each& each) {
    for (Index first = 0, end = 0; first < size; first = end) {
        for (end = first; end < size && is_in(end);)
            ++end;
        if (end > first)
            each(first, end - first);
        else
            ++end;
    }
}

/// What algorithms with a softmax of their own do alike, one query at a time, by the kernels of the level
/// that is chosen when it is made: once for all rows of a loop.
template <class Real>
class SoftmaxRows {
public:
    /// row[key] = scale (query . key), -infinity where the mask forbids the pair.
    void score_allowed(const AllowedPairs& allowed, Index query_number, const Real* query,
                       MatrixView<const Real> keys, Real scale, Real* row) const {
        const auto is_allowed = allowed.row(query_number);
        std::fill_n(row, allowed.keys(), forbidden<Real>);
        for_each_stretch(
            allowed.keys(), [&](Index key) { return is_allowed[static_cast<std::size_t>(key)] != 0; },
            [&](Index first, Index count) {
                by_.inner_products(query, keys.row_range(first, count), scale, row + first);
            });
    }

    /// Scores to weights, in place: exactly 0 for -infinity, and all zero when nothing else is there. A score
    /// that has overflowed makes the row NaN, so that the run is refused.
    void softmax(Real* row, Index size) const { softmax_row(row, size, kernels_, Unrecorded(), Real(1)); }

    /// context = sum of weights [m] times values [m, d_v].
    void mix(const Real* weights, MatrixView<const Real> values, Real* context) const {
        std::fill_n(context, values.columns, Real(0));
        add_mixed(weights, values, context);
    }
    /// The same, added to what is there.
    void add_mixed(const Real* weights, MatrixView<const Real> values, Real* context) const {
        // What is forbidden may hold anything.
        for_each_stretch(
            values.rows, [&](Index key) { return weights[key] != 0; },
            [&](Index first, Index count) {
                by_.add_scaled_rows(weights + first, values.row_range(first, count), context);
            });
    }

    const kernels::Table<Real>& kernels() const { return kernels_; }
    const kernels::Arithmetic<Real>& arithmetic() const { return by_; }

private:
    kernels::Level level_ = kernels::chosen_level();
    const kernels::Table<Real>& kernels_ = kernels::table<Real>(level_);
    const kernels::Arithmetic<Real>& by_ = kernels::arithmetic<Real>(level_);
};

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
