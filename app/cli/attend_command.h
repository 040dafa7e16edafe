#pragma once

#include <string>
#include <vector>

namespace headlight {

/// `headlight attend`: a trained model answers a text, every stage of every place that attends written to a
/// file.
int attend_command(const std::vector<std::string>& arguments);

}  // namespace headlight
