#pragma once

#include "core/model/training.h"

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

/// A training run that was interrupted.
struct Checkpoint {
    TrainingSettings settings;
    TrainingState state;
};

/// One safetensors file: weights and moments as float vectors, settings and steps in the metadata.
std::string write_checkpoint(const Checkpoint& checkpoint);
/// Throws Error for anything else, and for another number of weights than the settings' model has.
Checkpoint parse_checkpoint(std::string_view bytes);

/// The first setting in which two runs differ, as {"/training/seed", "1", "2"}: then one cannot go on from
/// the other's checkpoint.
struct SettingsDifference {
    std::string where;
    std::string here;
    std::string there;
};
std::optional<SettingsDifference> difference(const TrainingSettings& here, const TrainingSettings& there);

}  // namespace headlight
