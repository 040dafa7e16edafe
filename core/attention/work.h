#pragma once

#include "core/attention/plan.h"

#include <initializer_list>

namespace headlight {

// Multiply-adds, counted from extents: what the products of a formula take when each is computed once.

/// Returns the multiply-adds of a product of matrices with these extents: {n, d, d_a} for [n, d] [d, d_a].
inline double work(std::initializer_list<Index> extents) {
    double result = 1;
    for (const Index extent : extents)
        result *= static_cast<double>(extent);
    return result;
}

/// Returns the work of `each` for every pair that the mask allows, all heads together.
inline double work_of_pairs(const Plan& plan, Index each) {
    return work({plan.allowed.count(), plan.heads, each});
}

/// Returns the work of `each` for every query and key of every head.
inline double work_of_tokens(const Plan& plan, Index each) {
    return work({plan.heads * plan.queries + plan.kv_heads * plan.keys, each});
}

/// Returns the work of v . act(q W_1 + k W_2): both sides once for each token, and v for each pair.
inline double work_of_energies(const Plan& plan) {
    const Index d_a = plan.attention_width;
    return work({plan.heads, plan.queries, plan.head_query_width(), d_a}) +
           work({plan.kv_heads, plan.keys, plan.head_key_width(), d_a}) + work_of_pairs(plan, d_a);
}

}  // namespace headlight
