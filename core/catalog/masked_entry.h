#pragma once

#include "core/catalog/knob.h"

namespace headlight {

// What the entries of masks and selections have in common.

/// softmax(Q K^T / sqrt(d_k) + M) V, with M_ij = 0 where `allowed` (TeX) and minus infinity elsewhere.
std::string masked_formula(const std::string& allowed);

/// `pairs` says what the allowed pairs cost; the rest is what the program does and what it counts: run_cost()
/// knows the pairs of the mask alone.
std::string masked_cost(const std::string& pairs);

/// How many tokens at the beginning are global: for a mask that is an `any` with the pattern `global` in it.
Knob global_tokens_knob();

}  // namespace headlight
