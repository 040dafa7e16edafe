#pragma once

#include "core/attention/plan.h"

namespace headlight {

/// Sinusoidal position term (Vaswani et al. 2017, section 3.5), sine and cosine interleaved:
/// PE(p, 2i) = sin(p / 10000^(2i / width)), PE(p, 2i + 1) = cos of the same angle. [tokens, width]
Tensor sinusoidal_positions(Index tokens, Index width);

/// Whether the spec's position is added to the token vectors before projection.
bool adds_to_tokens(const AttentionSpec& spec);
/// ... and follows from the token vectors, so that the run alone knows it.
bool term_is_of_tokens(const AttentionSpec& spec);
/// ... so that values that are given apart, which are no such tokens, stay as they are.
bool values_are_unplaced(const Plan& plan);
/// What is added otherwise, [tokens, width].
Tensor token_term(const Plan& plan, Index tokens, Index width);

}  // namespace headlight
