#pragma once

#include "core/attention/component.h"
#include "core/attention/pipeline.h"
#include "core/kernels/arithmetic.h"

namespace headlight {

/// The compared keys with a row for each feature instead of each token: a loop over the keys of a row then
/// runs in vectors, and still adds the features of every pair in the same order.
template <class Real>
class KeyColumns {
public:
    KeyColumns(const Plan& plan, Operands<Real>& operands)
        : plan_(plan), operands_(operands),
          columns_(operands.allocate(plan.kv_heads * plan.head_key_width(), plan.keys)) {}

    /// To be called for every head before its rows. The first of the heads that share keys does it.
    void fill(Index head) {
        if (head % (plan_.heads / plan_.kv_heads) != 0)
            return;
        const Index kv_head = plan_.kv_head(head);
        const MatrixView<const Real> keys = operands_.compared_key(kv_head);
        const MatrixView<Real> columns = columns_.row_range(kv_head * keys.columns, keys.columns);
        for (Index key = 0; key < keys.rows; ++key)
            for (Index c = 0; c < keys.columns; ++c)
                columns.row(c)[key] = keys.row(key)[c];
    }

    /// [d, m]
    MatrixView<const Real> features(Index head) const {
        return columns_.row_range(plan_.kv_head(head) * plan_.head_key_width(), plan_.head_key_width());
    }
    /// [d]
    const Real* query(Index head, Index query) const { return operands_.compared_query(head).row(query); }

private:
    const Plan& plan_;
    Operands<Real>& operands_;
    MatrixView<Real> columns_;  ///< [g d, m]
};

inline StepMemory key_columns_memory(const Plan& plan, const RunNeeds& needs) {
    return {.kept = elements(plan.keys, plan.key_width) * needs.real};
}

/// Scores each row by -|q - k|^2.
template <class Real>
void score_by_distance(const Plan& plan, Pipeline<Real>& pipeline) {
    const auto keys = std::make_shared<KeyColumns<Real>>(plan, pipeline.operands);
    pipeline.prepare.push_back([keys](Index head, const Recorder&) { keys->fill(head); });
    pipeline.score = [keys, &by = kernels::chosen_arithmetic<Real>()](const ScoreRow<Real>& row,
                                                                      const Recorder&) {
        std::fill_n(row.values, row.size, Real(0));
        by.subtract_squared_distances(keys->query(row.head, row.query),
                                      keys->features(row.head).column_range(0, row.size), row.values);
    };
}

}  // namespace headlight
