#pragma once

#include "core/model/training.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>

namespace headlight {

// The settings of a model and of its training as JSON: what config.json of a model folder and a checkpoint
// have of them. Every field is written; on reading, one that is absent has its default, and one that this
// version does not know is refused: it would decide what the model computes. At the top alone, where other
// programs have fields of theirs, such are passed over. Numbers are checked before anything is made from
// them.

/// What a refusal of such a document, or of the files beside it, says was done.
inline constexpr const char* model_document = "read model";

/// A model with more numbers than this is none that was trained here.
inline constexpr Index most_weights = Index(1) << 26;

/// A training of more steps is none that was run here: a slider counts them in int.
inline constexpr Index most_steps = 1'000'000'000;

/// What came of a training stands beside its settings, in "training" (model_folder.h).
inline constexpr const char* training_record_fields[] = {"steps_done", "held_out_examples", "exact_match"};

/// {"task", "architecture": "recurrent" or "transformer", "configuration": {...}, "training": {...}}
nlohmann::json to_json(const TrainingSettings& settings);
/// Throws Error with the JSON pointer.
TrainingSettings training_settings_from_json(const nlohmann::json& document);

/// Makes the model of the settings, with the task's words or with others. Throws Error for one that there
/// cannot be, or that has more than most_weights.
std::shared_ptr<const TaskModel> model_of(const TrainingSettings& settings);
std::shared_ptr<const TaskModel> model_of(const TrainingSettings& settings, Vocabulary source,
                                          Vocabulary target);

}  // namespace headlight
