#pragma once

#include "core/attention/plan.h"
#include "core/attention/trace.h"

#include <string>

namespace headlight {

/// "Nothing is left out of these 3 tokens: a longer text shows what would be": of a selection or a window
/// that is no narrower than the text, so that the picture is that of attention without it. Empty where
/// something is left out, where nothing could be, and of a text that is too long for anybody to wonder.
std::string nothing_left_out_note(const Plan& plan, const Trace& trace);

}  // namespace headlight
