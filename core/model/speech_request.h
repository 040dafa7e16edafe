#pragma once

#include "core/model/intervention.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// What a model is to say. A plain value.
struct SpeechRequest {
    std::string source;  ///< as it is typed; of a language model, how its text begins
    /// What the first steps are followed by, word by word; the model goes on from there with the likeliest.
    std::vector<std::string> chosen;
    /// What it has to say, as it is typed, in place of `chosen` (teacher forcing); the text then ends.
    std::optional<std::string> target;
    std::vector<Intervention> interventions;
    bool operator==(const SpeechRequest&) const = default;
};

}  // namespace headlight
