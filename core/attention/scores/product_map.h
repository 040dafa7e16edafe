#pragma once

#include "core/attention/component.h"
#include "core/attention/pipeline.h"
#include "core/kernels/multiply_in_parts.h"

namespace headlight {

/// q . k / sqrt(d) of all pairs of every head, for scores that look at other rows than their own.
template <class Real>
class ProductMap {
public:
    ProductMap(const Plan& plan, Operands<Real>& operands)
        : plan_(plan), operands_(operands), map_(operands.allocate(plan.heads * plan.queries * plan.keys)),
          packed_(operands.allocate(plan.heads * packed_size())) {}

    /// To be called for every head before its rows.
    void fill(Index head) {
        const MatrixView<const Real> queries = operands_.compared_query(head);
        const MatrixView<const Real> keys = operands_.compared_key(plan_.kv_head(head));
        const auto packed = operands_.table().pack(keys.transposed(), packed_ + head * packed_size());
        multiply_in_parts(
            operands_.table(),
            {.left = queries, .right = packed, .out = row_major(row(head, 0), plan_.queries, plan_.keys)});
        const Real scale = static_cast<Real>(1 / std::sqrt(static_cast<double>(keys.columns)));
        for (Index cell = 0; cell < plan_.queries * plan_.keys; ++cell)
            row(head, 0)[cell] *= scale;
    }

    Real* row(Index head, Index query) { return map_ + (head * plan_.queries + query) * plan_.keys; }

private:
    Index packed_size() const { return kernels::packed_size<Real>(plan_.head_key_width(), plan_.keys); }

    const Plan& plan_;
    Operands<Real>& operands_;
    Real* map_;     ///< [h, n, m]
    Real* packed_;  ///< [h]
};

inline StepMemory product_map_memory(const Plan& plan, const RunNeeds& needs) {
    const double keys = elements(plan.keys + kernels::padding<float>, plan.head_key_width());
    return {.kept = elements(plan.heads) * (elements(plan.queries, plan.keys) + keys) * needs.real};
}

}  // namespace headlight
