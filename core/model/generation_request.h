#pragma once

#include "core/model/intervention.h"
#include "core/model/word_choice.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// What a model is to say. A plain value.
struct GenerationRequest {
    std::string source;  ///< as it is typed; of a language model, how its text begins
    /// What the first steps are followed by, word by word; the model goes on from there.
    std::vector<std::string> chosen;
    /// What it has to say, as it is typed, in place of `chosen` (teacher forcing); the text then ends.
    std::optional<std::string> target;
    std::vector<Intervention> interventions;
    /// How it goes on; a label, and what it is made to say, are never searched for or drawn.
    WordChoice choice{};
    /// With a beam: the text up to the place of the tree whose steps are asked for, as the words behind
    /// `chosen`. The best text where it is empty, or where the tree has no such place.
    std::vector<std::string> followed{};
    bool operator==(const GenerationRequest&) const = default;
};

}  // namespace headlight
