#include "core/io/json_text.h"
#include "core/io/safetensors.h"
#include "core/io/safetensors_view.h"
#include "core/io/trace_check.h"
#include "core/io/trace_file.h"
#include "core/io/trace_header.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"

namespace headlight {

using nlohmann::json;

namespace {

/// Returns the name of the tensor of a stage or a parameter.
std::string tensor_name(const auto& item) {
    return item.site.empty() ? item.name : item.site + '/' + item.name;
}

/// Throws Error unless the file has a tensor of this name and shape.
void require_tensor(const SafetensorsView& file, const auto& item) {
    const auto* entry = file.find(tensor_name(item));
    if (!entry || entry->shape != item.shape)
        throw Error({"read trace", "tensor \"" + excerpt(tensor_name(item)) + '"',
                     "shape " + to_string(item.shape),
                     entry ? "shape " + to_string(entry->shape) : "no such tensor"});
}

/// The header's fields as metadata: text as it is, everything else as JSON.
std::map<std::string, std::string> metadata_of(const json& header) {
    std::map<std::string, std::string> metadata;
    for (const auto& [name, value] : header.items())
        metadata[name] = value.is_string() ? value.get<std::string>()
                                           : value.dump(-1, ' ', false, json::error_handler_t::replace);
    return metadata;
}

JsonDocument header_of(const std::map<std::string, std::string>& metadata) {
    JsonDocument header(json::object());
    for (const auto& [name, value] : metadata) {
        json& field = (*header)[name];
        if (name == "format")
            field = value;
        else
            field = std::move(*parse_json(value, {.place = "metadata \"" + excerpt(name) + '"'}));
    }
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
    for (const TraceParameter& each : written_parameters(trace))
        file.tensors.emplace(tensor_name(each), *trace.parameter_at(each.site, each.name));
    return write_safetensors(file);
}

Trace parse_trace_safetensors(std::string_view bytes) {
    const SafetensorsView file(bytes);
    const JsonDocument header = header_of(file.metadata());
    std::vector<Stage> stages = stages_from_header(*header);
    const std::vector<TraceParameter> parameters = parameters_from_header(*header);
    for (const Stage& stage : stages)
        require_tensor(file, stage);
    for (const TraceParameter& each : parameters)
        require_tensor(file, each);
    require_memory("read trace", "", file.expanded_bytes());
    Trace trace(std::move(stages));
    read_header(*header, trace);
    for (const Stage& stage : trace.stages())
        file.read(*file.find(tensor_name(stage)), trace.values(stage));
    set_parameters(trace, parameters, [&](std::size_t i, std::span<double> to) {
        file.read(*file.find(tensor_name(parameters[i])), to);
    });
    require_numbers_that_can_be(trace);
    return trace;
}

}  // namespace headlight
