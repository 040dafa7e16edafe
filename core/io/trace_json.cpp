#include "core/attention/json_object.h"
#include "core/io/json_text.h"
#include "core/io/tensor_json.h"
#include "core/io/trace_check.h"
#include "core/io/trace_file.h"
#include "core/io/trace_header.h"
#include "core/tensor/error.h"

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
    const json document = parse_json(text);
    std::vector<Stage> stages = stages_from_header(document);

    const auto data_of = [&](std::size_t i) -> const json& {
        const std::string pointer = pointer_to("/stages", i);
        return JsonObject(document["stages"][i], "read trace", pointer)
            .required("data", "the stage's numbers");
    };
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const Index count = stages[i].size();
        const json& data = data_of(i);
        if (!data.is_array() || static_cast<Index>(data.size()) != count)
            throw Error({"read trace", pointer_to("/stages", i) + "/data",
                         std::to_string(count) + " numbers for shape " + to_string(stages[i].shape),
                         data.is_array() ? std::to_string(data.size()) : describe(data)});
    }

    Trace trace(std::move(stages));
    read_header(document, trace);
    for (std::size_t i = 0; i < trace.stages().size(); ++i) {
        std::size_t item = 0;
        const json& data = data_of(i);
        for (double& value : trace.values(trace.stages()[i])) {
            const json& number = data[item];
            value = number.is_null() ? minus_infinity
                    : number.is_number()
                        ? number.get<double>()
                        : number_from_json(number, "read trace",
                                           pointer_to(pointer_to("/stages", i) + "/data", item));
            ++item;
        }
    }
    require_numbers_that_can_be(trace);
    return trace;
}

}  // namespace headlight
