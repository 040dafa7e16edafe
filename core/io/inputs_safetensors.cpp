#include "core/analysis/token_spelling.h"
#include "core/io/inputs_check.h"
#include "core/io/inputs_file.h"
#include "core/io/inputs_json.h"
#include "core/io/json_text.h"
#include "core/io/safetensors_view.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/words.h"

namespace headlight {
namespace {

bool is_tokens(const std::string& name) { return name == "query" || name == "key" || name == "value"; }

/// Names and shapes, before any number is read.
void require_inputs(const SafetensorsView& file, const ParameterNames& own) {
    for (const auto& [name, entry] : file.entries()) {
        if (!is_tokens(name))
            require_known_parameter(name, "parameters", own);
        else if (entry.shape.size() != 2)
            throw Error({"read inputs", "tensor \"" + name + '"', "a matrix with a row for each token",
                         "shape " + to_string(entry.shape)});
    }
    require_memory("read inputs", "", file.expanded_bytes());
}

}  // namespace

Inputs parse_inputs_safetensors(std::string_view bytes, const ParameterNames& own) {
    const SafetensorsView file(bytes);
    require_inputs(file, own);
    Inputs inputs;
    for (const auto& [name, entry] : file.entries()) {
        if (name == "query")
            inputs.query = file.tensor(entry);
        else if (name == "key")
            inputs.key = file.tensor(entry);
        else if (name == "value")
            inputs.value = file.tensor(entry);
        else
            inputs.parameters.emplace(name, file.tensor(entry));
    }
    if (const auto tokens = file.metadata().find("tokens"); tokens != file.metadata().end())
        inputs.tokens =
            spelled(labels_from_json(*parse_json(tokens->second, {.place = "metadata \"tokens\""}),
                                     "read inputs", "/tokens"),
                    TokenSpelling::text);
    require_consistent(inputs, own);
    return inputs;
}

}  // namespace headlight
