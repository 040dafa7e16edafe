#pragma once

#include "core/io/session.h"

namespace headlight {

/// A session whose mechanism, knobs and settings build exactly `spec`; everything else in it has its default.
/// `preferred` is tried first, then the mechanism that needs the fewest turns. Nothing when no mechanism can
/// build it: the catalogue has no knob for a matrix mask, say.
std::optional<Session> session_for_spec(const AttentionSpec& spec, const std::string& preferred = {});

}  // namespace headlight
