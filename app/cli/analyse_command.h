#pragma once

#include <string>
#include <vector>

namespace headlight {

/// `headlight analyse FILE`: a row a head, a column a statistic. Returns the exit status; throws Error.
int analyse_command(const std::vector<std::string>& arguments);

}  // namespace headlight
