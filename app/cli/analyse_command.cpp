#include "app/cli/analyse_command.h"

#include "app/cli/arguments.h"
#include "app/cli/asked_maps.h"
#include "app/cli/hidden_keys.h"
#include "app/cli/maps_source.h"
#include "app/cli/output.h"
#include "app/cli/standard_streams.h"
#include "app/cli/unknown_names.h"
#include "core/analysis/distance_bins.h"
#include "core/analysis/head_table.h"
#include "core/io/files.h"
#include "core/io/headvis_tree.h"
#include "core/io/shipped_models.h"
#include "core/tensor/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <unistd.h>
#include <utility>

namespace headlight {

using json = nlohmann::ordered_json;

namespace {

/// What `analyse` takes; what it says of statistics follows from their declarations.
struct AnalyseOptions {
    std::string by =
        "columns, in their order: " + list_of(statistic_names()) +
        ", or the metrics of a HeadVis tree; all that there are unless given (change is, where maps are "
        "compared, and hidden, where keys are hidden)";
    std::vector<Flag> flags{
        {"--text", "TEXT", "FILE is a model, which reads this", {}, false, nullptr, Flag::Reads::text},
        {"--target",
         "TEXT",
         "what the model is made to say, in place of its own answer",
         {},
         false,
         nullptr,
         Flag::Reads::text},
        other_option,
        other_text_option,
        units_option,
        spelling_option,
        hide_option,
        weights_option,
        {"--by", "NAME,...", by, {}, false, statistic_names},
        {"--sort",
         "NAME",
         "heads with the largest number first; by layer and head unless given",
         {},
         false,
         statistic_names},
        {"--digits", "N",
         "significant digits of each number, 1 to 17 (4 on a terminal; otherwise all of them)"},
        {"--distances", "",
         "in place of the statistics how far each head looks: of each distance the share of the keys so far "
         "away"},
        {"--format",
         "FORMAT",
         "csv (the default) or json",
         {},
         false,
         [] {
             return std::vector<std::string>{"csv", "json"};
         }},
        memory_option,
        {"--output", "FILE", "where the table goes; printed unless given, and where it is -", "-o"},
        {"--help", "", "this text", "-h"},
    };

    AnalyseOptions() = default;
    AnalyseOptions(const AnalyseOptions&) = delete;  // the flags refer to the text
};

/// The heads of a file.
struct AnalysedHeads {
    std::vector<HeadRow> rows;  ///< with a number for each of head_statistics(), or of a tree's metrics
    std::string reading;        ///< Capture::reading
};

AnalysedHeads analysed_heads(const Arguments& arguments, const std::string& file) {
    auto [maps, reading] =
        read_maps(file, asked_maps(arguments), arguments.value("--text"), arguments.value("--target"));
    if (std::ranges::any_of(maps, [](const LabelledMaps& each) { return !each.maps->left_out().empty(); }))
        throw Error(
            {"analyse", file, "whole rows, or the folder of a HeadVis tree for its metrics", "sparse rows"});
    std::vector<KeyAxis> axes;
    axes.reserve(maps.size());
    for (const LabelledMaps& each : maps)
        axes.push_back({&each.tokens, each.maps->extents().keys});
    std::vector<std::vector<Index>> hidden = hidden_keys(arguments, axes);
    for (std::size_t kind = 0; kind < maps.size() && arguments.has("--hide"); ++kind)
        maps[kind].lens.hidden_keys = std::move(hidden[kind]);
    return {head_table(maps), std::move(reading)};
}

/// The place of a name that an option gives.
std::size_t place_of(const Arguments& arguments, const char* option, const std::string& name,
                     const std::vector<std::string>& names) {
    const auto known = std::ranges::find(names, name);
    if (known == names.end())
        arguments.refuse(option, list_of(names), quoted_with_hint(name, names));
    return static_cast<std::size_t>(known - names.begin());
}

/// The heads as --sort has them: the largest number first, those without one last. Throws Error where none
/// has one: heads in their plain order would pass for sorted.
void sort_heads(const Arguments& arguments, const std::vector<std::string>& names,
                std::vector<HeadRow>& heads) {
    const auto asked = arguments.value("--sort");
    if (!asked)
        return;
    const std::size_t by = place_of(arguments, "--sort", *asked, names);
    if (std::ranges::none_of(heads, [by](const HeadRow& head) { return head.numbers[by].has_value(); }))
        throw Error({"sort heads", "--sort", "a head with " + *asked, "none"});
    std::ranges::stable_sort(heads, std::greater(), [by](const HeadRow& head) { return head.numbers[by]; });
}

/// Numbers of as many digits as --digits asks for; without it of few for a reader, and of all for a program.
void round_numbers(const Arguments& arguments, std::vector<HeadRow>& heads) {
    constexpr Index readable_digits = 4, all_digits = 17;
    const bool has_reader = !arguments.has("--output") && isatty(STDOUT_FILENO) == 1;
    const Index digits =
        arguments.integer("--digits", has_reader ? readable_digits : all_digits, 1, all_digits);
    if (digits == all_digits)
        return;
    const auto rounded = [digits](double number) {
        char text[32];
        const char* end =
            std::to_chars(text, std::end(text), number, std::chars_format::general, static_cast<int>(digits))
                .ptr;
        std::from_chars(text, end, number);
        return number;
    };
    for (HeadRow& head : heads) {
        for (auto& number : head.numbers)
            if (number)
                number = rounded(*number);
        std::ranges::transform(head.distances, head.distances.begin(), rounded);
    }
}

/// The places of the asked columns among `names`; `otherwise` where none is asked for.
std::vector<std::size_t> asked_columns(const Arguments& arguments, const std::vector<std::string>& names,
                                       std::vector<std::size_t> otherwise) {
    std::vector<std::size_t> columns;
    const auto asked = arguments.value("--by");
    if (!asked)
        return otherwise;
    for (std::size_t begin = 0; begin <= asked->size();) {
        const std::size_t end = std::min(asked->find(',', begin), asked->size());
        const std::string name = asked->substr(begin, end - begin);
        columns.push_back(place_of(arguments, "--by", name, names));
        begin = end + 1;
    }
    return columns;
}

/// A list of objects, each of a head: its place, what `add` adds, and its maps where there are several.
template <class Add>
std::string json_of_heads(const std::vector<HeadRow>& heads, const Add& add) {
    const bool has_maps = std::ranges::any_of(heads, [](const HeadRow& head) { return !head.maps.empty(); });
    json table = json::array();
    for (const HeadRow& head : heads) {
        json row = {{"layer", head.layer_number()}, {"head", head.place.head + 1}};
        add(head, row);
        if (has_maps)
            row["maps"] = head.maps;
        table.push_back(std::move(row));
    }
    return table.dump(1) + '\n';
}

std::string json_table(const std::vector<HeadRow>& heads, const std::vector<std::string>& names,
                       const std::vector<std::size_t>& columns) {
    return json_of_heads(heads, [&](const HeadRow& head, json& row) {
        for (const std::size_t column : columns) {
            const auto& number = head.numbers[column];
            row[names[column]] = number ? json(*number) : json();
        }
    });
}

std::string json_distances(const std::vector<HeadRow>& heads) {
    return json_of_heads(heads, [](const HeadRow& head, json& row) {
        const DistanceBins bins(head.queries, head.keys);
        json& distances = row["distances"] = json::array();
        for (std::size_t at = 0; at < head.distances.size(); ++at) {
            const auto bin = static_cast<Index>(at);
            distances.push_back(
                {{"from", bins.first(bin)}, {"to", bins.last(bin)}, {"share", head.distances[at]}});
        }
    });
}

/// To the file, or printed. What was made of a capture is said where nothing was refused.
void put(const std::optional<std::string>& output, const std::string& table, const std::string& file,
         const std::string& reading) {
    if (!reading.empty())
        remark(shown_file(file).string() + ": " + reading);
    if (output && !is_standard_stream(*output))
        write_file_atomically(*output, table);
    else
        print(table);
}

int analyse(const Arguments& arguments) {
    if (arguments.operands().empty())
        arguments.refuse("", "a capture, a trace, a session or a model", "no file");
    for (const char* option : {"--units", "--tokens"})
        if (arguments.has(option) && arguments.has("--text"))
            arguments.refuse(option, "a capture or a trace", "a model that reads --text");
    if (arguments.has("--target") && !arguments.has("--text"))
        arguments.refuse("--text", "what the model reads, beside --target", "nothing");
    const std::string format = arguments.value("--format").value_or("csv");
    if (format != "csv" && format != "json")
        arguments.refuse("--format", "csv or json", quoted_with_hint(format, {"csv", "json"}));
    for (const char* option : {"--by", "--sort"})
        if (arguments.has("--distances") && arguments.has(option))
            arguments.refuse(option, "statistics, or --distances in their place", "both");
    const std::string file = arguments.operands().front();
    std::error_code ignored;
    const bool is_shipped_model = !std::filesystem::exists(file, ignored) && !is_missing(file);
    if (is_shipped_model && !arguments.has("--text"))
        arguments.refuse("--text", "what the model reads", "nothing");
    if (arguments.has("--text"))
        refuse_unknown_model(file);
    const auto output = arguments.value("--output");
    if (output)
        refuse_overwriting(arguments, *output, {file});
    // A HeadVis tree has metrics of its own, which were counted on whole rows of many texts.
    std::optional<HeadVisTree> tree;
    if (!arguments.has("--text") && asked_maps(arguments).are_plain() && is_headvis_tree(file))
        tree = read_headvis_tree(file);
    for (const char* option : {"--hide", "--weights", "--distances"})
        if (tree && arguments.has(option))
            arguments.refuse(option, "whole rows",
                             "the metrics of a HeadVis tree, which are counted already");
    const bool is_json = format == "json";
    if (arguments.has("--distances")) {
        AnalysedHeads heads = analysed_heads(arguments, file);
        round_numbers(arguments, heads.rows);
        put(output, is_json ? json_distances(heads.rows) : distance_csv(heads.rows), file, heads.reading);
        return 0;
    }
    const std::vector<std::string> names = tree ? tree->metrics : statistic_names();
    AnalysedHeads heads =
        tree ? AnalysedHeads{read_headvis_metrics(*tree), {}} : analysed_heads(arguments, file);
    std::vector<std::size_t> all(names.size());
    std::iota(all.begin(), all.end(), std::size_t(0));
    const std::vector<std::size_t> columns =
        asked_columns(arguments, names, tree ? std::move(all) : known_statistics(heads.rows));
    sort_heads(arguments, names, heads.rows);
    round_numbers(arguments, heads.rows);
    put(output, is_json ? json_table(heads.rows, names, columns) : head_table_csv(heads.rows, names, columns),
        file, heads.reading);
    return 0;
}

}  // namespace

int analyse_command(const CommandUse& use) {
    static constexpr HelpSection sections[] = {
        {"What is counted", "--text"}, {"The table", "--by"}, {"And", "--memory"}};
    const AnalyseOptions options;
    const Command command{
        "analyse",
        "FILE [options] [-o FILE]",
        "A row for each head of a capture, a trace, a session or a model, with a column for "
        "each statistic of what it looks at. Layers and heads are counted from 1. A FILE or TEXT that is - "
        "comes from standard input.",
        options.flags,
        1,
        nullptr,
        true,
        sections,
        R"(  headlight analyse capture.npz --by entropy,distance --sort entropy
  headlight analyse dates-additive-gru --text "3rd of May 1979" --format json
  cat capture.npz | headlight analyse - --hide 1 | column -s, -t
)"};
    return use(command, analyse);
}

}  // namespace headlight
