#pragma once

#include "core/attention/scores/energy_rows.h"

namespace headlight {

/// Scores by v . act(factor (q + k)), feature by feature without any matrix; v is 1 when null.
template <class Real>
void score_sums(const Plan& plan, Pipeline<Real>& pipeline, Real factor, const Real* v) {
    const auto rows = std::make_shared<EnergyRows<Real>>(plan, pipeline.operands);
    const Index width = plan.attention_width;
    for (Index c = 0; c < width; ++c)
        rows->weights()[c] = v ? v[c] : Real(1);
    pipeline.prepare.push_back([rows, factor, width](Index head, const Recorder&) {
        const auto copy = [&](MatrixView<const Real> from, MatrixView<Real> to) {
            for (Index token = 0; token < from.rows; ++token)
                for (Index c = 0; c < width; ++c)
                    to.row(token)[c] = factor * from.row(token)[c];
        };
        copy(rows->query(head), rows->left(head));
        copy(rows->key(head), rows->right(head));
    });
    const Activation activation = plan.spec.score.activation;
    pipeline.score = [rows, activation](const ScoreRow<Real>& row, const Recorder& record) {
        rows->score(row, activation, record);
    };
}

}  // namespace headlight
