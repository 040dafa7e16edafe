#include "app/cli/list_command.h"

#include "app/cli/arguments.h"
#include "app/cli/catalogue_json.h"
#include "app/cli/output.h"

#include <algorithm>

namespace headlight {

using json = nlohmann::ordered_json;

namespace {

constexpr Flag list_options[] = {
    {"--json", "", "everything, for scripts"},
    {"--help", "", "this text", "-h"},
};
constexpr Command list_usage{"list", "[--json]",
                             "Lists the mechanisms and their parameters, the words of a spec, parameters, "
                             "stages, colour maps, words of a panel, trained models, tasks and lessons.",
                             list_options};

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

int list(const Arguments& arguments) {
    print(arguments.has("--json") ? catalogue_json().dump(2) + '\n' : catalogue_text(catalogue_json()));
    return 0;
}

}  // namespace

int list_command(const CommandUse& use) { return use(list_usage, list); }

}  // namespace headlight
