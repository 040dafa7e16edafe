#pragma once

#include <string>
#include <vector>

namespace headlight {

/// `headlight train`: a model learns a task and becomes a folder; what interrupts it leaves a checkpoint
/// there.
int train_command(const std::vector<std::string>& arguments);

}  // namespace headlight
