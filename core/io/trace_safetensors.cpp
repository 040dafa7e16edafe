#include "core/io/json_text.h"
#include "core/io/safetensors.h"
#include "core/io/trace_check.h"
#include "core/io/trace_file.h"
#include "core/io/trace_header.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

using nlohmann::json;

namespace {

std::string tensor_name(const Stage& stage) {
    return stage.site.empty() ? stage.name : stage.site + '/' + stage.name;
}

/// The header's fields as metadata: text as it is, everything else as JSON.
std::map<std::string, std::string> metadata_of(const json& header) {
    std::map<std::string, std::string> metadata;
    for (const auto& [name, value] : header.items())
        metadata[name] = value.is_string() ? value.get<std::string>()
                                           : value.dump(-1, ' ', false, json::error_handler_t::replace);
    return metadata;
}

json header_of(const std::map<std::string, std::string>& metadata) {
    json header = json::object();
    for (const auto& [name, value] : metadata)
        header[name] = name == "format" ? json(value)
                                        : parse_json(value, {.place = "metadata \"" + excerpt(name) + '"'});
    return header;
}

}  // namespace

std::string write_trace_safetensors(const Trace& trace) {
    SafetensorsFile file;
    file.metadata = metadata_of(trace_header(trace));
    for (const Stage& stage : trace.stages()) {
        const auto values = trace.values(stage);
        file.tensors.emplace(tensor_name(stage),
                             Tensor(stage.shape, std::vector<double>(values.begin(), values.end())));
    }
    return write_safetensors(file);
}

Trace parse_trace_safetensors(std::string_view bytes) {
    const SafetensorsFile file = parse_safetensors(bytes);
    const json header = header_of(file.metadata);
    std::vector<Stage> stages = stages_from_header(header);
    for (const Stage& stage : stages) {
        const auto found = file.tensors.find(tensor_name(stage));
        if (found == file.tensors.end() || found->second.shape() != stage.shape)
            throw Error({"read trace", "tensor \"" + excerpt(tensor_name(stage)) + '"',
                         "shape " + to_string(stage.shape),
                         found == file.tensors.end() ? "no such tensor"
                                                     : "shape " + to_string(found->second.shape())});
    }
    Trace trace(std::move(stages));
    read_header(header, trace);
    for (const Stage& stage : trace.stages())
        std::ranges::copy(file.tensors.at(tensor_name(stage)).values(), trace.values(stage).begin());
    require_numbers_that_can_be(trace);
    return trace;
}

}  // namespace headlight
