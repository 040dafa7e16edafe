#pragma once

#include "core/nn/attention.h"
#include "core/nn/operations.h"

#include <span>
#include <vector>

namespace headlight::nn {

// What scores are made from, beside operations.h and attention.h.

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
/// A vector, or some numbers of it, as a matrix with one column: x times it is a number for each row of x.
inline Weight as_column(Weight vector, Index first, Index count) { return {vector.offset + first, count, 1}; }

/// Calls visit(sequence, head, query) in the order of a map's rows.
template <class Visit>
void for_each_row(const Pairing& pairing, const Visit& visit) {
    for (Index sequence = 0; sequence < pairing.batch; ++sequence)
        for (Index head = 0; head < pairing.heads; ++head)
            for (Index query = 0; query < pairing.queries; ++query)
                visit(sequence, head, query);
}

template <class Real>
Variable<Real> take_rows(Tape<Real>& tape, Variable<Real> a, const std::vector<Index>& rows) {
    return take_rows(tape, a, std::span<const Index>(rows));
}

// vectors.cpp

/// Each row x / |x|, or minus its mean (layer only) and divided by the root of its mean square; times `gain`,
/// [1, d], where it has one. As the engine does it (VectorNorm).
template <class Real>
Variable<Real> normalize_vectors(Tape<Real>& tape, Variable<Real> x, VectorNorm norm,
                                 Variable<Real> gain = {});
/// Row r times factors[r / group % number of factors]: [n, d] [1, k]
template <class Real>
Variable<Real> scale_rows(Tape<Real>& tape, Variable<Real> a, Variable<Real> factors, Index group = 1);
/// x above 0, slope x below.
template <class Real>
Variable<Real> leaky_relu(Tape<Real>& tape, Variable<Real> a, Real slope);
/// exp(min(x, bound))
template <class Real>
Variable<Real> bounded_exponential(Tape<Real>& tape, Variable<Real> a, Real bound);
/// c tanh(x / c)
template <class Real>
Variable<Real> soft_cap(Tape<Real>& tape, Variable<Real> a, Real cap);

// pairs.cpp

/// -|q - k|^2 of each head: [n b, h d] [m b, h d] -> [b h n, m]
template <class Real>
Variable<Real> distance_scores(Tape<Real>& tape, const Pairing& pairing, Variable<Real> query,
                               Variable<Real> key);
/// left + right of each pair: [n b, h] [m b, h] -> [b h n, m]
template <class Real>
Variable<Real> sum_scores(Tape<Real>& tape, const Pairing& pairing, Variable<Real> left,
                          Variable<Real> right);
/// 1 where the pair counts, else 0: [b h n, m]
template <class Real>
Variable<Real> allowed_map(Tape<Real>& tape, const Pairing& pairing, const Allowed& allowed);
/// A kernel over the scores of neighbouring queries and keys: [b h n, m] [h w_q, w_k] -> [b h n, m]
/// (Golovneva et al. 2025, section 3.1)
template <class Real>
Variable<Real> convolve_map(Tape<Real>& tape, const Pairing& pairing, Variable<Real> map,
                            Variable<Real> kernel);
/// The scores less what the queries before erased, max(0, score of head 1): never the first key, a query's
/// own, or one that does not count: [b h n, m] [b h n, m] -> [b h n, m] (Leviathan, Kalman & Matias 2025,
/// section 3)
template <class Real>
Variable<Real> erase_scores(Tape<Real>& tape, const Pairing& pairing, Variable<Real> map,
                            Variable<Real> allowed);
/// What filters find around each key in a row of weights, zeros beyond its ends: [r, m] [filters, width] ->
/// [r m, filters] (Chorowski et al. 2015, equation 8)
template <class Real>
Variable<Real> filter_rows(Tape<Real>& tape, Variable<Real> rows, Variable<Real> filters);

}  // namespace headlight::nn
