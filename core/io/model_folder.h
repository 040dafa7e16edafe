#pragma once

#include "core/io/safetensors.h"
#include "core/model/trained_model.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

// A trained model as a folder in the manner of Hugging Face:
// - config.json: "headlight-model/1", the settings (model_json.h), how far training went, and how good it is
// - model.safetensors: a matrix for each weight of the layout, by its name
// - tokenizer.json: the words of what the model reads
// - target_tokenizer.json: the words of what it says, where these are others

inline constexpr const char* model_format = "headlight-model/1";

/// The files by what they hold; `target_tokenizer` is empty where one vocabulary serves both sides.
struct ModelFiles {
    std::string config;
    std::string weights;
    std::string tokenizer;
    std::string target_tokenizer;
    bool operator==(const ModelFiles&) const = default;
};

/// The same model gives the same bytes. `type` f16 keeps half of each number's digits: with_half_weights()
/// makes a model that loses nothing by it.
ModelFiles write_model(const TrainedModel& model, StoredType type = StoredType::f32);
/// Throws Error, with the file's name, for anything that is not a model: what a file claims is checked before
/// memory is taken for it, and the weights must be those of the layout, every number finite.
TrainedModel parse_model(std::string_view config, std::string_view weights, std::string_view tokenizer,
                         std::string_view target_tokenizer);

/// Every weight rounded to a 16-bit float.
TrainedModel with_half_weights(TrainedModel model);

/// Where training keeps what it resumes from, in the folder that the model will have (checkpoint_file.h).
inline constexpr const char* checkpoint_name = "checkpoint.safetensors";

/// Throws Error unless write_model_folder() would not lose anybody's files there.
void require_model_place(const std::filesystem::path& folder);
/// Writes a folder beside it, then lets it take the place of an older model, its checkpoint included.
void write_model_folder(const TrainedModel& model, const std::filesystem::path& folder,
                        StoredType type = StoredType::f32);
TrainedModel read_model_folder(const std::filesystem::path& folder);

}  // namespace headlight
