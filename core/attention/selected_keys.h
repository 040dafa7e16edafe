#pragma once

#include "core/attention/pipeline.h"
#include "core/tensor/dot.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

// What selections share: one head's vectors, the keys that count, and the choice of the largest.

namespace headlight {

/// The mask lets the query see the key; with a finite mask value it forbids nothing.
inline bool counts(const Plan& plan, Index query, Index key) {
    return plan.spec.mask_value || plan.allowed.allowed(query, key);
}

/// [key], 1 = some query sees it. The others are padding: no summary of keys may include them.
inline std::vector<std::uint8_t> real_keys(const Plan& plan) {
    if (plan.spec.mask_value)
        return std::vector<std::uint8_t>(static_cast<std::size_t>(plan.keys), 1);
    return plan.allowed.used_keys();
}

/// [query], 1 = it is no padding: those of one sequence are padded where its keys are.
inline std::vector<std::uint8_t> mask_of_real_queries(const Plan& plan) {
    if (plan.spec.source.type == SourceType::self)
        return real_keys(plan);
    return std::vector<std::uint8_t>(static_cast<std::size_t>(plan.queries), 1);
}

/// Heads that share their keys share what is worked out from them; the first of them does it.
inline bool is_first_of_its_keys(const Plan& plan, Index head) {
    return head % (plan.heads / plan.kv_heads) == 0;
}

/// Throws Error for a selection that compares queries and keys when they have different widths.
inline void require_one_width(const Plan& plan, const std::string& selection) {
    if (plan.head_query_width() != plan.head_key_width())
        throw Error({selection + " selection", "selection",
                     "queries and keys of one width, for it compares them",
                     std::to_string(plan.head_query_width()) + " and " +
                         std::to_string(plan.head_key_width()) + " numbers"});
}

/// Sets chosen[i] = 1 for the `kept` largest numbers and 0 for the rest; of equal ones the lowest index, and
/// never one that is -infinity.
inline void keep_largest(std::span<const double> numbers, Index kept, std::span<std::uint8_t> chosen) {
    thread_local std::vector<std::uint32_t> order;
    order.clear();
    std::ranges::fill(chosen, std::uint8_t(0));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] > -std::numeric_limits<double>::infinity())
            order.push_back(static_cast<std::uint32_t>(i));
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        return numbers[a] != numbers[b] ? numbers[a] > numbers[b] : a < b;
    };
    if (kept < std::ssize(order)) {
        std::ranges::nth_element(order, order.begin() + kept, before);
        order.resize(static_cast<std::size_t>(kept));
    }
    for (const std::uint32_t i : order)
        chosen[i] = 1;
}

/// Makes the keys that are not chosen -infinity.
template <class Real>
void forbid_others(const ScoreRow<Real>& row, std::span<const std::uint8_t> chosen) {
    for (Index key = 0; key < row.size; ++key)
        if (!chosen[static_cast<std::size_t>(key)])
            row.values[key] = -std::numeric_limits<Real>::infinity();
}

}  // namespace headlight
