#pragma once

#include "core/attention/plan.h"
#include "core/kernels/arithmetic.h"
#include "core/kernels/kernels.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/storage.h"

#include <algorithm>
#include <string>
#include <vector>

namespace headlight {

/// Everything that attention reads: q, k, v and the two operands of the scores, with the work that computes
/// them from the token vectors. All memory is taken, and all parameters are packed, when it is made.
template <class Real>
class Operands {
public:
    Operands(const Plan& plan, const kernels::Table<Real>& kernels);

    /// Makes ready what the scores are computed from. With `has_vector_steps` the compared queries and keys
    /// are copies that steps may change; without `has_product` nobody asks for the product q . k or the
    /// energies.
    void prepare_scores(bool has_vector_steps, bool has_product);

    // The work of a run, one list after another; within a list in any order.
    const std::vector<kernels::Product<Real>>& projections() const { return projections_; }
    const std::vector<kernels::Product<Real>>& score_products() const { return score_products_; }
    /// A matrix that is rearranged anew in each run.
    struct Packing {
        MatrixView<const Real> from;
        Real* to;
    };
    const std::vector<Packing>& packings() const { return packings_; }

    MatrixView<const Real> query_tokens() const {
        return query_tokens_;
    }                                                                  ///< [n, d_q], with the position term
    MatrixView<const Real> key_tokens() const { return key_tokens_; }  ///< [m, d_k]
    /// Token vectors times a parameter, plus another unless it has no name; computed with the projections of
    /// each run, before any step.
    MatrixView<const Real> projected(MatrixView<const Real> tokens, const std::string& matrix,
                                     const std::string& bias = {});
    MatrixView<const Real> query() const { return query_; }  ///< [n, h d_k]
    MatrixView<const Real> key() const { return key_; }      ///< [m, g d_k], g heads of keys and values
    MatrixView<const Real> value() const { return value_; }  ///< [m, g d_v]
    /// q and k as they meet, after norms and rotations: the same as query() and key() where there are none.
    MatrixView<const Real> compared_query() const { return compared_query_; }
    MatrixView<const Real> compared_key() const { return compared_key_; }
    /// Those of a head, [n, d_k], and of a head of keys and values, [m, d_k].
    MatrixView<const Real> compared_query(Index head) const {
        return compared_query_.column_range(head * plan_.head_query_width(), plan_.head_query_width());
    }
    MatrixView<const Real> compared_key(Index kv_head) const {
        return compared_key_.column_range(kv_head * plan_.head_key_width(), plan_.head_key_width());
    }
    /// The vectors of the product q . k: the compared ones, unless own_product_vectors() has taken room for
    /// others, [n, h d_k] and [m, g d_k], which a step fills before each product.
    void own_product_vectors();
    MatrixView<Real> product_query() const { return product_query_; }
    MatrixView<Real> product_key() const { return product_key_; }
    /// Copies query() and key() to the compared ones and gives them out to be changed.
    MatrixView<Real> fresh_compared_query();
    MatrixView<Real> fresh_compared_key();

    /// Fills in what a block reads of the head, for queries from `first_query` on.
    void give(kernels::Block<Real>& block, Index head, Index first_query) const;

    // The kernels of the run's level, for steps.
    const kernels::Table<Real>& table() const { return kernels_; }
    const kernels::Arithmetic<Real>& arithmetic() const { return arithmetic_; }
    /// out[c] = x . column c of [width, columns], for all columns at once.
    void multiply_columns(const Real* x, MatrixView<const Real> table, Real* out) const {
        std::fill_n(out, table.columns, Real(0));
        arithmetic_.add_scaled_rows(x, table, out);
    }

    /// Room for `size` numbers, zero at first, for as long as the operands live.
    Real* allocate(Index size) { return buffers_.emplace_back(size).data(); }
    MatrixView<Real> allocate(Index rows, Index columns) {
        return row_major(allocate(rows * columns), rows, columns);
    }

    /// A parameter in this precision, packed.
    kernels::Packed<Real> matrix(const std::string& name);
    /// The numbers of a parameter in this precision, row by row; null when it is not `wanted`.
    const Real* vector(const std::string& name, bool wanted = true);

private:
    MatrixView<const Real> tokens(const Tensor& given, bool may_skip_unused);
    void project_all(MatrixView<const Real> value_tokens);
    MatrixView<const Real> project(MatrixView<const Real> tokens, const std::string& suffix);
    kernels::Packed<Real> add_packing(MatrixView<const Real> from);
    void prepare_products();
    void prepare_energies();
    void prepare_values();
    kernels::Packed<Real> matrix(const Tensor& given, Index first_row, Index rows);

    const Plan& plan_;
    const kernels::Table<Real>& kernels_;
    const kernels::Arithmetic<Real>& arithmetic_ = kernels::chosen_arithmetic<Real>();
    std::vector<Storage<Real>> buffers_;
    std::vector<kernels::Product<Real>> projections_;
    std::vector<kernels::Product<Real>> score_products_;
    std::vector<Packing> packings_;
    MatrixView<const Real> query_tokens_, key_tokens_;
    MatrixView<const Real> query_, key_, value_;
    MatrixView<const Real> compared_query_, compared_key_;
    MatrixView<Real> own_query_, own_key_;          ///< the compared ones, when steps change them
    MatrixView<Real> product_query_, product_key_;  ///< without data: the compared ones
    kernels::ScoreRule<Real> rule_;
    MatrixView<const Real> left_;      ///< [n, h width]
    MatrixView<const Real> energies_;  ///< [m, h width]: the keys' part of concat and additive scores
    std::vector<kernels::Packed<Real>> packed_keys_;    ///< [head]: [width, m]
    std::vector<kernels::Packed<Real>> packed_values_;  ///< [head]: [m, d_v]
};

extern template class Operands<float>;
extern template class Operands<double>;

}  // namespace headlight
