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

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

void append_stage(std::string& text, const json& header, std::span<const double> values) {
    text += header.dump(-1, ' ', false, json::error_handler_t::replace);
    text.back() = ',';  // the header's closing brace: the numbers go on where it ended
    text += " \"data\": [";
    for (std::size_t i = 0; i < values.size(); ++i) {
        text += i ? "," : "";
        if (values[i] == minus_infinity)
            text += "null";
        else
            append_number(text, values[i]);
    }
    text += "]}";
}

/// The numbers of a stage, as many as its shape has. What could not be packed is no list of numbers alone.
PackedNumbers stage_data(const json& stage, const std::string& pointer, const Stage& layout) {
    const json& data = JsonObject(stage, "read trace", pointer).required("data", "the stage's numbers");
    const std::string place = pointer + "/data";
    const auto refuse_count = [&](const std::string& got) {
        return Error({"read trace", place,
                      std::to_string(layout.size()) + " numbers for shape " + to_string(layout.shape), got});
    };
    const auto packed = PackedNumbers::find(data);
    if (packed && packed->columns() == 0 && packed->size() == layout.size())
        return *packed;
    if (packed && packed->columns() == 0)
        throw refuse_count(std::to_string(packed->size()));
    if (packed)
        throw refuse_count("rows of numbers");
    if (!data.is_array() || static_cast<Index>(data.size()) != layout.size())
        throw refuse_count(data.is_array() ? std::to_string(data.size()) : describe(data));
    for (std::size_t item = 0; item < data.size(); ++item)
        number_from_json(data[item], "read trace", pointer_to(place, item));
    throw refuse_count("other values");
}

}  // namespace

std::string write_trace_json(const Trace& trace) {
    json header = trace_header(trace);
    const json stages = std::move(header["stages"]);
    header.erase("stages");

    std::string text = write_json(header);
    text.resize(text.rfind('\n', text.size() - 2));  // without its closing brace
    text += ",\n \"stages\": [";
    for (std::size_t i = 0; i < stages.size(); ++i) {
        text += i ? ",\n  " : "\n  ";
        append_stage(text, stages[i], trace.values(trace.stages()[i]));
        if (text.size() > json_text_limit)
            throw Error({"write trace as JSON", "",
                         "at most " + std::to_string(json_text_limit) + " bytes of text",
                         "more; .safetensors has room for them"});
    }
    return text + "\n ]\n}\n";
}

Trace parse_trace_json(std::string_view text) {
    static constexpr std::string_view numbers[] = {"/stages/*/data"};
    const JsonDocument document = parse_json(text, {.numbers = numbers, .null_number = minus_infinity});
    std::vector<Stage> stages = stages_from_header(*document);
    const auto data_of = [&](std::size_t i) {
        return stage_data((*document)["stages"][i], pointer_to("/stages", i), stages[i]);
    };
    double bytes = 0;
    for (std::size_t i = 0; i < stages.size(); ++i)
        bytes += static_cast<double>(sizeof(double)) * static_cast<double>(data_of(i).size());
    require_memory("read trace", "", bytes);

    Trace trace(stages);
    read_header(*document, trace);
    for (std::size_t i = 0; i < stages.size(); ++i)
        data_of(i).copy_to(trace.values(trace.stages()[i]));
    require_numbers_that_can_be(trace);
    return trace;
}

}  // namespace headlight
