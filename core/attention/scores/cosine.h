#pragma once

#include "core/attention/component.h"
#include "core/attention/pipeline.h"
#include "core/attention/selected_keys.h"
#include "core/attention/vector_length.h"

namespace headlight {

/// The directions that compare_directions() makes.
inline StepMemory directions_memory(const Plan& plan, const RunNeeds& needs) {
    return {.kept = (elements(plan.queries, plan.query_width) + elements(plan.keys, plan.key_width)) *
                    needs.real};
}

/// Makes q . k the cosine of q and k: the product of their directions, which no length can make overflow or
/// vanish. 0 for a vector of zeros.
template <class Real>
void compare_directions(const Plan& plan, Pipeline<Real>& pipeline) {
    Operands<Real>& operands = pipeline.operands;
    operands.own_product_vectors();
    pipeline.before_product.push_back([&plan, &operands](Index head, const Recorder&) {
        const auto fill = [](MatrixView<const Real> from, MatrixView<Real> to) {
            for (Index token = 0; token < from.rows; ++token)
                write_direction(from.row(token), from.columns, to.row(token));
        };
        const Index width = plan.head_key_width(), kv_head = plan.kv_head(head);
        fill(operands.compared_query(head), operands.product_query().column_range(head * width, width));
        if (is_first_of_its_keys(plan, head))
            fill(operands.compared_key(kv_head), operands.product_key().column_range(kv_head * width, width));
    });
}

}  // namespace headlight
