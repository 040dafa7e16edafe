#include "app/cli/analyse_command.h"

#include "app/cli/arguments.h"
#include "app/cli/maps_source.h"
#include "app/cli/output.h"
#include "core/analysis/head_statistics.h"
#include "core/figure/csv.h"
#include "core/io/files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace headlight {

using json = nlohmann::ordered_json;

namespace {

std::vector<std::string> statistic_names() {
    std::vector<std::string> names;
    for (const HeadStatistic& each : head_statistics())
        names.emplace_back(each.name);
    return names;
}

/// What `analyse` takes; what it says of statistics follows from their declarations.
struct AnalyseOptions {
    std::string by = "columns, in their order: " + list_of(statistic_names()) + "; all unless given";
    std::vector<Flag> flags{
        {"--text", "TEXT", "FILE is a model, which reads this"},
        {"--target", "TEXT", "what the model is made to say, in place of its own answer"},
        {"--by", "NAME,...", by},
        {"--format", "FORMAT", "csv (the default) or json"},
        memory_option,
        {"--output", "FILE", "where the table goes; printed unless given", "-o"},
        {"--help", "", "this text", "-h"},
    };

    AnalyseOptions() = default;
    AnalyseOptions(const AnalyseOptions&) = delete;  // the flags refer to the text
};

/// A row of the table.
struct Head {
    std::string maps;  ///< which of several maps of a file; empty where there are no others
    MapPlace place;
    HeadNumbers statistics;  ///< of head_statistics()
};

/// The places of the asked statistics among head_statistics().
std::vector<std::size_t> asked_columns(const Arguments& arguments) {
    const std::vector<std::string> names = statistic_names();
    std::vector<std::size_t> columns;
    const auto asked = arguments.value("--by");
    if (!asked) {
        for (std::size_t i = 0; i < names.size(); ++i)
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

std::vector<Head> analysed(const std::vector<LabelledMaps>& all) {
    std::vector<Head> heads;
    for (const LabelledMaps& maps : all) {
        std::vector<HeadNumbers> statistics = statistics_of_heads(maps);
        for (std::size_t i = 0; i < statistics.size(); ++i) {
            const auto [layer, head] =
                std::div(static_cast<long>(i), static_cast<long>(maps.maps->extents().heads));
            heads.push_back({all.size() > 1 ? maps.name : "", {layer, head}, std::move(statistics[i])});
        }
    }
    return heads;
}

bool names_maps(const std::vector<Head>& heads) {
    return std::ranges::any_of(heads, [](const Head& head) { return !head.maps.empty(); });
}

std::string csv_table(const std::vector<Head>& heads, const std::vector<std::size_t>& columns) {
    const bool names = names_maps(heads);
    std::string text = "layer,head";
    for (const std::size_t column : columns)
        (text += ',') += head_statistics()[column].name;
    text += names ? ",maps\n" : "\n";
    for (const Head& head : heads) {
        text += std::to_string(head.place.layer + 1) + ',' + std::to_string(head.place.head + 1);
        for (const std::size_t column : columns) {
            text += ',';
            if (const auto& number = head.statistics[column])
                text += csv_number(*number);
        }
        text += names ? ',' + csv_field(head.maps) + '\n' : "\n";
    }
    return text;
}

std::string json_table(const std::vector<Head>& heads, const std::vector<std::size_t>& columns) {
    const bool names = names_maps(heads);
    json table = json::array();
    for (const Head& head : heads) {
        json row = {{"layer", head.place.layer + 1}, {"head", head.place.head + 1}};
        for (const std::size_t column : columns) {
            const auto& number = head.statistics[column];
            row[std::string(head_statistics()[column].name)] = number ? json(*number) : json();
        }
        if (names)
            row["maps"] = head.maps;
        table.push_back(std::move(row));
    }
    return table.dump(1) + '\n';
}

}  // namespace

int analyse_command(const std::vector<std::string>& arguments_text) {
    const AnalyseOptions options;
    const Command command{
        "analyse", "FILE [options] [-o FILE]",
        "A row for each head of a capture, a trace, a session or a model, with a column for "
        "each statistic of what it looks at. Layers and heads are counted from 1.",
        options.flags, 1};
    const Arguments arguments(command, arguments_text);
    if (arguments.has("--help")) {
        print(help_text(command));
        return 0;
    }
    const MemoryLimit limit(arguments.memory());
    if (arguments.operands().empty())
        arguments.refuse("", "a capture, a trace, a session or a model", "no file");
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
    const std::vector<Head> heads =
        analysed(read_maps(file, arguments.value("--text"), arguments.value("--target")));
    const std::string table = format == "csv" ? csv_table(heads, columns) : json_table(heads, columns);
    if (output)
        write_file_atomically(*output, table);
    else
        print(table);
    return 0;
}

}  // namespace headlight
