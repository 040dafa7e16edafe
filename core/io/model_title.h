#pragma once

#include "core/model/training.h"

#include <span>
#include <string>

namespace headlight {

/// What people call a model of these settings: its task, and what attends in it. "English to French, additive
/// attention (Bahdanau)".
std::string model_title(const TrainingSettings& settings);

/// What people call the model that a session names: of one that comes with the program what it does, of a
/// folder its name, which a person has chosen.
std::string model_title(const std::string& name_or_folder);

/// A model inside the program, as people choose it.
struct ListedModel {
    std::string name;   ///< by which open_model() has it
    std::string title;  ///< model_title() of it
    bool sees = false;  ///< its sources are pictures
};

/// The models inside the program in the order in which people choose one: first those that read words, which
/// need no explanation; then by task, in the order of tasks; those of a task by their titles.
std::span<const ListedModel> listed_models();

}  // namespace headlight
