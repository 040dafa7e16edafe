#pragma once

#include "core/nn/tape.h"

#include <cstdint>
#include <span>

namespace headlight::nn {

// Operations on the matrices of a tape. Each computes at once and leaves its derivative behind (tape.h).
// Shapes are not checked but asserted: hosts are planned, and a planned host cannot fail on shapes.

// product.cpp

/// x W: [n, in] [in, out] -> [n, out]
template <class Real>
Variable<Real> product(Tape<Real>& tape, Variable<Real> x, Weight matrix);
/// activation(x W + b): b is [1, out]
template <class Real>
Variable<Real> affine(Tape<Real>& tape, Variable<Real> x, Weight matrix, Weight bias,
                      Activation activation = Activation::identity);
/// sum + x W, for what meets several matrices.
template <class Real>
Variable<Real> add_product(Tape<Real>& tape, Variable<Real> sum, Variable<Real> x, Weight matrix);
/// sum + (x W + b), of a residual connection. The result takes the gradient of `sum` over, so that nothing is
/// kept and added twice: `sum` has one and is no weight, and neither it nor a view of it is `x` or an operand
/// of any operation after this one.
template <class Real>
Variable<Real> add_affine(Tape<Real>& tape, Variable<Real> sum, Variable<Real> x, Weight matrix, Weight bias);

// elementwise.cpp

template <class Real>
Variable<Real> add(Tape<Real>& tape, Variable<Real> a, Variable<Real> b);
template <class Real>
Variable<Real> multiply(Tape<Real>& tape, Variable<Real> a, Variable<Real> b);
template <class Real>
Variable<Real> scale(Tape<Real>& tape, Variable<Real> a, Real factor);
/// a + row, for every row of a: [n, d] [1, d]
template <class Real>
Variable<Real> add_row(Tape<Real>& tape, Variable<Real> a, Variable<Real> row);
template <class Real>
Variable<Real> activate(Tape<Real>& tape, Variable<Real> a, Activation activation);
/// x Phi(x), Phi the distribution function of the normal distribution         (Hendrycks & Gimpel 2016)
template <class Real>
Variable<Real> gelu(Tape<Real>& tape, Variable<Real> a);
/// Zeroes each number with this probability and divides the others by 1 - probability (Srivastava et al.
/// 2014); which ones follows from the stream alone.
template <class Real>
Variable<Real> dropout(Tape<Real>& tape, Variable<Real> a, double probability, std::uint64_t stream);

// arrange.cpp

/// [a b ...]: [n, d] [n, e] ... -> [n, d + e + ...]
template <class Real>
Variable<Real> join_columns(Tape<Real>& tape, std::span<const Variable<Real>> parts);
template <class Real>
Variable<Real> join_columns(Tape<Real>& tape, Variable<Real> a, Variable<Real> b);
/// [n, d] -> [n, count]
template <class Real>
Variable<Real> column_range(Tape<Real>& tape, Variable<Real> a, Index first, Index count);
/// One under the other; all as wide as the first.
template <class Real>
Variable<Real> join_rows(Tape<Real>& tape, std::span<const Variable<Real>> parts);
/// Row i of the result is row rows[i] of a; a negative number gives a row of zeros.
template <class Real>
Variable<Real> take_rows(Tape<Real>& tape, Variable<Real> a, std::span<const Index> rows);

// layer_norm.cpp

/// Each row minus its mean, divided by its standard deviation (with 1e-5 under the root), times `gain`, plus
/// `bias`, [1, d] each                                                          (Ba, Kiros & Hinton 2016, eq.
/// 4)
template <class Real>
Variable<Real> layer_norm(Tape<Real>& tape, Variable<Real> x, Weight gain, Weight bias);

// loss.cpp

/// -log softmax(logits[i])[labels[i]] of each row with a label that is not negative, times weights[i] where
/// there are weights, summed and divided by `divisor`: [n, v] -> [1, 1]
template <class Real>
Variable<Real> cross_entropy(Tape<Real>& tape, Variable<Real> logits, std::span<const Index> labels,
                             Real divisor, std::span<const Real> weights = {});
/// The sum of all numbers: [1, 1]
template <class Real>
Variable<Real> sum(Tape<Real>& tape, Variable<Real> a);

}  // namespace headlight::nn
