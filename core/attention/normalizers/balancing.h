#pragma once

#include "core/attention/normalizers/column_sums.h"
#include "core/tensor/interruption.h"

namespace headlight {

/// One head's scores on their way to exp(s_ij + r_i + c_j) with equal sums: rows and columns are brought to
/// theirs in turn. r and c are logarithms, so that no size of the scores overflows (Cuturi 2013; Sander et
/// al. 2022).
template <class Real>
class Balancing {
public:
    /// Balances scores [queries, keys] that stay where they are.
    Balancing(const Real* scores, Index queries, Index keys, const kernels::Table<Real>& kernels)
        : scores_(scores), queries_(queries), keys_(keys), kernels_(kernels),
          target_(std::log(column_target())) {}

    /// r [n] for this c [m].
    void balance_rows(const Real* of_column, Real* of_row) const {
        Real* row = scratch<Real, ScratchRow::balanced>(keys_);
        for (Index query = 0; query < queries_; ++query) {
            Interruption::check();
            add_columns(query, of_column, row);
            const Real largest = kernels_.maximum(row, keys_);
            of_row[query] = Real(0);
            if (largest != forbidden<Real>)
                of_row[query] = -largest - std::log(kernels_.exponentials(row, keys_, largest, Real(1)));
        }
    }

    /// c [m] for this r [n].
    void balance_columns(const Real* of_row, Real* of_column) const {
        Real* above = scratch<Real, ScratchRow::above>(keys_);
        column_log_sums<Real>(scores_, queries_, keys_, of_row, of_column, above, kernels_);
        for (Index key = 0; key < keys_; ++key)
            of_column[key] = target_ - above[key] - of_column[key];
    }

    /// exp(s + r + c) of one query as its row's softmax, which is the same without the rounding of r.
    void weigh(Index query, const Real* of_column, Real* row) const {
        Interruption::check();
        add_columns(query, of_column, row);
        softmax_row(row, keys_, kernels_, Unrecorded(), Real(1));
    }

    /// The logarithm of what a column sums to.
    Real target() const { return target_; }

private:
    void add_columns(Index query, const Real* of_column, Real* row) const {
        for (Index key = 0; key < keys_; ++key)
            row[key] = scores_[query * keys_ + key] + of_column[key];
    }

    /// Rows sum to 1, so the columns share the number of rows; empty ones do not count.
    Real column_target() const {
        Index rows = 0, columns = 0;
        Real* seen = scratch<Real, ScratchRow::seen>(keys_);
        std::fill(seen, seen + keys_, Real(0));
        for (Index query = 0; query < queries_; ++query) {
            const Real* row = scores_ + query * keys_;
            Index allowed = 0;
            for (Index key = 0; key < keys_; ++key) {
                const bool is_allowed = row[key] != forbidden<Real>;
                seen[key] = is_allowed ? Real(1) : seen[key];
                allowed += is_allowed;
            }
            rows += allowed > 0;
        }
        for (Index key = 0; key < keys_; ++key)
            columns += seen[key] != 0;
        return columns == 0 ? Real(1) : static_cast<Real>(rows) / static_cast<Real>(columns);
    }

    const Real* scores_;
    Index queries_;
    Index keys_;
    const kernels::Table<Real>& kernels_;
    Real target_;
};

}  // namespace headlight
