#pragma once

#include "core/attention/normalizers/rows.h"
#include "core/nn/attention.h"
#include "core/tensor/dot_in_lanes.h"

#include <algorithm>

namespace headlight::nn {

/// What normalisers are made from: the scores with a gradient to write to, and the number of each row's head.
template <class Real>
struct ScoreMap {
    Pairing pairing;
    Variable<Real> scores;  ///< [b h n, m]

    Index sequence(Index row) const { return row / (pairing.heads * pairing.queries); }
    Index head(Index row) const { return row / pairing.queries % pairing.heads; }
    Index query(Index row) const { return row % pairing.queries; }  ///< of those asked for
    bool is_empty(Index row) const { return count_allowed(scores.row(row), scores.columns) == 0; }
};

/// One row on the way back.
template <class Real>
struct RowSlope {
    Index number;        ///< of the row in the map
    Index size;          ///< m
    const Real* s;       ///< scores
    const Real* p;       ///< weights
    const Real* grad_p;  ///< the gradient of the weights
    Real* grad_s;        ///< the gradient of the scores, to be added to
};

/// Weights of rows by themselves: forward(row [m], number) turns scores into weights in place,
/// backward(RowSlope) adds the gradient of the scores. Neither sees rows without a key that counts: their
/// weights are 0.
template <class Real, class Forward, class Backward>
Variable<Real> map_rows(Tape<Real>& tape, const ScoreMap<Real>& map, const Forward& forward,
                        const Backward& backward) {
    const Variable<Real> scores = map.scores, weights = tape.variable(scores.rows, scores.columns);
    for (Index r = 0; r < weights.rows; ++r) {
        std::copy_n(scores.row(r), scores.columns, weights.row(r));
        if (map.is_empty(r))
            std::fill_n(weights.row(r), weights.columns, Real(0));
        else
            forward(weights.row(r), r);
    }
    tape.on_backward([=](Tape<Real>&) {
        for (Index r = 0; r < weights.rows; ++r)
            if (!map.is_empty(r))
                backward(RowSlope<Real>{.number = r,
                                        .size = weights.columns,
                                        .s = scores.row(r),
                                        .p = weights.row(r),
                                        .grad_p = weights.gradient_row(r),
                                        .grad_s = scores.gradient_row(r)});
    });
    return weights;
}

/// grad_s += factor (diag(p) - p p^T) grad_p: the derivative of softmax, also of one whose sum has more than
/// the keys. Returns p . grad_p.
template <class Real>
Real add_softmax_slope(const Real* p, const Real* grad_p, Index size, Real factor, Real* grad_s) {
    const Real mean = dot_in_lanes<Real>(p, grad_p, size);
    for (Index j = 0; j < size; ++j)
        grad_s[j] += factor * p[j] * (grad_p[j] - mean);
    return mean;
}

}  // namespace headlight::nn
