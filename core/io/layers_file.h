#pragma once

#include "core/model/recipe.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace headlight {

/// What each layer of a model that is to be trained attends with: a list, of an encoder and of a decoder
/// alike, or {"encoder": [...], "decoder": [...]}. An entry is the id of a mechanism, "window", or
/// {"attention": "window", "set": {"size": 4}}, or {"spec": {...}} with the words of docs/spec.md or a
/// mechanism's file; an object may have "shares": N beside, the number, from 1, of the layer before it in its
/// list whose keys and values it attends to. Throws Error with the layer and the JSON pointer in it for
/// anything else, and for more than most_transformer_layers.
LayerList layers_from_json(const nlohmann::json& document);
LayerList parse_layers(std::string_view text);

/// The same in a file, whose name begins every refusal.
LayerList read_layers(const std::string& path);

}  // namespace headlight
