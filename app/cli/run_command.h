#pragma once

#include <string>
#include <vector>

namespace headlight {

/// `headlight run`: a mechanism or a spec on text or on matrices, every stage written to a file.
int run_command(const std::vector<std::string>& arguments);

}  // namespace headlight
