#include "core/io/inputs_json.h"

#include "core/analysis/token_spelling.h"
#include "core/attention/json_object.h"
#include "core/io/inputs_check.h"
#include "core/io/inputs_file.h"
#include "core/io/json_text.h"
#include "core/io/tensor_json.h"

namespace headlight {

using nlohmann::json;

namespace {

constexpr const char* inputs_document = "read inputs";

template <class List>
void write_unless_empty(json& object, const char* name, const List& list) {
    if (!list.empty())
        object[name] = list;
}

}  // namespace

TokenLabels labels_from_json(const json& document, const std::string& what, const std::string& pointer) {
    JsonObject object(document, what, pointer);
    TokenLabels labels;
    labels.query = object.texts("query");
    labels.key = object.texts("key");
    labels.query_unknown = object.booleans("query_unknown");
    labels.key_unknown = object.booleans("key_unknown");
    object.refuse_other_fields();
    return labels;
}

json labels_to_json(const TokenLabels& labels) {
    json object = json::object();
    write_unless_empty(object, "query", labels.query);
    write_unless_empty(object, "key", labels.key);
    write_unless_empty(object, "query_unknown", labels.query_unknown);
    write_unless_empty(object, "key_unknown", labels.key_unknown);
    return object;
}

Inputs inputs_from_json(const json& document, const std::string& pointer, const ParameterNames& own) {
    JsonObject object(document, inputs_document, pointer);
    const auto matrix = [&](const char* name) -> std::optional<Tensor> {
        const json* value = object.find(name);
        return value ? std::optional(matrix_from_json(*value, inputs_document, object.pointer(name)))
                     : std::nullopt;
    };
    Inputs inputs;
    inputs.query = matrix("query").value_or(Tensor());
    inputs.key = matrix("key");
    inputs.value = matrix("value");
    if (const json* labels = object.find("tokens"))
        inputs.tokens = spelled(labels_from_json(*labels, inputs_document, object.pointer("tokens")),
                                TokenSpelling::text);
    if (const json* parameters = object.find("parameters")) {
        const std::string place = object.pointer("parameters");
        if (!parameters->is_object())
            object.refuse("parameters", "an object of matrices by name", describe(*parameters));
        for (const auto& [name, value] : parameters->items()) {
            require_known_parameter(name, place, own);
            inputs.parameters.emplace(name,
                                      tensor_from_json(value, inputs_document, pointer_to(place, name)));
        }
    }
    object.text("format", {});
    object.refuse_other_fields();
    require_consistent(inputs, own);
    return inputs;
}

json inputs_to_json(const Inputs& inputs) {
    json object = {{"format", "headlight-inputs/1"}};
    if (!inputs.query.empty())
        object["query"] = tensor_to_json(inputs.query);
    if (inputs.key)
        object["key"] = tensor_to_json(*inputs.key);
    if (inputs.value)
        object["value"] = tensor_to_json(*inputs.value);
    write_unless_empty(object, "tokens", labels_to_json(inputs.tokens));
    json parameters = json::object();
    for (const auto& [name, tensor] : inputs.parameters)
        parameters[name] = tensor_to_json(tensor);
    write_unless_empty(object, "parameters", parameters);
    return object;
}

Inputs parse_inputs_json(std::string_view text, const ParameterNames& own) {
    static constexpr std::string_view numbers[] = {"/query", "/key", "/value", "/parameters/*"};
    return inputs_from_json(*parse_json(text, {.numbers = numbers}), {}, own);
}

std::string write_inputs_json(const Inputs& inputs) { return write_json(inputs_to_json(inputs)); }

}  // namespace headlight
