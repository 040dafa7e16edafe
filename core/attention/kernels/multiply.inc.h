#pragma once

#include "core/attention/kernels/kernels.h"

#include <Eigen/Core>

namespace headlight::kernels { namespace {

template <class Real>
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class Real>
using View = Eigen::Map<Matrix<Real>, Eigen::Unaligned, Eigen::OuterStride<>>;
template <class Real>
using ConstView = Eigen::Map<const Matrix<Real>, Eigen::Unaligned, Eigen::OuterStride<>>;

template <class Real>
ConstView<Real> view(const Real* data, Index stride, Index rows, Index columns) {
    return {data, rows, columns, Eigen::OuterStride<>(stride)};
}
template <class Real>
View<Real> view(Real* data, Index stride, Index rows, Index columns) {
    return {data, rows, columns, Eigen::OuterStride<>(stride)};
}

template <class Real>
void multiply(const Product<Real>& p) {
    auto out = view(p.out, p.out_stride, p.rows, p.columns);
    out.noalias() =
        view(p.left, p.left_stride, p.rows, p.depth) * view(p.right, p.right_stride, p.depth, p.columns);
    if (p.bias)
        out.rowwise() += view(p.bias, p.columns, 1, p.columns).row(0);
}

/// out[rows, columns] = left[rows, depth] right[columns, depth]^T
template <class Real>
void multiply_transposed(const Real* left, Index left_stride, const Real* right, Index right_stride,
                         Real* out, Index out_stride, Index rows, Index depth, Index columns) {
    view(out, out_stride, rows, columns).noalias() =
        view(left, left_stride, rows, depth) * view(right, right_stride, columns, depth).transpose();
}

}}  // namespace headlight::kernels
