#include "core/io/figure_options_json.h"

#include "core/io/json_text.h"
#include "core/tensor/error.h"
#include "core/text/token_pattern.h"

#include <algorithm>
#include <utility>

namespace headlight {

using nlohmann::json;

namespace {

constexpr Index most_cells_along = 1'000'000'000;

/// The texts that may stand in place of ours, by their names in the file.
constexpr std::pair<const char*, std::optional<std::string> FigureOptions::*> given_titles[] = {
    {"title", &FigureOptions::title},
    {"subtitle", &FigureOptions::subtitle},
    {"x_title", &FigureOptions::x_title},
    {"y_title", &FigureOptions::y_title},
    {"bar_title", &FigureOptions::bar_title}};

json slice_to_json(const AxisSlice& slice) { return {{"first", slice.first}, {"count", slice.count}}; }

AxisSlice slice_from_json(JsonObject object) {
    AxisSlice slice;
    slice.first = object.integer("first", 0, 0, most_cells_along);
    slice.count = object.integer("count", 1, 1, most_cells_along);
    return slice;
}

std::string short_text(JsonObject& object, const char* name) {
    std::string text = object.text(name, {});
    if (text.size() > longest_title)
        object.refuse(name, "at most " + std::to_string(longest_title) + " bytes",
                      std::to_string(text.size()));
    return text;
}

std::optional<double> type_from_json(JsonObject& object, const char* name) {
    const auto size = object.optional_number(name);
    if (size && !(*size >= smallest_type && *size <= largest_type))
        object.refuse(name, "points from 2 to 72", json(*size).dump());
    return size;
}

/// An array of at most most_listed entries, empty where there is none.
const json& list_at(JsonObject& object, const char* name, const std::string& expected) {
    static const json none = json::array();
    const json* list = object.find(name);
    if (!list)
        return none;
    if (!list->is_array() || list->size() > most_listed)
        object.refuse(name, "a list of at most " + std::to_string(most_listed) + ' ' + expected,
                      describe(*list));
    return *list;
}

std::vector<Index> heads_from_json(JsonObject& object) {
    std::vector<Index> heads;
    for (const json& head : list_at(object, "heads", "numbers")) {
        const bool is_index = head.is_number_unsigned() && head.get<std::uint64_t>() <= most_cells_along;
        if (!is_index || std::ranges::count(heads, head.get<Index>()) > 0)
            object.refuse("heads", "numbers of heads from 0, each once", head.dump());
        heads.push_back(head.get<Index>());
    }
    return heads;
}

std::map<std::string, std::string> renamed_from_json(JsonObject& object) {
    std::map<std::string, std::string> renamed;
    const json* list = object.find("renamed");
    if (!list)
        return renamed;
    if (!list->is_object() || list->size() > most_listed)
        object.refuse("renamed", "an object of at most " + std::to_string(most_listed) + " labels by name",
                      describe(*list));
    for (const auto& [label, other] : list->items()) {
        if (!other.is_string() || other.get<std::string>().size() > longest_title)
            object.refuse("renamed",
                          "for each label a text of at most " + std::to_string(longest_title) + " bytes",
                          describe(other));
        renamed[label] = other.get<std::string>();
    }
    return renamed;
}

}  // namespace

json figure_options_to_json(const FigureOptions& options) {
    json object = json::object();
    for (const auto& [name, title] : given_titles)
        if (options.*title)
            object[name] = *(options.*title);
    if (!options.panel_titles)
        object["panel_titles"] = false;
    if (options.letters)
        object["letters"] = true;
    if (options.digits)
        object["digits"] = *options.digits;
    if (!options.colour_bar)
        object["colour_bar"] = false;
    if (options.transparent)
        object["transparent"] = true;
    if (!options.type.font.empty())
        object["font"] = options.type.font;
    if (options.type.size)
        object["font_size"] = *options.type.size;
    if (options.type.least_size)
        object["least_size"] = *options.type.least_size;
    if (!options.heads.empty())
        object["heads"] = options.heads;
    if (options.rows)
        object["rows"] = slice_to_json(*options.rows);
    if (options.columns)
        object["columns"] = slice_to_json(*options.columns);
    if (!options.hidden_labels.empty())
        object["hidden_labels"] = options.hidden_labels;
    if (!options.renamed.empty())
        object["renamed"] = options.renamed;
    for (const MarkedCells& mark : options.marks)
        object["marks"].push_back(
            {{"rows", slice_to_json(mark.rows)}, {"columns", slice_to_json(mark.columns)}});
    return object;
}

namespace {

/// Asks for every field that there is.
FigureOptions read_options(JsonObject& object) {
    FigureOptions options;
    for (const auto& [name, title] : given_titles)
        if (object.find(name))
            options.*title = short_text(object, name);
    options.panel_titles = object.boolean("panel_titles", true);
    options.letters = object.boolean("letters", false);
    if (const auto digits = object.optional_integer("digits", 0, most_digits))
        options.digits = static_cast<int>(*digits);
    options.colour_bar = object.boolean("colour_bar", true);
    options.transparent = object.boolean("transparent", false);
    options.type.font = short_text(object, "font");
    options.type.size = type_from_json(object, "font_size");
    options.type.least_size = type_from_json(object, "least_size");
    options.heads = heads_from_json(object);
    if (object.find("rows"))
        options.rows = slice_from_json(object.object("rows"));
    if (object.find("columns"))
        options.columns = slice_from_json(object.object("columns"));
    options.hidden_labels = object.text("hidden_labels", {});
    if (!options.hidden_labels.empty()) {
        try {
            const TokenPattern pattern(options.hidden_labels);
        } catch (const Error& error) {
            throw error.within(object.pointer("hidden_labels"));
        }
    }
    options.renamed = renamed_from_json(object);
    const json& marks = list_at(object, "marks", "marks");
    for (std::size_t at = 0; at < marks.size(); ++at) {
        JsonObject mark(marks[at], object.what(), pointer_to(object.pointer("marks"), at));
        options.marks.push_back(
            {slice_from_json(mark.object("rows")), slice_from_json(mark.object("columns"))});
    }
    return options;
}

}  // namespace

FigureOptions figure_options_from_json(JsonObject object) { return read_options(object); }

FigureOptions parse_figure_options(std::string_view text) {
    const JsonDocument document = parse_json(text);
    JsonObject object(document, "read figure options");
    FigureOptions options = read_options(object);
    object.refuse_other_fields();
    return options;
}

}  // namespace headlight
