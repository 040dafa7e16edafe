#pragma once

#include "app/cli/spec_path.h"
#include "core/catalog/mechanism.h"

#include <vector>

namespace headlight {

/// Throws UsageError for a parameter of the mechanism that the spec shows nothing of, since the `fields` that
/// were set beside it, or another parameter, make it read none of those that it changes or stand in their
/// place.
void refuse_unread_parameters(const Mechanism& mechanism, const ParameterValues& values,
                              const std::vector<Assignment>& fields, const AttentionSpec& spec);

}  // namespace headlight
