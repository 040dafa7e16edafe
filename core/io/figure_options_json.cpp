#include "core/io/figure_options_json.h"

#include "core/figure/panel_choice.h"
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
        const std::optional<Index> index = index_up_to(most_cells_along, head);
        if (!index || std::ranges::count(heads, *index) > 0)
            object.refuse("heads", "numbers of heads from 0, each once", head.dump());
        heads.push_back(*index);
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

json cell_to_json(const NotedCell& cell) { return {{"row", cell.row}, {"column", cell.column}}; }

NotedCell cell_from_json(JsonObject object) {
    object.required("row", "the number of a row, from 0");
    object.required("column", "the number of a column, from 0");
    NotedCell cell;
    cell.row = object.integer("row", 0, 0, most_cells_along);
    cell.column = object.integer("column", 0, 0, most_cells_along);
    return cell;
}

json note_to_json(const CellNote& note) {
    json object = {{"at", cell_to_json(note.cell)}};
    if (note.from)
        object["from"] = cell_to_json(*note.from);
    if (!note.text.empty())
        object["text"] = note.text;
    return object;
}

CellNote note_from_json(JsonObject object) {
    CellNote note;
    object.required("at", "the row and the column of a cell");
    note.cell = cell_from_json(object.object("at"));
    if (object.find("from"))
        note.from = cell_from_json(object.object("from"));
    note.text = short_text(object, "text");
    if (!note.from && note.text.empty())
        object.refuse("text", "a text, or from, where an arrow starts", "neither");
    if (note.from == note.cell)
        object.refuse("from", "another cell than at", "the same");
    return note;
}

/// A panel's words: texts, and for the hand that writes a file numbers, true and false as well.
PanelWords panel_from_json(const json& words, JsonObject& object, std::size_t at) {
    const std::string pointer = pointer_to(object.pointer("panels"), at);
    const auto refuse = [&](const std::string& expected, const json& got) {
        throw Error({object.what(), pointer, expected, describe(got)});
    };
    if (!words.is_object())
        refuse("an object of words such as {\"view\": \"lines\", \"head\": 2}", words);
    PanelWords panel;
    for (const auto& [name, value] : words.items()) {
        if (value.is_boolean())
            panel[name] = value.get<bool>() ? "yes" : "no";
        else if (value.is_number())
            panel[name] = value.dump();
        else if (value.is_string())
            panel[name] = value.get<std::string>();
        else
            refuse("a text, a number, true or false for " + excerpt(name), value);
    }
    try {
        require_panel_words(panel);
    } catch (const Error& error) {
        throw error.within(pointer);
    }
    return panel;
}

std::vector<PanelWords> panels_from_json(JsonObject& object) {
    std::vector<PanelWords> panels;
    const json& list = list_at(object, "panels", "panels");
    if (list.size() > most_panels)
        object.refuse("panels", "at most " + std::to_string(most_panels) + " panels",
                      std::to_string(list.size()));
    for (std::size_t at = 0; at < list.size(); ++at)
        panels.push_back(panel_from_json(list[at], object, at));
    return panels;
}

}  // namespace

json figure_options_to_json(const FigureOptions& options) {
    json object = json::object();
    for (const auto& [name, title] : given_titles)
        if (options.*title)
            object[name] = *(options.*title);
    if (!options.panel_titles)
        object["panel_titles"] = false;
    if (!options.caption)
        object["caption"] = false;
    if (options.letters)
        object["letters"] = true;
    if (options.letters_at != LetterPlace::title)
        object["letters_at"] = to_word(options.letters_at);
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
    if (options.type.line_width)
        object["line_width"] = *options.type.line_width;
    if (!options.heads.empty())
        object["heads"] = options.heads;
    if (options.lines.most)
        object["top_k"] = *options.lines.most;
    if (options.lines.least > 0)
        object["threshold"] = options.lines.least;
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
    for (const CellNote& note : options.notes)
        object["notes"].push_back(note_to_json(note));
    if (!options.panels.empty())
        object["panels"] = options.panels;
    if (options.panel_columns)
        object["panel_columns"] = *options.panel_columns;
    if (options.one_scale)
        object["one_scale"] = true;
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
    options.caption = object.boolean("caption", true);
    options.letters = object.boolean("letters", false);
    options.letters_at = object.word("letters_at", LetterPlace::title);
    if (const auto digits = object.optional_integer("digits", 0, most_digits))
        options.digits = static_cast<int>(*digits);
    options.colour_bar = object.boolean("colour_bar", true);
    options.transparent = object.boolean("transparent", false);
    options.type.font = short_text(object, "font");
    options.type.size = type_from_json(object, "font_size");
    options.type.least_size = type_from_json(object, "least_size");
    if (const auto width = object.optional_number("line_width")) {
        if (!(*width >= thinnest_line && *width <= thickest_line))
            object.refuse("line_width", "points from 0.05 to 10", json(*width).dump());
        options.type.line_width = width;
    }
    options.heads = heads_from_json(object);
    options.lines.most = object.optional_integer("top_k", 1, most_lines_of_query);
    options.lines.least = object.number("threshold", 0);
    if (!(options.lines.least >= 0 && options.lines.least <= largest_least_line))
        object.refuse("threshold", "a number from 0 to 1000000", json(options.lines.least).dump());
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
    const json& notes = list_at(object, "notes", "notes");
    for (std::size_t at = 0; at < notes.size(); ++at)
        options.notes.push_back(
            note_from_json(JsonObject(notes[at], object.what(), pointer_to(object.pointer("notes"), at))));
    options.panels = panels_from_json(object);
    options.panel_columns = object.optional_integer("panel_columns", 1, static_cast<Index>(most_panels));
    options.one_scale = object.boolean("one_scale", false);
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
