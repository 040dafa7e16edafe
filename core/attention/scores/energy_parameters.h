#pragma once

#include "core/attention/component.h"

namespace headlight {

/// W_1, W_2, b when the spec says so, and v: those of an additive score, with the plan's attention width.
inline void add_energy_parameters(const Plan& plan, ParameterList& list) {
    const Index d_a = plan.attention_width;
    list.add("W_1", {plan.head_query_width(), d_a});
    list.add("W_2", {plan.head_key_width(), d_a});
    if (plan.spec.score.bias)
        list.add("b", {d_a});
    list.add("v", {d_a});
}

inline Index given_attention_width(const Plan& plan) { return plan.attention_width; }

}  // namespace headlight
