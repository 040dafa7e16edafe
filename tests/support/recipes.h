#pragma once

#include "core/model/recipe.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace headlight::test {

/// A recipe for the task, with what suits it where no host and no attention is named.
inline Recipe recipe(const std::string& task, std::optional<HostType> host = {},
                     const std::string& attention = {}) {
    Recipe made;
    made.task = task;
    made.host = host;
    made.attention = attention;
    return made;
}

/// The model of a recipe for a Transformer.
inline TransformerConfiguration transformer(const Recipe& recipe) {
    return std::get<TransformerConfiguration>(prepare(recipe).settings.model);
}

/// With a knob of its mechanism set.
inline Recipe with_value(Recipe recipe, const std::string& knob, const ParameterValue& value) {
    recipe.values[knob] = value;
    return recipe;
}

/// Layers of these mechanisms, as the catalogue has them.
inline std::vector<LayerAttention> layers(const std::vector<std::string>& mechanisms) {
    std::vector<LayerAttention> made;
    for (const std::string& each : mechanisms)
        made.push_back({.mechanism = each});
    return made;
}

/// With a list of layers, the same on both sides ...
inline Recipe with_layers(Recipe recipe, std::vector<LayerAttention> all) {
    recipe.attentions.all = std::move(all);
    return recipe;
}

/// ... or told apart.
inline Recipe with_layers(Recipe recipe, std::vector<LayerAttention> encoder,
                          std::vector<LayerAttention> decoder) {
    recipe.attentions.encoder = std::move(encoder);
    recipe.attentions.decoder = std::move(decoder);
    return recipe;
}

}  // namespace headlight::test
