#pragma once

#include "tests/reference/masks.h"
#include "tests/reference/matrix.h"

namespace headlight::reference {

// `scores` are those of heads that drop the same keys, by the mean of what they give: of one, or of all.

/// Keys come into a cache with the first query that sees them. When a query has looked at those that are
/// left, by a softmax of its scores, the cache is brought back to `budget` keys: the newest `recent` stay,
/// and then those that got most, from all queries so far where it `accumulates` (Zhang et al. 2023, algorithm
/// 1), from this one otherwise (Oren et al. 2024).
struct Eviction {
    std::size_t budget = 1, recent = 0;
    bool accumulates = true;
    Number temperature = 1;
};
Allowed left_in_cache(const std::vector<Matrix>& scores, const Allowed& allowed, const Eviction& eviction);

/// All queries from `prompt` on see of its keys the last `window`, and of those before as many as make
/// `budget` with them: those that the queries of the window gave most, in the mean of `pooling` neighbours
/// (Li et al. 2024).
struct PromptEviction {
    std::size_t budget = 1, window = 1, prompt = 1, pooling = 1;
    Number temperature = 1;
};
Allowed left_of_prompt(const std::vector<Matrix>& scores, const Allowed& allowed,
                       const PromptEviction& eviction);

}  // namespace headlight::reference
