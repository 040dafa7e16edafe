#include "app/cli/analyse_command.h"

#include "app/cli/arguments.h"
#include "app/cli/capture_options.h"
#include "app/cli/carry_out.h"
#include "app/cli/maps_source.h"
#include "app/cli/output.h"
#include "core/analysis/head_table.h"
#include "core/io/files.h"
#include "core/io/session_capture.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace headlight {

using json = nlohmann::ordered_json;

namespace {

/// What `analyse` takes; what it says of statistics follows from their declarations.
struct AnalyseOptions {
    std::string by = "columns, in their order: " + list_of(statistic_names()) +
                     "; all that there are unless given (change is, --with another capture)";
    std::vector<Flag> flags{
        {"--text", "TEXT", "FILE is a model, which reads this"},
        {"--target", "TEXT", "what the model is made to say, in place of its own answer"},
        other_option,
        units_option,
        {"--by", "NAME,...", by},
        {"--format", "FORMAT", "csv (the default) or json"},
        memory_option,
        {"--output", "FILE", "where the table goes; printed unless given", "-o"},
        {"--help", "", "this text", "-h"},
    };

    AnalyseOptions() = default;
    AnalyseOptions(const AnalyseOptions&) = delete;  // the flags refer to the text
};

/// The places of the asked statistics among head_statistics().
std::vector<std::size_t> asked_columns(const Arguments& arguments) {
    const std::vector<std::string> names = statistic_names();
    std::vector<std::size_t> columns;
    const auto asked = arguments.value("--by");
    if (!asked) {
        for (std::size_t i = 0; i < names.size(); ++i)
            if (!head_statistics()[i].compares || arguments.has("--with"))
                columns.push_back(i);
        return columns;
    }
    for (std::size_t begin = 0; begin <= asked->size();) {
        const std::size_t end = std::min(asked->find(',', begin), asked->size());
        const std::string name = asked->substr(begin, end - begin);
        const auto known = std::ranges::find(names, name);
        if (known == names.end())
            arguments.refuse("--by", list_of(names), quoted_with_hint(name, names));
        columns.push_back(static_cast<std::size_t>(known - names.begin()));
        begin = end + 1;
    }
    return columns;
}

std::string json_table(const std::vector<HeadRow>& heads, const std::vector<std::size_t>& columns) {
    const bool names = std::ranges::any_of(heads, [](const HeadRow& head) { return !head.maps.empty(); });
    json table = json::array();
    for (const HeadRow& head : heads) {
        json row = {{"layer", head.place.layer + 1}, {"head", head.place.head + 1}};
        for (const std::size_t column : columns) {
            const auto& number = head.numbers[column];
            row[std::string(head_statistics()[column].name)] = number ? json(*number) : json();
        }
        if (names)
            row["maps"] = head.maps;
        table.push_back(std::move(row));
    }
    return table.dump(1) + '\n';
}

int analyse(const Arguments& arguments) {
    if (arguments.operands().empty())
        arguments.refuse("", "a capture, a trace, a session or a model", "no file");
    for (const char* option : {"--with", "--units"})
        if (arguments.has(option) && arguments.has("--text"))
            arguments.refuse(option, "a capture or a trace", "a model that reads --text");
    if (arguments.has("--target") && !arguments.has("--text"))
        arguments.refuse("--text", "what the model reads, beside --target", "nothing");
    const std::string format = arguments.value("--format").value_or("csv");
    if (format != "csv" && format != "json")
        arguments.refuse("--format", "csv or json", quoted_with_hint(format, {"csv", "json"}));
    const std::vector<std::size_t> columns = asked_columns(arguments);
    const std::string file = arguments.operands().front();
    const auto output = arguments.value("--output");
    if (output)
        refuse_overwriting(arguments, *output, {file});
    const SessionCapture capture = capture_asked_for(arguments);
    const std::vector<HeadRow> heads =
        head_table(is_plain(capture) ? read_maps(file, arguments.value("--text"), arguments.value("--target"))
                                     : captured_maps(capture));
    const std::string table = format == "csv" ? head_table_csv(heads, columns) : json_table(heads, columns);
    if (output)
        write_file_atomically(*output, table);
    else
        print(table);
    return 0;
}

}  // namespace

int analyse_command(const std::vector<std::string>& arguments_text) {
    const AnalyseOptions options;
    const Command command{
        "analyse", "FILE [options] [-o FILE]",
        "A row for each head of a capture, a trace, a session or a model, with a column for "
        "each statistic of what it looks at. Layers and heads are counted from 1.",
        options.flags, 1};
    return carry_out(command, arguments_text, analyse);
}

}  // namespace headlight
