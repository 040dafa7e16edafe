#include "app/cli/list_command.h"

#include "app/cli/arguments.h"
#include "app/cli/catalogue_json.h"
#include "app/cli/list_picture.h"
#include "app/cli/offered_words.h"
#include "app/cli/output.h"
#include "core/analysis/cost_growth.h"
#include "core/catalog/search.h"
#include "core/figure/view_settings.h"

#include <algorithm>

namespace headlight {

using json = nlohmann::ordered_json;

namespace {

constexpr Flag list_options[] = {
    {"--search", "QUERY",
     "the mechanisms that it finds, the best first, and why: words of names, families and papers, years "
     "(2020-2022, before 2018), properties (causal, linear in tokens), models (used in Qwen3)"},
    {"--json", "", "everything, for scripts; with --search what it finds"},
    {"--timeline", "", "a picture: mechanisms by family and year; with --search of what it finds"},
    {"--tree", "",
     "a picture: in each family who comes from whom, by what entries declare to be equal or related"},
    {"--theme",
     "THEME",
     "of a picture: paper, or another, as render has them; paper unless given",
     {},
     false,
     spellings<FigureTheme>},
    {"--width",
     "WIDTH",
     "of a picture: 420mm, 1600px, or the name of a place, as render has them",
     {},
     false,
     width_names},
    {"--dpi", "N", "of a picture: dots per inch where it is made of pixels (300)"},
    {"--output", "FILE",
     "where the picture goes: a name that ends as those of render do; or - for standard output", "-o"},
    {"--format", "FORMAT", "what -o - writes: the ending of a name, as in svg (png)"},
    {"--help", "", "this text", "-h"},
};
constexpr std::string_view list_examples =
    R"(  headlight list --search "linear 2020"
  headlight list --search "causal used in Qwen3-Next"
  headlight list --timeline -o timeline.pdf
  headlight list --search positions --tree --theme dark -o positions.svg
)";
constexpr Command list_usage{"list",
                             "[--search QUERY] [--json | --timeline -o FILE | --tree -o FILE]",
                             "Lists the mechanisms and their parameters, the words of a spec, parameters, "
                             "stages, colour maps, words of a panel, trained models, tasks and lessons.",
                             list_options,
                             0,
                             nullptr,
                             false,
                             {},
                             list_examples};

/// Aligned columns; the last is as long as it likes.
class Table {
public:
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

    std::string text() const {
        std::vector<std::size_t> widths;
        for (const auto& row : rows_) {
            widths.resize(std::max(widths.size(), row.size()));
            for (std::size_t i = 0; i < row.size(); ++i)
                widths[i] = std::max(widths[i], row[i].size());
        }
        std::string text;
        for (const auto& row : rows_) {
            std::string line = " ";
            for (std::size_t i = 0; i < row.size(); ++i) {
                line += ' ' + row[i];
                if (i + 1 < row.size())
                    line.append(widths[i] - row[i].size() + 1, ' ');
            }
            text += line.erase(line.find_last_not_of(' ') + 1) + '\n';
        }
        return text;
    }

private:
    std::vector<std::vector<std::string>> rows_;
};

std::string joined(const json& list, const char* separator, const char* field = nullptr) {
    std::string text;
    for (const json& item : list)
        text += (text.empty() ? "" : separator) + (field ? item.at(field) : item).get<std::string>();
    return text;
}

std::string plain(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// "0.05 to 20", "dot | general"
std::string range_of(const json& knob) {
    if (knob.contains("choices"))
        return joined(knob["choices"], " | ");
    if (knob.contains("minimum"))
        return json(knob["minimum"]).dump() + " to " + json(knob["maximum"]).dump();
    return "true | false";
}

/// "Nadaraya, On Estimating Regression, 1964; Watson, Smooth Regression Analysis, 1964"
std::string papers_text(const json& papers) {
    std::string text;
    for (const json& paper : papers)
        text += (text.empty() ? "" : "; ") + plain(paper["citation"]) + ", " + plain(paper["year"]);
    return text;
}

std::string mechanisms_text(const json& mechanisms) {
    std::string text = "Mechanisms, each with what --set takes\n";
    for (const json& mechanism : mechanisms) {
        text += "\n  " + plain(mechanism["id"]) + ": " + plain(mechanism["name"]) + " (" +
                papers_text(mechanism["papers"]) + ")\n";
        Table knobs;
        for (const json& knob : mechanism["parameters"])
            knobs.add({"  " + plain(knob["name"]) + "=" + plain(knob["default"]), range_of(knob),
                       plain(knob["help"])});
        text += knobs.text();
    }
    return text;
}

std::string spec_text(const json& fields) {
    Table table;
    for (const json& field : fields) {
        const std::string standard = field.contains("default") ? plain(field["default"]) : "";
        const std::string accepted =
            field.contains("words") ? joined(field["words"], " | ", "word") : plain(field["kind"]);
        table.add({plain(field["field"]), standard, accepted});
    }
    return "\nA spec's fields, with their defaults\n" + table.text();
}

std::string table_text(const char* title, const json& rows, const char* name, const char* meaning) {
    Table table;
    for (const json& row : rows)
        table.add({plain(row[name]),
                   row[meaning].is_array() ? '[' + joined(row[meaning], ", ") + ']' : plain(row[meaning])});
    return '\n' + std::string(title) + '\n' + table.text();
}

std::string catalogue_text(const json& catalogue) {
    return mechanisms_text(catalogue["mechanisms"]) + spec_text(catalogue["spec"]) +
           table_text("Parameters, stored (in, out)", catalogue["parameters"], "name", "meaning") +
           table_text("Stages of a trace", catalogue["stages"], "name", "axes") +
           table_text("Token vectors", catalogue["vectors"], "word", "meaning") +
           table_text("Colour maps", catalogue["colour_maps"], "name", "label") +
           table_text("Words of a panel (render --panel)", catalogue["panel_words"], "word", "meaning") +
           (catalogue["models"].empty() ? std::string()
                                        : table_text("Trained models", catalogue["models"], "name", "task")) +
           table_text("Tasks to train a model on", catalogue["tasks"], "id", "name") +
           table_text("Lessons", catalogue["lessons"], "id", "title");
}

json found_json(const std::string& query, std::span<const FoundMechanism> found) {
    json list = json::array();
    for (const FoundMechanism& each : found)
        list.push_back({{"id", each.mechanism->id},
                        {"name", each.mechanism->name},
                        {"family", each.mechanism->family},
                        {"year", each.mechanism->year()},
                        {"why", each.why}});
    return {{"query", query}, {"found", std::move(list)}};
}

std::string found_text(std::span<const FoundMechanism> found) {
    Table table;
    for (const FoundMechanism& each : found)
        table.add(
            {each.mechanism->id, each.mechanism->name, std::to_string(each.mechanism->year()), each.why});
    return table.text();
}

int list(const Arguments& arguments) {
    const bool is_picture = asks_for_picture(arguments);
    if (const auto query = arguments.value("--search")) {
        const std::vector<FoundMechanism> found = find_mechanisms(*query, is_linear_in_tokens);
        if (is_picture) {
            if (found.empty())
                arguments.refuse("--search", "what some mechanism is like", '"' + excerpt(*query) + '"');
            std::vector<Mechanism> drawn;
            for (const FoundMechanism& each : found)
                drawn.push_back(*each.mechanism);
            write_list_picture(arguments, drawn);
            return 0;
        }
        print(arguments.has("--json") ? found_json(*query, found).dump(2) + '\n' : found_text(found));
        if (found.empty())
            remark("No mechanism is like this: " + excerpt(*query));
        return 0;
    }
    if (is_picture) {
        write_list_picture(arguments, mechanisms());
        return 0;
    }
    print(arguments.has("--json") ? catalogue_json().dump(2) + '\n' : catalogue_text(catalogue_json()));
    return 0;
}

}  // namespace

int list_command(const CommandUse& use) { return use(list_usage, list); }

}  // namespace headlight
