#pragma once

#include "core/attention/buffer.h"
#include "core/attention/kernels/kernels.h"
#include "core/attention/plan.h"

#include <string>
#include <vector>

namespace headlight {

/// A row-major matrix somewhere in an executor's buffers.
template <class Real>
struct Rows {
    const Real* data = nullptr;
    Index stride = 0;
};

/// Everything that attention reads: q, k, v and the two operands of the scores, with the work that computes
/// them from the token vectors. All memory is taken, and all parameters are packed, when it is made.
template <class Real>
class Operands {
public:
    Operands(const Plan& plan, const kernels::Table<Real>& kernels);

    // The work of a run, one list after another; within a list in any order.
    const std::vector<kernels::Product<Real>>& projections() const { return projections_; }
    const std::vector<kernels::Product<Real>>& score_products() const { return score_products_; }
    const std::vector<kernels::Packing<Real>>& packings() const { return packings_; }

    Rows<Real> query() const { return query_; }  ///< [n, h d_k]
    Rows<Real> key() const { return key_; }      ///< [m, h d_k]
    Rows<Real> value() const { return value_; }  ///< [m, h d_v]

    /// Fills in what a block reads of the head, for queries from `first_query` on.
    void give(kernels::Block<Real>& block, Index head, Index first_query) const;

    /// A parameter in this precision, packed.
    kernels::Packed<Real> matrix(const std::string& name);
    /// The numbers of a parameter in this precision; null when it is not `wanted`.
    const Real* vector(const std::string& name, bool wanted = true);

private:
    Rows<Real> tokens(const Tensor& given, bool may_skip_unused);
    Rows<Real> project(Rows<Real> tokens, Index rows, Index columns, const std::string& suffix);
    void prepare_products();
    void prepare_energies();
    void prepare_values();
    kernels::Packed<Real> matrix(const Tensor& given, Index first_row, Index rows);
    Real* allocate(Index size) { return buffers_.emplace_back(size).data(); }

    const Plan& plan_;
    const kernels::Table<Real>& kernels_;
    std::vector<Buffer<Real>> buffers_;
    std::vector<kernels::Product<Real>> projections_;
    std::vector<kernels::Product<Real>> score_products_;
    std::vector<kernels::Packing<Real>> packings_;
    Rows<Real> query_, key_, value_;
    kernels::ScoreRule<Real> rule_;
    Rows<Real> left_;      ///< [n, h width]
    Rows<Real> energies_;  ///< [m, h width]: the keys' part of concat and additive scores
    std::vector<kernels::Packed<Real>> packed_keys_;    ///< [head]: [width, m]
    std::vector<kernels::Packed<Real>> packed_values_;  ///< [head]: [m, d_v]
};

extern template class Operands<float>;
extern template class Operands<double>;

}  // namespace headlight
