#pragma once

#include "core/attention/component.h"
#include "core/attention/pipeline.h"

namespace headlight {

/// w_q . q_i and w_k . k_j of every head: the two numbers that a score without a product adds. `w` is [d_q +
/// d_k], the query's part first.
template <class Real>
class LinearParts {
public:
    LinearParts(const Plan& plan, Operands<Real>& operands)
        : plan_(plan), operands_(operands), queries_(operands.allocate(plan.heads * plan.queries)),
          keys_(operands.allocate(plan.heads * plan.keys)) {}

    /// To be called for every head before its rows.
    void fill(Index head) {
        const double* w = plan_.parameter("w").data();
        const auto bias = plan_.spec.score.bias ? plan_.parameter("b")[0] : 0.0;
        weigh(operands_.compared_query(head), w, bias, queries_ + head * plan_.queries);
        weigh(operands_.compared_key(plan_.kv_head(head)), w + plan_.head_query_width(), 0,
              keys_ + head * plan_.keys);
    }

    Real of_query(const ScoreRow<Real>& row) const { return queries_[row.head * plan_.queries + row.query]; }
    const Real* of_keys(const ScoreRow<Real>& row) const { return keys_ + row.head * plan_.keys; }  ///< [m]

private:
    static void weigh(MatrixView<const Real> from, const double* w, double bias, Real* to) {
        for (Index token = 0; token < from.rows; ++token) {
            double sum = bias;
            for (Index c = 0; c < from.columns; ++c)
                sum += static_cast<double>(from.row(token)[c]) * w[c];
            to[token] = static_cast<Real>(sum);
        }
    }

    const Plan& plan_;
    Operands<Real>& operands_;
    Real* queries_;
    Real* keys_;
};

/// What linear and graph multiply a query and a key by.
inline KnownParameter pair_weights_name() {
    return {"w", "[d_q + d_k] per head", "weighs the features of a query, then of a key"};
}
inline KnownParameter score_bias_name() { return {"b", "one number", "is added to every score"}; }

/// Adds the parameters w [width] and, when the spec says so, b.
inline void add_linear_parameters(const Plan& plan, ParameterList& list, Index width) {
    list.add("w", {width});
    if (plan.spec.score.bias)
        list.add("b", {1});
}

}  // namespace headlight
