#pragma once

#include "core/attention/component.h"
#include "core/attention/pipeline.h"
#include "core/kernels/multiply_in_parts.h"

#include <algorithm>

namespace headlight {

/// v . activation(left_i + right_j), as the kernels compute it for additive scores, for those whose sides or
/// whose v come about in another way. A side is a row of `width()` numbers for each token; those past d_a
/// stay 0.
template <class Real>
class EnergyRows {
public:
    EnergyRows(const Plan& plan, Operands<Real>& operands)
        : plan_(plan), operands_(operands), width_((plan.attention_width + kernels::padding<Real> - 1) /
                                                   kernels::padding<Real> * kernels::padding<Real>),
          weights_(operands.allocate(width_)), left_(operands.allocate(plan.heads * plan.queries, width_)),
          right_(operands.allocate(plan.heads * plan.keys, width_)) {}

    Index width() const { return width_; }
    Real* weights() { return weights_; }       ///< v: [width]
    MatrixView<Real> left(Index head) const {  ///< [n, width]
        return left_.row_range(head * plan_.queries, plan_.queries);
    }
    MatrixView<Real> right(Index head) const {  ///< [m, width]
        return right_.row_range(head * plan_.keys, plan_.keys);
    }

    /// out[rows, columns] = from[rows, depth] matrix + bias + added, in the first columns of all.
    void multiply(MatrixView<const Real> from, kernels::Packed<Real> matrix, const Real* bias,
                  MatrixView<Real> out, MatrixView<const Real> added = {}) const {
        multiply_in_parts(operands_.table(), {.left = from.column_range(0, matrix.depth),
                                              .right = matrix,
                                              .bias = bias,
                                              .added = added,
                                              .out = out.column_range(0, matrix.columns)});
    }

    /// Both sides of one head: q W_1 + bias, and k W_2.
    void project(Index head, kernels::Packed<Real> for_query, const Real* bias,
                 kernels::Packed<Real> for_key) {
        multiply(query(head), for_query, bias, left(head));
        multiply(key(head), for_key, nullptr, right(head));
    }

    MatrixView<const Real> query(Index head) const { return operands_.compared_query(head); }  ///< [n, d_q]
    MatrixView<const Real> key(Index head) const {                                             ///< [m, d_k]
        return operands_.compared_key(plan_.kv_head(head));
    }

    /// Writes the row's scores from a query's side [width] and the keys' sides [size, width], and records the
    /// energies.
    void score(const ScoreRow<Real>& row, const Real* left, const Real* right, Activation activation,
               const Recorder& record) const {
        kernels::Block<Real> block;
        block.score = {.width = width_,
                       .energy = weights_,
                       .energy_width = plan_.attention_width,
                       .activation = activation};
        block.queries = 1;
        block.keys = plan_.keys;
        block.left = row_major(left, 1, width_);
        block.energies = row_major(right, row.size, width_);
        block.weights = row.values;
        const auto energy = record.stage("energy");
        const Index place = (row.head * plan_.queries + row.query) * plan_.keys * plan_.attention_width;
        operands_.table().score_energy_block(block, row.size,
                                             energy.empty() ? nullptr : energy.data() + place);
    }
    void score(const ScoreRow<Real>& row, const Real* right, Activation activation,
               const Recorder& record) const {
        score(row, left(row.head).row(row.query), right, activation, record);
    }
    void score(const ScoreRow<Real>& row, Activation activation, const Recorder& record) const {
        score(row, right(row.head).data, activation, record);
    }

private:
    const Plan& plan_;
    Operands<Real>& operands_;
    Index width_;
    Real* weights_;
    MatrixView<Real> left_, right_;
};

/// Has `rows` weigh by v, and project both sides of a head before its rows are scored.
template <class Real>
void project_energy_rows(const Plan& plan, Pipeline<Real>& pipeline,
                         const std::shared_ptr<EnergyRows<Real>>& rows) {
    Operands<Real>& operands = pipeline.operands;
    std::copy_n(operands.vector("v"), plan.attention_width, rows->weights());
    pipeline.prepare.push_back(
        [rows, for_query = operands.matrix("W_1"), for_key = operands.matrix("W_2"),
         bias = operands.vector("b", plan.spec.score.bias)](Index head, const Recorder&) {
            rows->project(head, for_query, bias, for_key);
        });
}

inline StepMemory energy_rows_memory(const Plan& plan, const RunNeeds& needs) {
    const double width = elements(kernels::packed_size<double>(1, plan.attention_width));
    return {.kept = width * elements(plan.heads, plan.queries + plan.keys) * needs.real};
}

}  // namespace headlight
