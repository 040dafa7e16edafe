#pragma once

#include <string>

namespace headlight {

/// docs/coverage.md: what shows each number of the list of attentions, and what public catalogues have.
std::string coverage_markdown();

}  // namespace headlight
