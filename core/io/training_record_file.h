#pragma once

#include "core/model/watched_training.h"

#include <string>
#include <string_view>

namespace headlight {

/// What the metadata of such a file calls its format.
inline constexpr const char* training_record_format = "headlight-training-record/1";
/// What such a file is called in a folder.
inline constexpr const char* training_record_name = "record.safetensors";

/// What was seen of a training run, as one safetensors file: the curves and the texts as JSON in the
/// metadata, the film as a tensor [head, row, column] for each frame and site, in 16-bit floats, and one of
/// what the mask forbids where that changes. Nothing that training goes on from.
std::string write_training_record(const TrainingRecord& record);
/// Throws Error for anything else.
TrainingRecord parse_training_record(std::string_view bytes);

}  // namespace headlight
