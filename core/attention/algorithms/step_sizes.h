#pragma once

#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {

// What mechanisms share that fade by a step of each token: a gate is exp(−Δ exp(A_log)), and
// Δ = softplus(y W_dt + b_dt) the step of the key's token y.

/// Δ [h, m, 1].
inline Expression step_sizes(Composer& composer) { return softplus_of(numbers_of_tokens(composer, "dt")); }

inline void add_step_names(std::vector<KnownParameter>& known) {
    append(known, {{"W_dt", "[d, h]", "projects the keys’ token vectors to a step for each head"},
                   {"b_dt", "[h]", "is added to the steps before their softplus"}});
}
inline void add_step_parameters(const Plan& plan, ParameterList& list) {
    list.add_with_bias("W_dt", {plan.tokens.key_width, plan.heads});
}

inline void add_rate_name(std::vector<KnownParameter>& known) {
    known.push_back({"A_log", "[h]", "logarithm of the rate at which each head forgets"});
}
inline void add_rate_parameter(const Plan& plan, ParameterList& list) {
    list.add("A_log", {plan.heads}, 0.0);
}

}  // namespace headlight
