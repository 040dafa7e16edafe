#include "core/io/layers_file.h"

#include "core/attention/json_object.h"
#include "core/attention/spec_json.h"
#include "core/io/files.h"
#include "core/io/foreign_file.h"
#include "core/io/json_text.h"
#include "core/io/knob_values.h"
#include "core/io/mechanism_file.h"
#include "core/model/shared_keys.h"
#include "core/tensor/error.h"

namespace headlight {

using nlohmann::json;

namespace {

constexpr const char* layers_document = "read layers";

/// Throws Error, with `pointer` as its place, for an id that no mechanism has.
const Mechanism& layer_mechanism(const std::string& id, const std::string& pointer) {
    if (const Mechanism* found = find_mechanism(id))
        return *found;
    const auto [expected, got] = unknown_mechanism(id);
    throw Error({layers_document, pointer, expected, got});
}

LayerAttention layer_from_object(const json& entry) {
    JsonObject object(entry, layers_document);
    const json* spec = object.find("spec");
    const json* attention = object.find("attention");
    const json* values = object.find("set");
    LayerAttention layer;
    if (const auto number = object.optional_integer("shares", 1, most_transformer_layers))
        layer.shares = *number - 1;
    object.refuse_other_fields();
    if ((spec == nullptr) == (attention == nullptr))
        throw Error({layers_document, "", "either \"attention\", the id of a mechanism, or \"spec\"",
                     spec ? "both" : "neither"});
    if (spec) {
        const std::string pointer = object.pointer("spec");
        if (values)
            object.refuse("set", "it beside \"attention\": a spec says everything itself", describe(*values));
        layer.spec =
            is_mechanism(*spec) ? mechanism_from_json(*spec, pointer).spec : spec_from_json(*spec, pointer);
        return layer;
    }
    layer.mechanism = object.text("attention", {});
    const Mechanism& chosen = layer_mechanism(layer.mechanism, object.pointer("attention"));
    if (values)
        layer.values = knob_values_from_json(*values, chosen, layers_document, object.pointer("set"));
    return layer;
}

LayerAttention layer_from(const json& entry) {
    if (entry.is_object())
        return layer_from_object(entry);
    if (!entry.is_string())
        throw Error({layers_document, "",
                     "the id of a mechanism, or an object with \"attention\" or \"spec\"", describe(entry)});
    LayerAttention layer;
    layer.mechanism = entry.get<std::string>();
    layer_mechanism(layer.mechanism, "");
    return layer;
}

/// `side` is "encoder" or "decoder", and empty for a list of both.
std::vector<LayerAttention> layers_from(const json& list, const std::string& side) {
    if (!list.is_array())
        throw Error({layers_document, side, "a list, one entry for each layer", describe(list)});
    if (list.empty() || list.size() > static_cast<std::size_t>(most_transformer_layers))
        throw Error({layers_document, side, "1 to " + std::to_string(most_transformer_layers) + " layers",
                     std::to_string(list.size())});
    std::vector<LayerAttention> layers;
    for (const json& entry : list) {
        const std::size_t layer = layers.size();
        try {
            layers.push_back(layer_from(entry));
            require_earlier_keys(shares_of(layers), layer, layers_document, pointer_to("", "shares"));
        } catch (const Error& error) {
            throw error.within("layer " + std::to_string(layer + 1) +
                               (side.empty() ? side : " of the " + side));
        }
    }
    return layers;
}

}  // namespace

LayerList layers_from_json(const json& document) {
    LayerList list;
    if (!document.is_object()) {
        list.all = layers_from(document, "");
        return list;
    }
    JsonObject object(document, layers_document);
    const json* encoder = object.find("encoder");
    const json* decoder = object.find("decoder");
    object.refuse_other_fields();
    if (!encoder && !decoder)
        throw Error({layers_document, "", "a list of layers, or an object with \"encoder\" and \"decoder\"",
                     "an object with neither"});
    if (encoder)
        list.encoder = layers_from(*encoder, "encoder");
    if (decoder)
        list.decoder = layers_from(*decoder, "decoder");
    return list;
}

LayerList parse_layers(std::string_view text) { return layers_from_json(*parse_json(text)); }

LayerList read_layers(const std::string& path) {
    return unless_foreign(layers_document, path, path, [&] {
        const std::string text = read_file(path, json_text_limit);
        return in_file(path, [&] { return parse_layers(text); });
    });
}

}  // namespace headlight
