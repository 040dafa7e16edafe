#include "core/catalog/documentation.h"

#include "core/catalog/family.h"
#include "core/catalog/lessons.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>

namespace headlight {
namespace {

constexpr const char* introduction = R"(# The catalogue of attention

Attention is one idea in many dresses. Something asks: the *query*. Something can be found: the *keys*. Something is handed on: the *values*. Every query meets every key, and how well the two fit is a number, the *score*. A row of scores becomes a row of *weights*, most often positive and with a sum of 1, and what the query gets is the mean of the values under these weights, its *context*. Write a row for each query and a column for each key, and the weights are a map of who looks at whom. This is a book of such maps.

![The way of a sentence through scaled dot-product attention: token vectors, scores, scaled scores, exponentials, weights and context, each a small picture; below them the token vectors times their transpose are the scores, a map with a number in each cell.](images/stages.png)

*The whole way, in small pictures above: token vectors, scores, scaled scores, their exponentials, weights, context. Below, the first step of it: every word’s vector times every word’s vector is the map of scores, and “doctor” and “nurse” fit each other well.*

Nearly every mechanism differs from the next in a single step of that way, and the chapters follow it: where queries and keys come from, how they are compared, how scores become weights, which pairs may meet, how order comes in, how several heads share the work. The later chapters leave the way for shortcuts, memories and images. Within a chapter the order is one to teach in, and each entry can be read on its own.

## How to read an entry

A formula, a paragraph, a picture, and then the small print: what is often printed wrongly, what it is the same as, what it costs, what always holds. In the costs there are n queries and m keys; d is the width of a query and a key, d_v that of a value, D that of a token, and H the number of heads.

Each picture was drawn by Headlight on the words that are quoted under it. Rows look, columns are looked at. Colours run from the smallest number to the largest, of all stages that are compared with the one shown (a context with its values), so read the bar beside the map before you call a map dark; blue and red lie on the two sides of zero. Σ is the sum of a row, where that is not 1. Token vectors are small English ones that ship with the program. What training would have found is drawn at random from seed 1, and an entry says so where it matters: such a map is a map before the first lesson, and its shape counts, not its favourite words.

The pictures are alive. Each carries its session: open the file in Headlight and you stand at that example, with every number on the way and every knob to turn. On the command line, `headlight render docs/images/mechanisms/rope.png -o rope.pdf` draws it again for print, and `headlight run rope -o rope.json` writes down all stages. When an entry says “the same as”, a test holds both to it, and the window has a button that shows them side by side.
)";

constexpr const char* course =
    "These stand on one another. Read them in a row; everything else in the chapters is for looking around, "
    "left and right of the road.";

constexpr const char* about_common_knobs = "Many mechanisms have these, so that they are explained once. "
                                           "Where one of them starts elsewhere, the entry "
                                           "says so.";

/// Knobs that at least so many mechanisms have are explained at the end.
constexpr std::ptrdiff_t common_from = 5;

/// Index of the brace that closes the one at `open`.
std::size_t closing_brace(std::string_view tex, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tex.size(); ++i) {
        depth += tex[i] == '{' ? 1 : tex[i] == '}' ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return tex.size();
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::string listed(const std::vector<std::string>& names, const char* separator = ", ") {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : separator) + name;
    return text;
}

/// With a full stop at its end and a capital at its beginning, unless that is a letter of a formula: "k is
/// ...".
std::string sentence(std::string text) {
    if (text.size() > 1 && is_letter(text[1]))
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text.ends_with('.') ? text : text + '.';
}

std::string link_to_heading(const std::string& name) {
    std::string link = "[" + name;
    return ((link += "](#") += heading_anchor(name)) += ")";
}

std::string link_to(const std::string& id) { return link_to_heading(mechanism(id).name); }

/// Whether it only draws in one of its modes, which is not the standard one.
bool draws_in_a_mode(const Mechanism& mechanism) {
    return std::ranges::any_of(mechanism.parameters, [](const MechanismParameter& knob) {
        return knob.name == "mode" && knob.standard != ParameterValue(std::string("sample"));
    });
}

std::string promises(const Mechanism& mechanism) {
    const MechanismProperties& properties = mechanism.properties;
    std::vector<std::string> list;
    if (properties.row_stochastic)
        list.emplace_back("every row of weights sums to 1");
    if (properties.causal)
        list.emplace_back("no query uses a key after it");
    if (properties.permutation_equivariant)
        list.emplace_back("shuffling the tokens only shuffles the output");
    if (properties.streaming)
        list.emplace_back("step by step gives what all at once gives");
    if (properties.random)
        list.emplace_back(draws_in_a_mode(mechanism) ? "in mode sample another seed gives another result"
                                                     : "another seed gives another result");
    return listed(list, "; ");
}

/// Without an exponent: 1e+08 is no number for a book.
std::string plain(double number) {
    char text[400];
    return {text, std::to_chars(std::begin(text), std::end(text), number, std::chars_format::fixed).ptr};
}

std::string plain(const ParameterValue& value) {
    const double* number = std::get_if<double>(&value);
    return number ? plain(*number) : to_string(value);
}

std::string taken(const MechanismParameter& knob) {
    const std::string range = plain(knob.minimum) + " to " + plain(knob.maximum);
    switch (knob.kind) {
    case MechanismParameter::Kind::boolean:
        return "true or false";
    case MechanismParameter::Kind::integer:
        return "a whole number from " + range;
    case MechanismParameter::Kind::real:
        return "a number from " + range;
    case MechanismParameter::Kind::choice:
        break;
    }
    std::string text;
    for (const std::string& word : knob.choices)
        ((text += text.empty() ? "`" : word == knob.choices.back() ? " or `" : ", `") += word) += '`';
    return text;
}

bool is_same(const MechanismParameter& one, const MechanismParameter& other) {
    return one.name == other.name && one.help == other.help && taken(one) == taken(other);
}

/// In the order in which they come up, each with the default that most mechanisms have.
std::vector<MechanismParameter> find_common_knobs() {
    std::vector<std::vector<MechanismParameter>> groups;
    for (const Mechanism& each : mechanisms())
        for (const MechanismParameter& knob : each.parameters) {
            const auto group =
                std::ranges::find_if(groups, [&](const auto& known) { return is_same(known.front(), knob); });
            if (group == groups.end())
                groups.push_back({knob});
            else
                group->push_back(knob);
        }
    std::vector<MechanismParameter> common;
    for (const auto& group : groups)
        if (std::ssize(group) >= common_from)
            common.push_back(*std::ranges::max_element(group, {}, [&](const MechanismParameter& knob) {
                return std::ranges::count(group, knob.standard, &MechanismParameter::standard);
            }));
    return common;
}

const std::vector<MechanismParameter>& common_knobs() {
    static const std::vector<MechanismParameter> common = find_common_knobs();
    return common;
}

std::string common_knobs_table() {
    std::string text = "| knob | takes | starts at | what it does |\n|---|---|---|---|\n";
    for (const MechanismParameter& knob : common_knobs())
        text += "| `" + knob.name + "` | " + taken(knob) + " | " + plain(knob.standard) + " | " + knob.help +
                " |\n";
    return text;
}

/// " The least means: off." Empty where there is no word for it or the help has it.
std::string least_in_words(const MechanismParameter& knob) {
    const bool is_said = knob.help.starts_with(plain(knob.minimum) + ":") ||
                         knob.help.find(knob.minimum_word) != std::string::npos;
    return is_said ? "" : " The least means: " + knob.minimum_word + ".";
}

/// "- **Knobs of `window`.** Common ones: ...", and a line below it for each of its own.
std::string knob_lines(const Mechanism& mechanism) {
    std::vector<std::string> shared;
    std::string own;
    for (const MechanismParameter& knob : mechanism.parameters) {
        const auto common =
            std::ranges::find_if(common_knobs(), [&](const auto& each) { return is_same(each, knob); });
        const std::string name = '`' + knob.name + '`', standard = plain(knob.standard);
        if (common == common_knobs().end())
            own += "  - " + name + ", " + taken(knob) + ", starts at " + standard + ": " + knob.help +
                   least_in_words(knob) + "\n";
        else
            shared.push_back(common->standard == knob.standard ? name
                                                               : name + " (starts at " + standard + ")");
    }
    std::string text = "- **Knobs of `" + mechanism.id + "`.** ";
    if (!shared.empty())
        (text += "[Common ones](#common-knobs): ") += listed(shared) + (own.empty() ? "." : "; and its own:");
    else
        text += own.empty() ? "None." : "All its own:";
    return (text += '\n') += own;
}

/// "`heads` = 1 and `slope` = 0.5"
std::string settings(const ParameterValues& values) {
    std::string text;
    for (const auto& [name, value] : values)
        (((text += text.empty() ? "`" : " and `") += name) += "` = ") += plain(value);
    return text;
}

/// Where it is another mechanism, or itself with other knobs.
std::string sameness(const Mechanism& mechanism) {
    std::string text;
    for (const Equivalence& each : mechanism.equivalences) {
        const std::string here = settings(each.here), there = settings(each.there);
        if (each.id == mechanism.id)
            (((text += "- **The same** with ") += here) += " as ") +=
                there.empty() ? "without" : "with " + there;
        else {
            (text += "- **The same as** ") += link_to(each.id);
            (text += there.empty() ? "" : " with ") += there;
            (text += here.empty() ? "" : there.empty() ? ", if " : ", if here ") += here;
        }
        ((text += ": ") += clause(each.when)) += '\n';
    }
    return text;
}

std::string note(const char* title, const std::string& text) {
    return text.empty() ? text : "- **" + std::string(title) + ".** " + sentence(text) + "\n";
}

std::string quoted(const std::string& words) { return "“" + words + "”"; }

/// The picture, and under it the words that it is of and what to look for.
std::string picture(const Mechanism& mechanism, std::string in_words) {
    std::ranges::replace(in_words, '\n', ' ');
    const ExampleInput& example = mechanism.example;
    std::string text = "![" + in_words;
    ((text += "](images/mechanisms/") += mechanism.id) += ".png)\n\n*";
    text += quoted(example.query);
    if (!example.key.empty())
        (text += " looks at ") += quoted(example.key);
    if (!example.values.empty())
        (text += ", with ") += settings(example.values);
    return ((text += ".* ") += example.look_for) += "\n\n";
}

std::string section(const Mechanism& mechanism, const std::string& in_words) {
    std::string text = "### " + mechanism.name + "\n\n*";
    text += to_string(mechanism.papers) + ".";
    text += "* Also called " + listed(mechanism.also_known_as) + ".\n\n";
    text += "$$\n" + without_classes(mechanism.formula) + "\n$$\n\n";
    text += mechanism.explanation + "\n\n";
    text += picture(mechanism, in_words);
    text += note("Common mistakes", mechanism.correction);
    text += sameness(mechanism);
    text += note("Cost", mechanism.cost);
    text += note("Always", promises(mechanism));
    text += knob_lines(mechanism);
    std::vector<std::string> next;
    for (const std::string& id : mechanism.related)
        next.push_back(link_to(id));
    text += note("See also", listed(next));
    return text + "\n";
}

/// A line of links per chapter, and the course through them.
std::string contents() {
    std::string text = "\n## Contents\n\n";
    for (const Family& family : families()) {
        std::vector<std::string> names;
        for (const Mechanism& each : mechanisms())
            if (each.family == family.name)
                names.push_back(link_to(each.id));
        text += "- **" + link_to_heading(family.name) + "**: " + listed(names) + "\n";
    }
    std::vector<std::string> links;
    for (const Mechanism* each : lessons())
        links.push_back(link_to(each->id));
    text += "\n## A course in " + std::to_string(links.size()) + " lessons\n\n";
    ((text += course) += "\n\n") += listed(links, " → ");
    return text + "\n\n";
}

}  // namespace

std::string heading_anchor(const std::string& name) {
    std::string anchor;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto byte = static_cast<unsigned char>(name[i]);
        if (name.compare(i, 2, "\xE2\x80") == 0)
            i += 2;
        else if (std::isalnum(byte) || name[i] == '-' || byte >= 0x80)
            anchor += static_cast<char>(std::tolower(byte));
        else if (name[i] == ' ')
            anchor += '-';
    }
    return anchor;
}

std::string clause(std::string text) {
    if (text.size() > 1 && (text[1] == ' ' || std::islower(static_cast<unsigned char>(text[1]))))
        text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    return text.ends_with('.') ? text : text + '.';
}

std::string without_classes(std::string_view formula) {
    constexpr std::string_view wrapper = "\\class{";
    std::string plain;
    while (!formula.empty()) {
        const std::size_t begin = formula.find(wrapper);
        plain += formula.substr(0, begin);
        if (begin == std::string_view::npos)
            break;
        const std::size_t open = closing_brace(formula, begin + wrapper.size() - 1) + 1;
        const std::size_t close = closing_brace(formula, open);
        const std::string contents = without_classes(formula.substr(open + 1, close - open - 1));
        if (!plain.empty() && is_letter(plain.back()) && !contents.empty() && is_letter(contents.front()))
            plain += ' ';  // or the contents would become part of the command before them
        plain += contents;
        formula.remove_prefix(std::min(close + 1, formula.size()));  // a brace may be missing
    }
    return plain;
}

std::string catalogue_markdown(const std::function<std::string(const Mechanism&)>& in_words) {
    std::string text = "<!-- Written by the target catalogue_docs from core/catalog: change the declarations "
                       "there, then run "
                       "scripts/build_docs.sh. -->\n\n";
    (text += introduction) += contents();
    for (const Family& family : families()) {
        ((text += "## ") += family.name) += "\n\n";
        (text += family.introduction) += "\n\n";
        for (const Mechanism& each : mechanisms())
            if (each.family == family.name)
                text += section(each, in_words(each));
    }
    ((text += "## Common knobs\n\n") += about_common_knobs) += "\n\n";
    return text + common_knobs_table();
}

}  // namespace headlight
