#pragma once

#include <string>

namespace headlight {

/// docs/components.md: every component of the spec as its file declares it.
std::string components_markdown();

}  // namespace headlight
