#pragma once

#include "core/attention/trace.h"

namespace headlight {

/// Throws Error, with the JSON pointer, where a trace contradicts itself: labels that do not count the
/// queries and keys of the stages, self attention with other keys than the queries that name them, heads that
/// cannot share those of another stage evenly.
void require_extents_that_fit(const Trace& trace);

/// Throws Error, with the JSON pointer, for a number that cannot be: a weight that is not finite, or not from
/// 0 to 1 where the spec gives such (weights_are_shares()), and none that is a probability in a stage of
/// probabilities of words (core/model/generation_trace.h). Rows may sum to less than 1: a person can take
/// weights away from a model.
void require_numbers_that_can_be(const Trace& trace);

}  // namespace headlight
