#pragma once

#include "core/attention/spec.h"

#include <nlohmann/json_fwd.hpp>

namespace headlight {

/// The spec in the words of docs/spec.md. What is left out has its default; an unknown word, a wrong type or
/// a value out of range throws Error with the JSON pointer as `where` and the accepted words as `expected`.
/// `pointer` is where the spec stands in a larger document.
AttentionSpec spec_from_json(const nlohmann::json& document, const std::string& pointer = {});

/// Every field written, defaults included, so that the file documents itself.
nlohmann::json to_json(const AttentionSpec& spec);

/// What to_json() writes of one component.
nlohmann::json to_json(const Source& source);
nlohmann::json to_json(const Projections& projections);
nlohmann::json to_json(const Score& score);
nlohmann::json to_json(const Position& position);
nlohmann::json to_json(const KeySelection& selection);
nlohmann::json to_json(const Normalizer& normalizer);
nlohmann::json to_json(const Heads& heads);
nlohmann::json to_json(const Algorithm& algorithm);

/// The same for the mask alone, whose shape is recursive; nesting deeper than 16 is refused.
Mask mask_from_json(const nlohmann::json& document, const std::string& where);
nlohmann::json to_json(const Mask& mask);

}  // namespace headlight
