#pragma once

#include "core/model/training.h"

#include <string>

namespace headlight {

/// What people call a model of these settings: its task, and what attends in it. "English to French, additive
/// attention (Bahdanau)".
std::string model_title(const TrainingSettings& settings);

/// What people call the model that a session names: of one that comes with the program what it does, of a
/// folder its name, which a person has chosen.
std::string model_title(const std::string& name_or_folder);

}  // namespace headlight
