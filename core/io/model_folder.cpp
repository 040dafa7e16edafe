#include "core/io/model_folder.h"

#include "core/attention/json_object.h"
#include "core/io/files.h"
#include "core/io/folders.h"
#include "core/io/foreign_file.h"
#include "core/io/json_text.h"
#include "core/io/model_json.h"
#include "core/io/safetensors_view.h"
#include "core/io/stored_types.h"
#include "core/io/tokenizer_file.h"
#include "core/io/training_record_file.h"
#include "core/tensor/error.h"

#include <array>
#include <cmath>

namespace headlight {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* config_name = "config.json";
constexpr const char* weights_name = "model.safetensors";
constexpr const char* tokenizer_name = "tokenizer.json";
constexpr const char* target_tokenizer_name = "target_tokenizer.json";
constexpr std::size_t longest_document = std::size_t(16) << 20;

/// What such a folder may have; a model takes the place of all of it.
const std::array<std::string, 6> file_names{config_name,           weights_name,    tokenizer_name,
                                            target_tokenizer_name, checkpoint_name, training_record_name};

json config_of(const TrainedModel& model) {
    json config = to_json(model.settings);
    config["format"] = model_format;
    config["training"]["steps_done"] = model.steps;
    config["training"]["held_out_examples"] = model.exact_match.examples;
    config["training"]["exact_match"] = model.exact_match.share;
    return config;
}

/// What config.json says beside the settings.
void read_record(const json& config, TrainedModel& model) {
    JsonObject object(config, model_document);
    JsonObject training = object.object("training");
    model.steps = training.integer("steps_done", 0, 0, model.settings.steps);
    model.exact_match.examples = training.integer("held_out_examples", 0, 0, 1'000'000'000);
    model.exact_match.share = training.number("exact_match", 0);
    if (!(model.exact_match.share >= 0 && model.exact_match.share <= 1))
        training.refuse("exact_match", "a number from 0 to 1", describe(*training.find("exact_match")));
}

JsonDocument parsed_config(std::string_view text) {
    JsonDocument config = parse_json(text);
    JsonObject object(*config, model_document);
    const std::string format = object.text("format", {});
    if (format != model_format)
        object.refuse("format", '"' + std::string(model_format) + '"',
                      format.empty() ? "none" : '"' + excerpt(format) + '"');
    return config;
}

/// Tensors that fill the layout, no more and no less.
std::vector<float> weights_from(const nn::ParameterLayout& layout, std::string_view bytes) {
    const auto refuse = [](const std::string& name, const std::string& expected, const std::string& got) {
        throw Error({model_document, "tensor \"" + excerpt(name) + '"', expected, got});
    };
    // Eight bytes are the widest number there is.
    constexpr std::size_t header = std::size_t(1) << 24;
    if (const std::size_t most = header + 8 * static_cast<std::size_t>(layout.size()); bytes.size() > most)
        throw Error(
            {model_document, "",
             "at most " + std::to_string(most) + " bytes for " + std::to_string(layout.size()) + " weights",
             std::to_string(bytes.size())});
    const SafetensorsView file(bytes);
    std::vector<float> weights(static_cast<std::size_t>(layout.size()));
    for (const nn::ParameterLayout::Entry& entry : layout.entries()) {
        const Shape shape{entry.weight.rows, entry.weight.columns};
        const auto* stored = file.find(entry.name);
        if (!stored || stored->shape != shape)
            refuse(entry.name, to_string(shape), stored ? to_string(stored->shape) : "none");
        const Tensor tensor = file.tensor(*stored);
        float* to = weights.data() + entry.weight.offset;
        for (const double value : tensor.values()) {
            *to = static_cast<float>(value);
            if (!std::isfinite(*to++))
                refuse(entry.name, "numbers that fit a float", json(value).dump());
        }
    }
    for (const auto& [name, stored] : file.entries())
        if (std::ranges::find(layout.entries(), name, &nn::ParameterLayout::Entry::name) ==
            layout.entries().end())
            refuse(name, "no weight beyond those of the configuration", to_string(stored.shape));
    return weights;
}

/// Throws Error for a file in a folder that may not be looked into, which is neither there nor absent.
bool is_there(const fs::path& file) {
    std::error_code error;
    const bool is_there = fs::exists(file, error);
    if (error)
        throw Error(
            {model_document, file.parent_path().string(), "a folder that can be read", error.message()});
    return is_there;
}

}  // namespace

ModelFiles write_model(const TrainedModel& model, StoredType type) {
    const TaskModel& words = *model.model;
    SafetensorsFile file;
    for (const nn::ParameterLayout::Entry& entry : words.host->layout().entries()) {
        const auto first = model.weights.begin() + entry.weight.offset;
        file.tensors.emplace(entry.name, Tensor({entry.weight.rows, entry.weight.columns},
                                                std::vector<double>(first, first + entry.weight.size())));
    }
    file.metadata = {{"format", "pt"}};  // what Hugging Face's loaders ask for
    ModelFiles files;
    files.config = write_json(config_of(model));
    files.weights = write_safetensors(file, type);
    if (words.has_one_vocabulary()) {
        files.tokenizer = write_tokenizer(words.target, words.task.target_writing);
    } else {
        files.tokenizer = write_tokenizer(words.source, words.task.source_writing);
        files.target_tokenizer = write_tokenizer(words.target, words.task.target_writing);
    }
    return files;
}

TrainedModel parse_model(std::string_view config, std::string_view weights, std::string_view tokenizer,
                         std::string_view target_tokenizer) {
    TrainedModel model;
    in_file(config_name, [&] {
        const JsonDocument document = parsed_config(config);
        model.settings = training_settings_from_json(*document);
        read_record(*document, model);
    });
    const Vocabulary read = in_file(tokenizer_name, [&] { return parse_tokenizer(tokenizer); });
    const Vocabulary said = target_tokenizer.empty() ? read : in_file(target_tokenizer_name, [&] {
        return parse_tokenizer(target_tokenizer);
    });
    model.model = in_file(config_name, [&] { return model_of(model.settings, read, said); });
    if (model.model->has_one_vocabulary() != target_tokenizer.empty())
        throw Error({model_document, target_tokenizer_name,
                     target_tokenizer.empty() ? "the words that the model says"
                                              : "no file: the model has one vocabulary",
                     target_tokenizer.empty() ? "none" : "one"});
    model.weights = in_file(weights_name, [&] { return weights_from(model.model->host->layout(), weights); });
    return model;
}

TrainedModel with_half_weights(TrainedModel model) {
    for (float& weight : model.weights)
        weight = static_cast<float>(rounded_to_half(static_cast<double>(weight)));
    return model;
}

void require_model_place(const fs::path& folder) { require_replaceable(folder, file_names); }

void write_model_folder(const TrainedModel& model, const fs::path& folder, StoredType type) {
    ModelFiles files = write_model(model, type);
    std::vector<FolderFile> written{{config_name, std::move(files.config)},
                                    {weights_name, std::move(files.weights)},
                                    {tokenizer_name, std::move(files.tokenizer)}};
    if (!files.target_tokenizer.empty())
        written.push_back({target_tokenizer_name, std::move(files.target_tokenizer)});
    write_folder_atomically(folder, written, file_names);
}

namespace {

const std::string expected_folder = "a folder that \"headlight train\" made";

/// Names the folder that was meant where a file in it was given.
[[noreturn]] void refuse_file(const fs::path& file) {
    const fs::path folder = fs::absolute(file).parent_path();
    throw Error(
        {model_document, file.string(), expected_folder,
         is_there(folder / config_name) ? "a file in it: the folder is " + folder.string() : "a file"});
}

TrainedModel read_own_folder(const fs::path& folder) {
    std::error_code ignored;
    if (fs::is_regular_file(folder, ignored))
        refuse_file(folder);
    const fs::path config = folder / config_name, target = folder / target_tokenizer_name;
    if (!is_there(config))
        throw Error({model_document, folder.string(), "a folder with " + std::string(config_name),
                     is_there(folder / checkpoint_name) ? "a training that has not come to its end"
                     : is_there(folder)                 ? "none in it"
                                                        : "no such folder"});
    const std::string config_text = read_file(config, longest_document);
    in_file(folder.string(), [&] { in_file(config_name, [&] { parsed_config(config_text); }); });
    const std::string weights = read_file(folder / weights_name);
    const std::string tokenizer = read_file(folder / tokenizer_name, longest_document);
    const std::string target_tokenizer = is_there(target) ? read_file(target, longest_document) : "";
    return in_file(folder.string(),
                   [&] { return parse_model(config_text, weights, tokenizer, target_tokenizer); });
}

}  // namespace

TrainedModel read_model_folder(const fs::path& folder) {
    return unless_foreign(
        model_document, folder, folder.string(), [&] { return read_own_folder(folder); }, Pictures::foreign,
        expected_folder);
}

}  // namespace headlight
