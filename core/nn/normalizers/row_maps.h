#pragma once

#include "core/attention/normalizers/rows.h"
#include "core/nn/attention.h"

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
    const kernels::Arithmetic<Real>& by;

    /// p . grad_p
    Real mean() const { return by.inner_product(p, grad_p, size); }
    /// The derivative of softmax times a factor, also of one whose sum has more than the keys.
    void add_softmax_slopes(Real factor) const { by.add_softmax_slopes(p, grad_p, 1, size, factor, grad_s); }
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
    tape.on_backward([=](Tape<Real>& t) {
        for (Index r = 0; r < weights.rows; ++r)
            if (!map.is_empty(r))
                backward(RowSlope<Real>{.number = r,
                                        .size = weights.columns,
                                        .s = scores.row(r),
                                        .p = weights.row(r),
                                        .grad_p = weights.gradient_row(r),
                                        .grad_s = scores.gradient_row(r),
                                        .by = t.arithmetic()});
    });
    return weights;
}

}  // namespace headlight::nn
