#include "core/io/checkpoint_file.h"

#include "core/attention/json_object.h"
#include "core/io/json_text.h"
#include "core/io/model_json.h"
#include "core/io/safetensors.h"
#include "core/io/safetensors_view.h"
#include "core/tensor/error.h"

#include <cmath>

namespace headlight {

using nlohmann::json;

namespace {

constexpr const char* checkpoint_document = "read checkpoint";
constexpr const char* checkpoint_format = "headlight-checkpoint/1";

Tensor vector_of(std::span<const float> numbers) {
    return Tensor({std::ssize(numbers)}, std::vector<double>(numbers.begin(), numbers.end()));
}

std::vector<float> numbers_named(const SafetensorsView& file, const char* name, Index count) {
    const auto* found = file.find(name);
    const auto refuse = [&](const std::string& expected, const std::string& got) {
        throw Error({checkpoint_document, "tensor \"" + std::string(name) + '"', expected, got});
    };
    if (!found || found->shape != Shape{count})
        refuse(to_string(Shape{count}), found ? to_string(found->shape) : "none");
    const Tensor tensor = file.tensor(*found);
    std::vector<float> numbers;
    numbers.reserve(static_cast<std::size_t>(count));
    for (const double value : tensor.values()) {
        numbers.push_back(static_cast<float>(value));
        if (!std::isfinite(numbers.back()))
            refuse("numbers that fit a float", number_to_json(value).dump());
    }
    return numbers;
}

}  // namespace

std::string write_checkpoint(const Checkpoint& checkpoint) {
    const TrainingState& state = checkpoint.state;
    return write_safetensors({{{"weights", vector_of(state.weights)},
                               {"first_moment", vector_of(state.moments.first)},
                               {"second_moment", vector_of(state.moments.second)}},
                              {{"format", checkpoint_format},
                               {"settings", to_json(checkpoint.settings).dump()},
                               {"steps", std::to_string(state.steps)},
                               {"moment_steps", std::to_string(state.moments.steps)}}},
                             StoredType::f32);
}

Checkpoint parse_checkpoint(std::string_view bytes) {
    const SafetensorsView file(bytes);
    if (const std::string& format = file.metadata(checkpoint_document, "format"); format != checkpoint_format)
        throw Error({checkpoint_document, "metadata format", '"' + std::string(checkpoint_format) + '"',
                     '"' + excerpt(format) + '"'});
    Checkpoint checkpoint;
    checkpoint.settings = training_settings_from_json(
        *parse_json(file.metadata(checkpoint_document, "settings"), {.place = "metadata settings"}));
    const auto steps = [&](const char* name) {
        JsonDocument document(json::object());
        (*document)[name] = std::move(*parse_json(file.metadata(checkpoint_document, name),
                                                  {.place = "metadata " + std::string(name)}));
        return JsonObject(*document, checkpoint_document).integer(name, 0, 0, checkpoint.settings.steps);
    };
    checkpoint.state.steps = steps("steps");
    checkpoint.state.moments.steps = steps("moment_steps");
    const Index count = model_of(checkpoint.settings)->host->layout().size();
    checkpoint.state.weights = numbers_named(file, "weights", count);
    checkpoint.state.moments.first = numbers_named(file, "first_moment", count);
    checkpoint.state.moments.second = numbers_named(file, "second_moment", count);
    return checkpoint;
}

std::optional<SettingsDifference> difference(const TrainingSettings& here, const TrainingSettings& there) {
    const json one = to_json(here).flatten(), other = to_json(there).flatten();
    for (const auto& [where, value] : one.items()) {
        const auto found = other.find(where);
        if (found == other.end() || *found != value)
            return SettingsDifference{where, value.dump(), found == other.end() ? "none" : found->dump()};
    }
    for (const auto& [where, value] : other.items())
        if (!one.contains(where))
            return SettingsDifference{where, "none", value.dump()};
    return std::nullopt;
}

}  // namespace headlight
