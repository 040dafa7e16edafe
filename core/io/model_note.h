#pragma once

#include "core/model/transcript.h"

#include <string>

namespace headlight {

/// What to look for in the maps of a model that has said this: of a model inside the program what it is known
/// to do, of any other what its task asks for, or, where it reads source and answer as one text, how that is
/// read. What is said of particular words holds for the example that people are shown first alone, and is
/// left out of any other text, of another answer, and while anything inside the model is changed. `model`:
/// its name or folder, as a session has it.
std::string what_to_look_for(const std::string& model, const Transcript& transcript);

}  // namespace headlight
