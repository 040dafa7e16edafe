#pragma once

#include "core/attention/refusals.h"
#include "core/tensor/error.h"

namespace headlight {

/// Refuses scores other than products of queries and keys of one width: the product itself is what such a
/// position makes in another way.
inline void require_products_of_one_width(const Plan& plan, const std::string& position) {
    const ScoreType score = plan.spec.score.type;
    if (score != ScoreType::dot && score != ScoreType::scaled_dot)
        throw Error(
            {position, "score", "dot or scaled_dot: the product itself is what changes", "another score"});
    require_keys_of_query_width(plan, position);
}

}  // namespace headlight
