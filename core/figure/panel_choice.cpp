#include "core/figure/panel_choice.h"

#include "core/figure/colour.h"
#include "core/figure/view.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace headlight {
namespace {

constexpr const char* read_panel = "read a panel";
constexpr Index most_cost_tokens = 16384;

constexpr std::pair<std::string_view, PanelSubject> subjects[] = {
    {"beam", PanelSubject::beam}, {"learning", PanelSubject::learning}, {"costs", PanelSubject::costs}};

std::optional<Index> panel_number(const std::string& word, Index least, Index most) {
    Index number = 0;
    const char* end = word.data() + word.size();
    const auto result = std::from_chars(word.data(), end, number);
    const bool is_one = result.ec == std::errc() && result.ptr == end && number >= least && number <= most;
    return is_one ? std::optional(number) : std::nullopt;
}

std::optional<double> panel_share(const std::string& word) {
    double number = 0;
    const char* end = word.data() + word.size();
    const auto result = std::from_chars(word.data(), end, number);
    const bool is_one = result.ec == std::errc() && result.ptr == end && number >= 0.1 && number <= 10;
    return is_one ? std::optional(number) : std::nullopt;
}

/// Puts what a word means into its place; false where the word means nothing.
template <class Value, class Place>
bool take(const std::optional<Value>& value, Place& place) {
    if (value)
        place = *value;
    return value.has_value();
}

bool take_text(const std::string& value, std::optional<std::string>& place) {
    place = value;
    return value.size() <= longest_title;
}

bool choose_view(PanelChoice& choice, const std::string& value) {
    const auto subject =
        std::ranges::find(subjects, value, &std::pair<std::string_view, PanelSubject>::first);
    if (subject != std::end(subjects)) {
        choice.shows = subject->second;
        return true;
    }
    for (const View& each : views())
        if (each.kind.word() == value) {
            choice.view.view = each.kind;
            return true;
        }
    return false;
}

bool choose_map(PanelChoice& choice, const std::string& value) {
    choice.view.colour_map = value;
    return std::ranges::any_of(colour_maps(), [&](const ColourMap& map) { return map.name == value; });
}

bool choose_scale(PanelChoice& choice, const std::string& value) {
    choice.view.scale = value == "log" ? ScaleKind::logarithmic : ScaleKind::linear;
    return value == "log" || value == "linear";
}

/// Whether each of the parts of `value` is one; parts have no blanks around them.
template <class Take>
bool take_each(std::string_view value, char between, const Take& take_part) {
    while (true) {
        const std::size_t end = value.find(between);
        std::string_view part = value.substr(0, end);
        part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
        part = part.substr(0, part.find_last_not_of(' ') + 1);
        if (part.empty() || !take_part(part))
            return false;
        if (end == std::string_view::npos)
            return true;
        value.remove_prefix(end + 1);
    }
}

bool choose_stages(PanelChoice& choice, const std::string& value) {
    return take_each(value, ',', [&](std::string_view part) {
        choice.stages.emplace_back(part);
        return choice.stages.size() <= most_panels;
    });
}

/// Those of the panel stand in place of those of the figure.
template <class Mark>
bool choose_marks(const std::string& value, std::optional<Mark> (*read)(std::string_view),
                  std::vector<Mark>& place) {
    place.clear();
    return take_each(value, ';', [&](std::string_view part) {
        const auto mark = read(part);
        if (mark)
            place.push_back(*mark);
        return mark && place.size() <= most_listed;
    });
}

using Choice = PanelChoice;
using Value = const std::string&;
constexpr std::string_view yes_or_no = "yes or no";
constexpr Index largest_panel_number = 1'000'000'000;

const PanelWord all_words[] = {
    {"view", "VIEW", "a view, or beam, learning or costs; that of the figure unless given",
     "a view, or beam, learning or costs", choose_view},
    {"file", "FILE",
     "drawn from another file: a trace, a session, a capture, a figure, or for learning what a training "
     "wrote",
     "a path",
     [](Choice& choice, Value value) {
         choice.file = value;
         return !value.empty();
     }},
    {"mechanism", "ID", "another mechanism of the catalogue on the session's tokens",
     "an id of the catalogue",
     [](Choice& choice, Value value) {
         choice.mechanism = value;
         return !value.empty();
     }},
    {"untouched", "yes", "the run before what was changed inside the model, or the other text", yes_or_no,
     [](Choice& choice, Value value) { return take(answer_from_word(value), choice.is_untouched); }},
    {"differences", "yes", "what the changes make of the map, as --differences", yes_or_no,
     [](Choice& choice, Value value) { return take(answer_from_word(value), choice.view.differences); }},
    {"site", "SITE", "place in a model", "a site",
     [](Choice& choice, Value value) {
         choice.view.selection.site = value;
         return true;
     }},
    {"layer", "N", "from 1, as --layer; with site=encoder, decoder or cross, of that kind", "a number from 1",
     [](Choice& choice, Value value) {
         const auto number = panel_number(value, 1, largest_panel_number);
         if (number)
             choice.layer = *number - 1;
         return number.has_value();
     }},
    {"stage", "STAGE", "any stage that there is", "a stage",
     [](Choice& choice, Value value) {
         choice.view.selection.stage = value;
         return !value.empty();
     }},
    {"stages", "LIST", "a panel for each of these stages, as in scores,weights",
     "stages, separated by commas", choose_stages},
    {"head", "N", "from 1; mean, maximum or rollout: one map in place of all heads",
     "a number from 1, mean, maximum or rollout",
     [](Choice& choice, Value value) {
         choice.view.pooled = value_of<PooledHeads>(value);
         if (choice.view.pooled)
             return true;
         const auto number = panel_number(value, 1, largest_panel_number);
         if (number) {
             choice.head = choice.view.selection.head = *number - 1;
             choice.view.options.heads = {*choice.head};  // also where the figure has others
         }
         return number.has_value();
     }},
    {"layers", "HOW", "mean or maximum: one map in place of those of all layers", "mean or maximum",
     [](Choice& choice, Value value) {
         choice.view.pooled_layers = value_of<MapReduction>(value);
         return choice.view.pooled_layers.has_value();
     }},
    {"heads", "LIST", "of views of several, side by side or as lines over one another, as in 1,3-5",
     heads_words,
     [](Choice& choice, Value value) { return take(heads_from_word(value), choice.view.options.heads); }},
    {"top_k", "N", "lines: the strongest of each query", "a number from 1",
     [](Choice& choice, Value value) {
         return take(panel_number(value, 1, most_lines_of_query), choice.view.options.lines.most);
     }},
    {"threshold", "X", "lines: no number that is smaller, whatever its sign", "a number from 0",
     [](Choice& choice, Value value) {
         return take(least_line_from_word(value), choice.view.options.lines.least);
     }},
    {"query", "TOKEN", "which query looks, by its number from 1 or its name", "a token",
     [](Choice& choice, Value value) {
         choice.query = value;
         return !value.empty();
     }},
    {"step", "N", "newest row of the steps view, from 1", "a number from 1",
     [](Choice& choice, Value value) {
         const auto number = panel_number(value, 1, largest_panel_number);
         if (number)
             choice.step = choice.view.decoding_step = *number - 1;
         return number.has_value();
     }},
    {"steps", "LIST", "a panel for each of these steps, as in 1,3-5; of learning, maps after so many steps",
     "numbers from 1, each once, such as 1,3-5",
     [](Choice& choice, Value value) { return take(heads_from_word(value), choice.steps); }},
    {"rows", "A..B", "these rows alone", slice_words,
     [](Choice& choice, Value value) { return take(slice_from_word(value), choice.view.options.rows); }},
    {"columns", "A..B", "these columns alone", slice_words,
     [](Choice& choice, Value value) { return take(slice_from_word(value), choice.view.options.columns); }},
    {"map", "NAME", "colour map", "a colour map", choose_map},
    {"scale", "SCALE", "linear or log", "linear or log", choose_scale},
    {"range", "RANGE", "unit, fitted, percentiles such as p1..p99, or numbers such as 0..0.2", range_words,
     [](Choice& choice, Value value) { return take(range_from_word(value), choice.view.range); }},
    {"title", "TEXT", "of the panel, in place of ours", "at most 1000 bytes",
     [](Choice& choice, Value value) { return take_text(value, choice.title); }},
    {"subtitle", "TEXT", "under its title, in place of ours", "at most 1000 bytes",
     [](Choice& choice, Value value) { return take_text(value, choice.subtitle); }},
    {"x_title", "TEXT", "of its columns", "at most 1000 bytes",
     [](Choice& choice, Value value) { return take_text(value, choice.view.options.x_title); }},
    {"y_title", "TEXT", "of its rows", "at most 1000 bytes",
     [](Choice& choice, Value value) { return take_text(value, choice.view.options.y_title); }},
    {"bar_title", "TEXT", "of its colour bar", "at most 1000 bytes",
     [](Choice& choice, Value value) { return take_text(value, choice.view.options.bar_title); }},
    {"values", "yes", "numbers in the cells, where they fit", yes_or_no,
     [](Choice& choice, Value value) { return take(answer_from_word(value), choice.view.values_in_cells); }},
    {"mark", "ROW,COLUMN", "frames a cell or a rectangle; several separated by ;", mark_words,
     [](Choice& choice, Value value) {
         return choose_marks(value, mark_from_word, choice.view.options.marks);
     }},
    {"note", "PLACE TEXT", "a text at a cell, or an arrow; several separated by ;", note_words,
     [](Choice& choice, Value value) {
         return choose_marks(value, note_from_word, choice.view.options.notes);
     }},
    {"curve", "CURVE", "learning: loss or exact_match; both unless given", "loss, exact_match or both",
     [](Choice& choice, Value value) { return take(value_of<LearningCurves>(value), choice.curves); }},
    {"cost", "NUMBER", "costs: multiply_adds, map_bytes, seconds or bytes",
     "multiply_adds, map_bytes, seconds or bytes",
     [](Choice& choice, Value value) { return take(value_of<CostNumber>(value), choice.cost); }},
    {"tokens", "N", "costs: up to so many, 2048 unless given", "a number from 32 to 16384",
     [](Choice& choice, Value value) {
         return take(panel_number(value, 32, most_cost_tokens), choice.tokens);
     }},
    {"pruned", "yes", "beam: also the texts that were given up", yes_or_no,
     [](Choice& choice, Value value) { return take(answer_from_word(value), choice.draws_pruned); }},
    {"new_row", "yes", "begins a row of panels", yes_or_no,
     [](Choice& choice, Value value) { return take(answer_from_word(value), choice.starts_row); }},
    {"height", "TIMES", "of its row, as in 1.5 times the others'", "a number from 0.1 to 10",
     [](Choice& choice, Value value) { return take(panel_share(value), choice.height); }},
    {"width", "TIMES", "of curves, lines, trees and texts, which may be as wide as one likes",
     "a number from 0.1 to 10",
     [](Choice& choice, Value value) { return take(panel_share(value), choice.width); }},
    {"over", "TEXT", "a title that stands once over neighbours which have the same", "at most 1000 bytes",
     [](Choice& choice, Value value) {
         choice.over = value;
         return value.size() <= longest_title;
     }},
    {"share", "NAME", "panels with the same name have one scale and one bar", "a name",
     [](Choice& choice, Value value) {
         choice.share = value;
         return !value.empty();
     }},
    {"bar", "no", "no colour bar of its own", yes_or_no,
     [](Choice& choice, Value value) { return take(answer_from_word(value), choice.has_bar); }},
};

const PanelWord* find_panel_word(std::string_view name) {
    const auto* const found = std::ranges::find(all_words, name, &PanelWord::name);
    return found == std::end(all_words) ? nullptr : found;
}

std::string name_on_command_line(std::string name) {
    std::ranges::replace(name, '_', '-');
    return name;
}

void apply_word(PanelChoice& choice, const std::string& name, const std::string& value) {
    const PanelWord* word = find_panel_word(name);
    if (!word) {
        std::vector<std::string> names;
        for (const PanelWord& each : all_words)
            names.push_back(name_on_command_line(std::string(each.name)));
        throw Error({read_panel, "", list_of(names), quoted_with_hint(name_on_command_line(name), names)});
    }
    if (!word->apply(choice, value))
        throw Error({read_panel, name, std::string(word->expected), '"' + excerpt(value) + '"'});
}

bool is_panel_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// Takes a word off the text: up to a blank outside of quotes, which are left out.
std::string next_word(std::string_view& text) {
    std::string word;
    bool is_quoted = false;
    while (!text.empty() && (is_quoted || !is_panel_blank(text.front()))) {
        const char c = text.front();
        text.remove_prefix(1);
        if (c == '\\' && is_quoted && (text.starts_with('"') || text.starts_with('\\'))) {
            word += text.front();
            text.remove_prefix(1);
        } else if (c == '"') {
            is_quoted = !is_quoted;
        } else {
            word += c;
        }
    }
    if (is_quoted)
        throw Error({read_panel, "", "a quotation mark at the end", '"' + excerpt(word) + '"'});
    return word;
}

}  // namespace

std::span<const PanelWord> panel_words() { return all_words; }

std::string as_typed(const PanelWord& word) {
    return (name_on_command_line(std::string(word.name)) += '=') += word.value;
}

std::vector<std::string> panel_subjects() {
    std::vector<std::string> list;
    for (const auto& [word, subject] : subjects)
        list.emplace_back(word);
    return list;
}

PanelWords parse_panel_words(std::string_view text) {
    PanelWords words;
    while (true) {
        while (!text.empty() && is_panel_blank(text.front()))
            text.remove_prefix(1);
        if (text.empty())
            break;
        const std::string word = next_word(text);
        const std::size_t equals = word.find('=');
        std::string name = word.substr(0, equals);
        std::ranges::replace(name, '-', '_');
        const std::string value = equals == std::string::npos ? "yes" : word.substr(equals + 1);
        if (!words.emplace(name, value).second)
            throw Error({read_panel, name, "it once", "it twice"});
    }
    require_panel_words(words);
    return words;
}

std::string panel_words_text(const PanelWords& words) {
    std::string text;
    for (const auto& [name, value] : words) {
        if (!text.empty())
            text += ' ';
        (text += name_on_command_line(name)) += '=';
        const bool is_plain = value.find_first_of(" \t\n\"\\") == std::string::npos;
        if (is_plain) {
            text += value;
            continue;
        }
        text += '"';
        for (const char c : value)
            text.append(c == '"' || c == '\\' ? "\\" : "") += c;
        text += '"';
    }
    return text;
}

void require_panel_words(const PanelWords& words) {
    if (words.empty())
        throw Error({read_panel, "", "words such as view=lines head=2", "none"});
    PanelChoice choice;
    for (const auto& [name, value] : words)
        apply_word(choice, name, value);
    if (!choice.steps.empty() && (choice.step || !choice.stages.empty()))
        throw Error({read_panel, "steps", "no step and no stages beside it", "both"});
    if (choice.steps.size() > most_panels)
        throw Error({read_panel, "steps", "at most " + std::to_string(most_panels) + ", a panel each",
                     std::to_string(choice.steps.size())});
    if (!choice.stages.empty() && words.contains("stage"))
        throw Error({read_panel, "stages", "no stage beside it", "both"});
}

std::vector<PanelChoice> panel_choices(const PanelWords& words, const ViewSettings& figure) {
    require_panel_words(words);
    PanelChoice choice;
    choice.view = figure;
    FigureOptions& options = choice.view.options;
    // What is said of the figure as a whole is not said of each of its panels again.
    options.title.reset();
    options.subtitle.reset();
    options.bar_title.reset();
    options.letters = false;
    options.panel_titles = options.colour_bar = true;
    options.panels.clear();
    options.panel_columns.reset();
    for (const auto& [name, value] : words)
        apply_word(choice, name, value);
    std::vector<PanelChoice> choices;
    const auto add = [&](const auto& change) {
        PanelChoice one = choice;
        change(one);
        one.starts_row &= choices.empty();
        one.is_of_strip = true;
        choices.push_back(std::move(one));
    };
    if (!choice.steps.empty() && choice.shows == PanelSubject::view)
        for (const Index step : choice.steps)
            add([&](PanelChoice& one) { one.step = one.view.decoding_step = step; });
    for (const std::string& stage : choice.stages)
        add([&](PanelChoice& one) { one.view.selection.stage = stage; });
    if (choices.empty())
        choices.push_back(std::move(choice));
    return choices;
}

template <>
std::span<const Word<LearningCurves>> words() {
    static const Word<LearningCurves> table[] = {
        {LearningCurves::both, "both", "loss, and exact match beside it"},
        {LearningCurves::loss, "loss", "the loss of the batches"},
        {LearningCurves::exact_match, "exact_match", "the share of held-out examples that are all right"}};
    return table;
}

template <>
std::span<const Word<CostNumber>> words() {
    static const Word<CostNumber> table[] = {
        {CostNumber::multiply_adds, "multiply_adds", "multiplications with an addition, counted"},
        {CostNumber::map_bytes, "map_bytes", "bytes of the weights that are formed, counted"},
        {CostNumber::seconds, "seconds", "time of a run, measured"},
        {CostNumber::bytes, "bytes", "memory of a run, measured"}};
    return table;
}

}  // namespace headlight
