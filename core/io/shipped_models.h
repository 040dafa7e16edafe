#pragma once

#include "core/model/trained_model.h"

#include <span>
#include <string>
#include <string_view>

namespace headlight {

/// The files of a folder of resources/models (model_folder.h), inside the program.
struct ShippedFiles {
    std::string_view name;  ///< of the folder: "dates-additive-gru"
    std::string_view config;
    std::string_view weights;
    std::string_view tokenizer;
    std::string_view target_tokenizer;  ///< empty where one vocabulary serves both sides
};

/// By name; written by CMake from what is in resources/models.
std::span<const ShippedFiles> shipped_files();

/// A trained model inside the program, with what people are told of it. None of its files need be read for
/// that: the window lists all models when it starts.
struct ShippedModel : ShippedFiles {
    std::string_view title;  ///< model_title() of its settings
    /// What to look for in its maps, in place of what its task says; empty where that is true of it. Two
    /// models of a task may go about it in different ways.
    std::string_view in_any;
    std::string_view in_shown;  ///< and of words of the example that people are shown
    bool sees = false;          ///< its sources are pictures
};

/// In the order in which people choose one: first those that read words, which need no explanation; then by
/// task, in the order of tasks; those of a task that read a token at a time before Transformers, whose
/// picture is harder; then by their titles.
std::span<const ShippedModel> shipped_models();

/// nullptr where no model inside the program is called so.
const ShippedModel* find_shipped_model(std::string_view name);

TrainedModel read_shipped_model(const ShippedModel& model);

/// The model of a folder, or the one of that name inside the program. Throws Error naming those when it is
/// neither.
TrainedModel open_model(const std::string& name_or_folder);

/// Neither one that comes with the program, nor a folder that is there.
bool is_missing(const std::string& name_or_folder);

/// What it is opened by from anywhere, as a session has it: a name as it is, a folder by its whole path.
std::string whole_name(const std::string& name_or_folder);

}  // namespace headlight
