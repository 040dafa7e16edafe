#include "core/attention/json_object.h"
#include "core/io/json_text.h"
#include "core/io/packed_numbers.h"
#include "core/io/tensor_json.h"
#include "core/io/trace_check.h"
#include "core/io/trace_file.h"
#include "core/io/trace_header.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"

#include <cmath>
#include <limits>

namespace headlight {

using nlohmann::json;

namespace {

constexpr double null_stands_for = -std::numeric_limits<double>::infinity();

/// A stage or a parameter with its numbers.
void append_item(std::string& text, const json& header, std::span<const double> values) {
    text += header.dump(-1, ' ', false, json::error_handler_t::replace);
    text.back() = ',';  // the header's closing brace: the numbers go on where it ended
    text += " \"data\": [";
    for (std::size_t i = 0; i < values.size(); ++i) {
        text += i ? "," : "";
        if (values[i] == null_stands_for)
            text += "null";
        else
            append_number(text, values[i]);
    }
    text += "]}";
}

/// The numbers of a stage or a parameter, as many as its shape has. What could not be packed is no list of
/// numbers alone.
PackedNumbers numbers_of(const json& item, const std::string& pointer, const Shape& shape) {
    const Index size = element_count(shape);
    const json& data = JsonObject(item, "read trace", pointer).required("data", "the numbers");
    const std::string place = pointer + "/data";
    const auto refuse_count = [&](const std::string& got) {
        return Error(
            {"read trace", place, std::to_string(size) + " numbers for shape " + to_string(shape), got});
    };
    const auto packed = PackedNumbers::find(data);
    if (packed && packed->columns() == 0 && packed->size() == size)
        return *packed;
    if (packed && packed->columns() == 0)
        throw refuse_count(std::to_string(packed->size()));
    if (packed)
        throw refuse_count("rows of numbers");
    if (!data.is_array() || static_cast<Index>(data.size()) != size)
        throw refuse_count(data.is_array() ? std::to_string(data.size()) : describe(data));
    for (std::size_t i = 0; i < data.size(); ++i)
        number_from_json(data[i], "read trace", pointer_to(place, i));
    throw refuse_count("other values");
}

}  // namespace

std::string write_trace_json(const Trace& trace) {
    json header = trace_header(trace);
    const json stages = std::move(header["stages"]);
    const json parameters = std::move(header["parameters"]);
    header.erase("stages");
    header.erase("parameters");

    std::string text = write_json(header);
    text.resize(text.rfind('\n', text.size() - 2));  // without its closing brace
    const auto append_list = [&](const char* name, const json& items, const auto& values_of) {
        text += std::string(",\n \"") + name + "\": [";
        for (std::size_t i = 0; i < items.size(); ++i) {
            text += i ? ",\n  " : "\n  ";
            append_item(text, items[i], values_of(i));
            if (text.size() > json_text_limit)
                throw Error({"write trace as JSON", "",
                             "at most " + std::to_string(json_text_limit) + " bytes of text",
                             "more; .safetensors has room for them"});
        }
        text += "\n ]";
    };
    const std::vector<TraceParameter> written = written_parameters(trace);
    if (!written.empty())
        append_list("parameters", parameters, [&](std::size_t i) -> std::span<const double> {
            return trace.parameter_at(written[i].site, written[i].name)->values();
        });
    append_list("stages", stages, [&](std::size_t i) { return trace.values(trace.stages()[i]); });
    return text + "\n}\n";
}

Trace parse_trace_json(std::string_view text) {
    static constexpr std::string_view numbers[] = {"/stages/*/data", "/parameters/*/data"};
    const JsonDocument document = parse_json(text, {.numbers = numbers, .null_number = null_stands_for});
    std::vector<Stage> stages = stages_from_header(*document);
    const std::vector<TraceParameter> parameters = parameters_from_header(*document);
    const auto data_of = [&](const char* list, std::size_t i, const Shape& shape) {
        return numbers_of((*document)[list][i], pointer_to('/' + std::string(list), i), shape);
    };
    double count = 0;
    for (std::size_t i = 0; i < stages.size(); ++i)
        count += static_cast<double>(data_of("stages", i, stages[i].shape).size());
    for (std::size_t i = 0; i < parameters.size(); ++i)
        count += static_cast<double>(data_of("parameters", i, parameters[i].shape).size());
    require_memory("read trace", "", static_cast<double>(sizeof(double)) * count);

    Trace trace(stages);
    read_header(*document, trace);
    for (std::size_t i = 0; i < stages.size(); ++i)
        data_of("stages", i, stages[i].shape).copy_to(trace.values(trace.stages()[i]));
    set_parameters(trace, parameters, [&](std::size_t i, std::span<double> to) {
        data_of("parameters", i, parameters[i].shape).copy_to(to);
    });
    require_numbers_that_can_be(trace);
    return trace;
}

}  // namespace headlight
