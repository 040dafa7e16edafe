#pragma once

#include "core/attention/vector_norm.h"
#include "core/nn/tape.h"

namespace headlight::nn {

// The vectors of heads, and the cap of scores.

/// [n, h d] -> [n h, d]: the same numbers, a row for each head
template <class Real>
Variable<Real> by_head(Variable<Real> x, Index heads) {
    return x.reshaped(x.rows * heads, x.columns / heads);
}
/// [n h, d] -> [n, h d]
template <class Real>
Variable<Real> side_by_side(Variable<Real> x, Index heads) {
    return x.reshaped(x.rows / heads, x.columns * heads);
}

/// Each row x / |x|, or minus its mean (layer only) and divided by the root of its mean square; times `gain`,
/// [1, d], where it has one. As the engine does it (VectorNorm).
template <class Real>
Variable<Real> normalize_vectors(Tape<Real>& tape, Variable<Real> x, VectorNorm norm,
                                 Variable<Real> gain = {});
/// c tanh(x / c)
template <class Real>
Variable<Real> soft_cap(Tape<Real>& tape, Variable<Real> a, Real cap);

}  // namespace headlight::nn
