#pragma once

#include "core/model/trained_model.h"

#include <span>
#include <string>
#include <string_view>

namespace headlight {

/// A trained model inside the program: the files of a folder of resources/models (model_folder.h).
struct ShippedModel {
    std::string_view name;  ///< of the folder: "dates-additive-gru"
    std::string_view config;
    std::string_view weights;
    std::string_view tokenizer;
    std::string_view target_tokenizer;  ///< empty where one vocabulary serves both sides
};

/// By name; written by CMake from what is in resources/models.
std::span<const ShippedModel> shipped_models();

TrainedModel read_shipped_model(const ShippedModel& model);

/// The model of a folder, or the one of that name inside the program. Throws Error naming those when it is
/// neither.
TrainedModel open_model(const std::string& name_or_folder);

/// Neither one that comes with the program, nor a folder that is there.
bool is_missing(const std::string& name_or_folder);

/// What it is opened by from anywhere, as a session has it: a name as it is, a folder by its whole path.
std::string whole_name(const std::string& name_or_folder);

}  // namespace headlight
