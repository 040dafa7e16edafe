#include "core/attention/words.h"
#include "core/io/inputs_check.h"
#include "core/io/inputs_file.h"
#include "core/io/inputs_json.h"
#include "core/io/json_text.h"
#include "core/io/safetensors.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

Tensor matrix(Tensor tensor, const std::string& name) {
    if (tensor.rank() != 2)
        throw Error({"read inputs", "tensor \"" + name + '"', "a matrix with a row for each token",
                     "shape " + to_string(tensor.shape())});
    return tensor;
}

}  // namespace

Inputs parse_inputs_safetensors(std::string_view bytes) {
    SafetensorsFile file = parse_safetensors(bytes);
    Inputs inputs;
    for (auto& [name, tensor] : file.tensors) {
        if (name == "query")
            inputs.query = matrix(std::move(tensor), name);
        else if (name == "key")
            inputs.key = matrix(std::move(tensor), name);
        else if (name == "value")
            inputs.value = matrix(std::move(tensor), name);
        else
            inputs.parameters.emplace(name, std::move(tensor));
    }
    if (const auto tokens = file.metadata.find("tokens"); tokens != file.metadata.end())
        inputs.tokens = labels_from_json(parse_json(tokens->second, {.place = "metadata \"tokens\""}),
                                         "read inputs", "/tokens");
    require_consistent(inputs);
    return inputs;
}

}  // namespace headlight
