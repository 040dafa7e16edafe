#pragma once

#include "core/model/prompt.h"

#include <span>

namespace headlight {

/// Throws Error naming the first intervention that no step behind the prompt can carry out: its site is none
/// of the decoder's (an encoder has read before anybody can change anything), or it is about a head, a step
/// or a key that is not there. A step that the text may or may not reach is no error.
void require_possible_interventions(const TaskModel& model, const Prompt& prompt,
                                    std::span<const Intervention> interventions);

}  // namespace headlight
