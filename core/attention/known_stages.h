#pragma once

#include "core/attention/trace.h"

#include <vector>

namespace headlight {

/// Every stage that a mechanism on its own can record, in the order of the formula, with the axes that it has
/// when there are several heads. Laid out by the engine for a spec that has them all, so that the list cannot
/// drift.
const std::vector<Stage>& known_stages();

}  // namespace headlight
