#pragma once

#include "core/attention/factor_products.h"
#include "core/attention/normalizers/rows.h"
#include "core/attention/pipeline.h"
#include "core/tensor/error.h"

#include <cmath>
#include <string_view>

namespace headlight {

// What mechanisms share whose map is a product of narrow factors, computed in double and never formed unless
// somebody asks for it.

/// softmax(q k^T / sqrt(d)), row by row.
template <class Queries, class Keys>
Tensor soft_similarities(const Queries& q, const Keys& k) {
    const auto queries = view_of(q);
    const auto keys = view_of(k);
    Tensor result = written_zeros(queries.rows, keys.rows);
    FactorProducts products;
    thread_local std::vector<double> room;
    kernels::for_each_part(keys.rows, FactorProducts::depth_at_once, [&](Index key, Index count) {
        products.set_right(in_double(keys.row_range(key, count), room).transposed());
        products.multiply(queries, false, result.view().column_range(key, count));
    });
    const auto& kernels = kernels::table<double>(kernels::chosen_level());
    const double root = std::sqrt(static_cast<double>(queries.columns));
    for (Index r = 0; r < result.rows() && result.cols() > 0; ++r) {
        Interruption::check();
        softmax_of_all(result.view().row(r), result.cols(), kernels, root);
    }
    return result;
}

/// Numbers that soft_similarities() takes beside its factors in double, of at most so many keys: it reads
/// them by columns.
inline double similarities_room(Index keys, Index width) {
    return static_cast<double>(
        kernels::packed_size<double>(width, std::min(keys, FactorProducts::depth_at_once)));
}

/// [count, size]: row r is the mean over the r-th of `count` segments of nearly equal length.
inline Tensor segment_means(Index count, Index size) {
    Tensor means = written_zeros(count, size);
    for (Index r = 0; r < count; ++r) {
        const Index begin = r * size / count, end = (r + 1) * size / count;
        for (Index c = begin; c < end; ++c)
            means(r, c) = 1 / static_cast<double>(end - begin);
    }
    return means;
}

inline void record_matrix(const Recorder& record, std::string_view name, Index head, const Tensor& matrix) {
    record.write(name, head * matrix.size(), matrix.data(), matrix.size());
}

template <class Real>
void write_context(const HeadTask<Real>& task, const Tensor& context) {
    for (Index r = 0; r < context.rows(); ++r)
        for (Index c = 0; c < context.cols(); ++c)
            task.context.row(r)[c] = static_cast<Real>(context(r, c));
}

/// Keys past the columns of `weights` are forbidden.
template <class Real>
void write_weights(const HeadTask<Real>& task, const Tensor& weights) {
    for (Index r = 0; r < task.weights.rows; ++r) {
        Interruption::check();
        Real* row = task.weights.row(r);
        for (Index c = 0; c < task.weights.columns; ++c)
            row[c] = c < weights.cols() ? static_cast<Real>(weights(r, c)) : Real(0);
    }
}

}  // namespace headlight
