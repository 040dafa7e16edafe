#pragma once

#include "core/attention/component.h"
#include "core/attention/pipeline.h"
#include "core/attention/selected_keys.h"
#include "core/attention/vector_length.h"

#include <algorithm>

namespace headlight {

/// The directions that compare_directions() makes.
inline StepMemory directions_memory(const Plan& plan, const RunNeeds& needs) {
    return {.kept = (elements(plan.queries, plan.query_width) + elements(plan.keys, plan.key_width)) *
                    needs.real};
}

/// The vectors whose directions are compared.
struct ComparedDirections {
    Index groups = 1;            ///< of features, each of which has a direction of its own
    bool keeps_queries = false;  ///< they keep their length
};

/// Makes q . k the cosine of q and k: the product of their directions, which no length can make overflow or
/// vanish. 0 for a vector of zeros. Of groups of features: the sum of their cosines.
template <class Real>
void compare_directions(const Plan& plan, Pipeline<Real>& pipeline, ComparedDirections compared = {}) {
    Operands<Real>& operands = pipeline.operands;
    operands.own_product_vectors();
    pipeline.before_product.push_back([&plan, &operands, compared](Index head, const Recorder&) {
        const auto fill = [&](MatrixView<const Real> from, MatrixView<Real> to, bool is_kept) {
            const Index size = from.columns / compared.groups;
            for (Index token = 0; token < from.rows; ++token)
                for (Index first = 0; first < from.columns; first += size)
                    if (is_kept)
                        std::copy_n(from.row(token) + first, size, to.row(token) + first);
                    else
                        write_direction(from.row(token) + first, size, to.row(token) + first);
        };
        const Index width = plan.head_key_width(), kv_head = plan.kv_head(head);
        fill(operands.compared_query(head), operands.product_query().column_range(head * width, width),
             compared.keeps_queries);
        if (is_first_of_its_keys(plan, head))
            fill(operands.compared_key(kv_head), operands.product_key().column_range(kv_head * width, width),
                 false);
    });
}

}  // namespace headlight
