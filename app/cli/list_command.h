#pragma once

#include <string>
#include <vector>

namespace headlight {

/// `headlight list [--json]`: mechanisms and their knobs, the spec's words, parameters, stages, colour maps.
int list_command(const std::vector<std::string>& arguments);

}  // namespace headlight
