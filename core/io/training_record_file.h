#pragma once

#include "core/model/watched_training.h"

#include <string>
#include <string_view>

namespace headlight {

/// What was seen of a training run, as one safetensors file: the curves and the texts as JSON in the
/// metadata, the film as a tensor [head, row, column] for each frame and site, in 16-bit floats. Nothing that
/// training goes on from.
std::string write_training_record(const TrainingRecord& record);
/// Throws Error for anything else.
TrainingRecord parse_training_record(std::string_view bytes);

}  // namespace headlight
