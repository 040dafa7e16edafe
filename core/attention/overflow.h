#pragma once

#include "core/attention/plan.h"

namespace headlight {

/// Throws Error naming the first stage, and in it the first cell, that is not finite although everything that
/// was given is: a product or sum went beyond 1.8e308, or a component found no digits left to go by and wrote
/// NaN. Likewise the first score that has vanished, where the weights go by the order of the scores. `trace`
/// was recorded by a run of `plan`. Pairs that the mask forbids are not looked at. One pass over the numbers;
/// a run itself tests nothing.
void require_no_overflow(const Plan& plan, const Trace& trace);

}  // namespace headlight
