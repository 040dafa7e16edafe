#include "app/cli/figure_flags.h"

#include "core/catalog/mechanism.h"
#include "core/figure/apply_options.h"
#include "core/figure/panel_choice.h"
#include "core/figure/view.h"
#include "core/io/figure_options_json.h"
#include "core/io/figure_source.h"
#include "core/io/files.h"
#include "core/tensor/number_text.h"
#include "core/text/token_pattern.h"
#include "ui/render/typeface.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>

namespace headlight {
namespace {

std::optional<std::string> given_text(const Arguments& arguments, const char* option,
                                      const std::optional<std::string>& otherwise) {
    const auto text = arguments.value(option);
    if (text && text->size() > longest_title)
        arguments.refuse(option, "at most " + std::to_string(longest_title) + " bytes",
                         std::to_string(text->size()));
    return text ? text : otherwise;
}

std::optional<double> given_points(const Arguments& arguments, const char* option,
                                   const std::optional<double>& otherwise) {
    const auto word = arguments.value(option);
    if (!word)
        return otherwise;
    const auto points = points_from_word(*word);
    if (!points)
        arguments.refuse(option, "points from 2pt to 72pt", '"' + excerpt(*word) + '"');
    return points;
}

std::optional<AxisSlice> given_slice(const Arguments& arguments, const char* option,
                                     const std::optional<AxisSlice>& otherwise) {
    const auto word = arguments.value(option);
    if (!word || !is_slice_word(*word))
        return otherwise;
    const auto slice = slice_from_word(*word);
    if (!slice)
        arguments.refuse(option, slice_words, '"' + excerpt(*word) + '"');
    return slice;
}

/// Refuses two options that would contradict each other.
void refuse_both(const Arguments& arguments, const char* one, const char* other) {
    if (arguments.has(one) && arguments.has(other))
        arguments.refuse(other, std::string("no ") + one, "both");
}

void require_pattern(const Arguments& arguments, const std::string& expression) {
    try {
        const TokenPattern pattern(expression);
    } catch (const Error& error) {
        const std::string& where = error.detail().where;
        arguments.refuse("--hide-tokens", "a regular expression, " + error.detail().expected,
                         error.detail().got + (where.empty() ? "" : ", wrong at " + where));
    }
}

std::vector<Index> given_heads(const Arguments& arguments) {
    const std::string word = *arguments.value("--heads");
    const auto heads = heads_from_word(word);
    if (!heads)
        arguments.refuse("--heads", heads_words, '"' + excerpt(word) + '"');
    return *heads;
}

std::vector<MarkedCells> given_marks(const Arguments& arguments) {
    std::vector<MarkedCells> marks;
    for (const std::string& word : arguments.values("--mark")) {
        const auto mark = mark_from_word(word);
        if (!mark || marks.size() == most_listed)
            arguments.refuse("--mark", mark_words, '"' + excerpt(word) + '"');
        marks.push_back(*mark);
    }
    return marks;
}

std::vector<CellNote> given_notes(const Arguments& arguments) {
    std::vector<CellNote> notes;
    for (const std::string& word : arguments.values("--note")) {
        const auto note = note_from_word(word);
        if (!note && word.size() > longest_title)
            arguments.refuse("--note", "at most " + std::to_string(longest_title) + " bytes",
                             std::to_string(word.size()));
        if (!note || notes.size() == most_listed)
            arguments.refuse("--note", note_words, '"' + excerpt(word) + '"');
        notes.push_back(*note);
    }
    return notes;
}

/// The words of one panel, its files by their whole paths.
PanelWords given_panel(const Arguments& arguments, const char* option, const std::string& words) {
    try {
        PanelWords panel = parse_panel_words(words);
        if (const auto file = panel.find("file"); file != panel.end())
            file->second = whole_paths(file->second);
        if (const auto id = panel.find("mechanism"); id != panel.end())
            mechanism(id->second);
        return panel;
    } catch (const Error& error) {
        const ErrorDetail& detail = error.detail();
        arguments.refuse(detail.where.empty() ? option : option + (' ' + detail.where), detail.expected,
                         detail.got);
    }
}

/// Those of every option that asks for some, in the order of a reader: strips behind panels.
std::vector<PanelWords> given_panels(const Arguments& arguments) {
    std::vector<PanelWords> panels;
    for (const std::string& words : arguments.values("--panel"))
        panels.push_back(given_panel(arguments, "--panel", words));
    for (const auto& [option, beginning] :
         {std::pair("--steps", "view=steps steps="), std::pair("--stages", "view=heatmap stages=")})
        if (const auto list = arguments.value(option))
            panels.push_back(given_panel(arguments, option, beginning + *list));
    if (const auto subject = asked_subject(arguments))
        panels.push_back({{"view", *subject}});
    if (panels.size() > most_panels)
        arguments.refuse("--panel", "at most " + std::to_string(most_panels), std::to_string(panels.size()));
    return panels;
}

std::string views_of_heads() {
    std::vector<std::string> words;
    for (const View& each : views())
        if (each.chooses_heads())
            words.emplace_back(to_word(each.kind));
    return list_of(words);
}

void require_heads(const Arguments& arguments, const ViewSettings& settings, const Figure& figure) {
    if (!view(settings.view).chooses_heads())
        arguments.refuse("--heads", "a view of several heads: " + views_of_heads(),
                         std::string(to_word(settings.view)));
    const Index heads = heads_to_choose(figure);
    for (const Index head : settings.options.heads)
        if (head >= heads)
            arguments.refuse("--heads",
                             heads == 1 ? "only head 1: there is no other"
                                        : "heads from 1 to " + std::to_string(heads),
                             std::to_string(head + 1));
}

void require_within(const Arguments& arguments, const char* option, const char* what, const AxisSlice& slice,
                    Index extent) {
    if (slice.first + slice.count > extent)
        arguments.refuse(option, std::string(what) + " from 1 to " + std::to_string(extent),
                         slice.count == 1 ? std::to_string(slice.first + 1) : slice_word(slice));
}

}  // namespace

std::vector<Flag> figure_flags() {
    return {
        {"--figure",
         "FILE",
         "titles, type and the like from a JSON file, as view.figure of a session has them; options win over "
         "it",
         {},
         false,
         nullptr,
         Flag::Reads::file},
        {"--title", "TEXT", "of the figure, in place of ours; an empty text leaves a title out"},
        {"--subtitle", "TEXT", "under the title, in place of what stands under those of the matrices"},
        {"--x-title", "TEXT", "of the columns, as in source"},
        {"--y-title", "TEXT", "of the rows, as in target"},
        {"--bar-title", "TEXT", "of the colour bar, where the figure has one for all"},
        {"--no-panel-titles", "", "the matrices without titles"},
        {"--no-notes", "", "no notes under the figure: they are printed, for a caption of one's own"},
        {"--letters", "", "(a), (b), ... before the titles of the matrices, or in their place"},
        {"--letters-at",
         "PLACE",
         "letters: title (before it, the default), outside or inside the matrices' corners",
         {},
         false,
         spellings<LetterPlace>},
        {"--values", "", "numbers in the cells, where they fit"},
        {"--no-values", "", "no numbers in the cells"},
        {"--digits", "N", "behind the point, of numbers in cells; as many as fit unless given"},
        {"--no-bar", "", "no colour bar"},
        {"--transparent", "", "no background"},
        {"--font", "NAME", "a font family of this system, for all text"},
        {"--font-size", "SIZE", "of the labels, as in 7pt; titles keep their proportion to it"},
        {"--least-size", "SIZE", "as in 5pt: no text is smaller; labels that do not fit are left out"},
        {"--line-width", "WIDTH",
         "as in 0.5pt: of the frames of matrices; all other lines keep their proportion to it"},
        {"--heads", "LIST",
         "grid, image: these heads alone, as in 1,3-5; lines: these, each in a colour; draws grid unless "
         "--view "
         "says"},
        {"--top-k", "N", "lines: the N strongest of each query"},
        {"--threshold", "X", "lines: no number that is smaller, whatever its sign, as in 0.05"},
        {"--hide-tokens", "REGEX", "does not write labels that the regular expression is found in"},
        {"--mark", "ROW,COLUMN", "frames a cell, or a rectangle as in 3-4,5-9; may be repeated", {}, true},
        {"--note",
         "PLACE TEXT",
         "a text at a cell, as in \"3,5 the verb\", or at the start of an arrow, as in \"1,9>3,5 the verb\"; "
         "may be repeated",
         {},
         true},
        {"--panel",
         "WORDS",
         "a panel of a figure of several, as in \"view=lines head=2\" (headlight list has the words); may be "
         "repeated",
         {},
         true},
        {"--panel-columns", "N",
         "panels in a row, unless one begins a new row; of the views grid and image, heads in a row"},
        {"--one-scale", "", "one colour scale for all panels"},
        {"--steps", "LIST", "the steps view at each of these steps, side by side, as in 1,3-5"},
        {"--stages", "LIST", "these stages side by side, as in scores,weights"},
    };
}

std::optional<FigureOptions> figure_options_in_file(const Arguments& arguments) {
    const auto path = arguments.value("--figure");
    if (!path)
        return std::nullopt;
    constexpr std::size_t largest_options = std::size_t(4) << 20;
    const std::string text = read_file(*path, largest_options);
    try {
        FigureOptions options = parse_figure_options(text);
        const std::filesystem::path folder = std::filesystem::path(*path).parent_path();
        for (PanelWords& panel : options.panels)
            if (const auto file = panel.find("file"); file != panel.end())
                file->second = whole_paths(file->second, folder);
        return options;
    } catch (const Error& error) {
        throw error.within(*path);
    }
}

bool is_slice_word(const std::string& word) {
    const bool begins_with_digit = !word.empty() && std::isdigit(static_cast<unsigned char>(word.front()));
    return begins_with_digit || word.find("..") != std::string::npos;
}

std::optional<std::string> asked_subject(const Arguments& arguments) {
    const auto typed = arguments.value("--view");
    const std::vector<std::string> known = panel_subjects();
    return typed && std::ranges::count(known, *typed) > 0 ? typed : std::nullopt;
}

ViewSettings with_figure_flags(const Arguments& arguments, ViewSettings view) {
    FigureOptions& options = view.options;
    refuse_both(arguments, "--values", "--no-values");
    refuse_both(arguments, "--no-values", "--digits");
    refuse_both(arguments, "--no-bar", "--bar-title");
    if (arguments.has("--values") || arguments.has("--no-values"))
        view.values_in_cells = arguments.has("--values");
    options.title = given_text(arguments, "--title", options.title);
    options.subtitle = given_text(arguments, "--subtitle", options.subtitle);
    options.x_title = given_text(arguments, "--x-title", options.x_title);
    options.y_title = given_text(arguments, "--y-title", options.y_title);
    options.bar_title = given_text(arguments, "--bar-title", options.bar_title);
    options.panel_titles &= !arguments.has("--no-panel-titles");
    options.caption &= !arguments.has("--no-notes");
    options.letters |= arguments.has("--letters");
    if (arguments.has("--digits"))
        options.digits = static_cast<int>(arguments.integer("--digits", 0, 0, most_digits));
    options.colour_bar &= !arguments.has("--no-bar");
    options.transparent |= arguments.has("--transparent");
    options.type.font = arguments.value("--font").value_or(options.type.font);
    options.type.size = given_points(arguments, "--font-size", options.type.size);
    options.type.least_size = given_points(arguments, "--least-size", options.type.least_size);
    if (options.type.size && options.type.least_size && *options.type.least_size > *options.type.size)
        arguments.refuse("--least-size",
                         "no more than the size of the font, " + number_text(*options.type.size) + "pt",
                         number_text(*options.type.least_size) + "pt");
    if (const auto width = arguments.value("--line-width")) {
        options.type.line_width = line_width_from_word(*width);
        if (!options.type.line_width)
            arguments.refuse("--line-width", "points from 0.05pt to 10pt", '"' + excerpt(*width) + '"');
    }
    if (arguments.has("--heads"))
        options.heads = given_heads(arguments);
    else if (arguments.has("--head") && headlight::view(view.view).overlays_heads)
        options.heads.clear();  // those of the session: one head is asked for
    if (arguments.has("--top-k"))
        options.lines.most = arguments.integer("--top-k", 1, 1, most_lines_of_query);
    options.lines.least = arguments.number("--threshold", options.lines.least, 0, largest_least_line);
    options.rows = given_slice(arguments, "--rows", options.rows);
    options.columns = given_slice(arguments, "--columns", options.columns);
    if (const auto expression = arguments.value("--hide-tokens")) {
        require_pattern(arguments, *expression);
        options.hidden_labels = *expression;
    }
    if (arguments.has("--mark"))
        options.marks = given_marks(arguments);
    if (arguments.has("--note"))
        options.notes = given_notes(arguments);
    options.letters_at = arguments.word("--letters-at", options.letters_at);
    options.letters |= arguments.has("--letters-at");
    if (std::vector<PanelWords> panels = given_panels(arguments); !panels.empty())
        options.panels = std::move(panels);
    else if (arguments.has("--view") && !arguments.has("--figure"))
        options.panels.clear();  // those of the session: one view is asked for
    if (arguments.has("--panel-columns"))
        options.panel_columns = arguments.integer("--panel-columns", 1, 1, static_cast<Index>(most_panels));
    options.one_scale |= arguments.has("--one-scale");
    return view;
}

void require_chosen(const Arguments& arguments, const ViewSettings& settings, const Figure& figure) {
    if (arguments.has("--heads"))
        require_heads(arguments, settings, figure);
    for (const char* option : {"--top-k", "--threshold"})
        if (arguments.has(option) && !view(settings.view).overlays_heads)
            arguments.refuse(option, "the view lines", '"' + std::string(to_word(settings.view)) + '"');
    const Panel* leading = leading_map(figure);
    const auto asked = [&](const char* option) {
        const auto word = arguments.value(option);
        const bool is_asked = word && (option == std::string("--mark") || option == std::string("--note") ||
                                       is_slice_word(*word));
        if (is_asked && !leading)
            arguments.refuse(option, "a view of matrices, such as heatmap or grid",
                             std::string(to_word(settings.view)));
        return is_asked;
    };
    if (asked("--rows"))
        require_within(arguments, "--rows", "rows", *settings.options.rows, rows_to_choose(*leading));
    if (asked("--columns"))
        require_within(arguments, "--columns", "columns", *settings.options.columns,
                       columns_to_choose(*leading));
    for (const char* option : {"--mark", "--note"})
        if (asked(option) && leading->kind != Panel::Kind::heatmap)
            arguments.refuse(option, "a view of cells, such as heatmap or grid",
                             std::string(to_word(settings.view)));
    if (arguments.has("--mark"))
        for (const MarkedCells& mark : settings.options.marks) {
            require_within(arguments, "--mark", "rows", mark.rows, leading->rows);
            require_within(arguments, "--mark", "columns", mark.columns, leading->columns);
        }
    if (arguments.has("--note"))
        for (const CellNote& note : settings.options.notes)
            for (const NotedCell& cell : {note.cell, note.from.value_or(note.cell)}) {
                require_within(arguments, "--note", "rows", {cell.row, 1}, leading->rows);
                require_within(arguments, "--note", "columns", {cell.column, 1}, leading->columns);
            }
}

void require_font(const Arguments& arguments) {
    const auto font = arguments.value("--font");
    if (!font || font->empty() || !known_family(QString::fromStdString(*font)).isEmpty())
        return;
    std::vector<std::string> families;
    for (const QString& family : font_families())
        families.push_back(family.toStdString());
    // Whose names begin alike: there may be hundreds.
    constexpr std::size_t most_named = 6;
    const QString beginning = QString::fromStdString(*font).first(1);
    std::vector<std::string> near;
    std::ranges::copy_if(families, std::back_inserter(near), [&](const std::string& family) {
        return QString::fromStdString(family).startsWith(beginning, Qt::CaseInsensitive);
    });
    if (near.empty())
        near = families;
    near.resize(std::min(near.size(), most_named));
    arguments.refuse("--font",
                     "a font family of this system, such as " + list_of(near) + " (of " +
                         std::to_string(families.size()) + ')',
                     quoted_with_hint(*font, families));
}

}  // namespace headlight
