#pragma once

#include "core/attention/buffer.h"
#include "core/attention/kernels/kernels.h"
#include "core/attention/plan.h"

#include <map>
#include <vector>

namespace headlight {

/// A matrix somewhere in an executor's buffers.
template <class Real>
struct Rows {
    const Real* data = nullptr;
    Index stride = 0;
};

/// Everything that attention reads: q, k, v and the two operands of the scores, with the matrix products that
/// compute them from the token vectors. All memory is taken when it is made.
template <class Real>
class Operands {
public:
    explicit Operands(const Plan& plan);

    /// Products to run in this order; those of one stage depend only on earlier stages.
    const std::vector<kernels::Product<Real>>& projections() const { return projections_; }
    const std::vector<kernels::Product<Real>>& score_products() const { return score_products_; }

    Rows<Real> query() const { return query_; }  ///< [n, h d_k]
    Rows<Real> key() const { return key_; }      ///< [m, h d_k]
    Rows<Real> value() const { return value_; }  ///< [m, h d_v]

    kernels::ScoreRule<Real> score_rule() const { return rule_; }
    Rows<Real> left(Index head) const { return of_head(left_, head); }    ///< [n, width]
    Rows<Real> right(Index head) const { return of_head(right_, head); }  ///< [m, width]

    const Real* parameter(const std::string& name);

private:
    Rows<Real> of_head(Rows<Real> all, Index head) const {
        return {all.data + head * rule_.width, all.stride};
    }
    Rows<Real> tokens(const Tensor& given, bool may_skip_unused);
    Rows<Real> project(Rows<Real> tokens, Index rows, Index depth, Index columns, const std::string& suffix);
    void prepare_general();
    void prepare_energies();
    Real* allocate(Index size) { return buffers_.emplace_back(size).data(); }

    const Plan& plan_;
    std::vector<Buffer<Real>> buffers_;
    std::map<std::string, const Real*> parameters_;
    std::vector<kernels::Product<Real>> projections_;
    std::vector<kernels::Product<Real>> score_products_;
    kernels::ScoreRule<Real> rule_;
    Rows<Real> query_, key_, value_, left_, right_;
};

extern template class Operands<float>;
extern template class Operands<double>;

}  // namespace headlight
