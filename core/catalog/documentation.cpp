#include "core/catalog/documentation.h"

#include "core/catalog/mechanism.h"

#include <algorithm>
#include <cctype>

namespace headlight {
namespace {

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

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::string promises(const MechanismProperties& properties) {
    std::vector<std::string> list;
    if (properties.row_stochastic)
        list.emplace_back("every row of weights sums to 1");
    if (properties.causal)
        list.emplace_back("no query uses a key after it");
    if (properties.permutation_equivariant)
        list.emplace_back("permuting the tokens permutes the output");
    if (properties.streaming)
        list.emplace_back("step by step equals all at once");
    if (properties.random)
        list.emplace_back("sampling depends on the seed");
    return listed(list);
}

std::string parameter_table(const std::vector<MechanismParameter>& parameters) {
    if (parameters.empty())
        return "No parameters.\n\n";
    std::string text = "| parameter | takes | default | what it does |\n|---|---|---|---|\n";
    for (const MechanismParameter& parameter : parameters)
        text += "| `" + parameter.name + "` | " + accepted_values(parameter) + " | " +
                to_string(parameter.standard) + " | " + parameter.help + " |\n";
    return text + "\n";
}

std::string link_to(const std::string& id) {
    const std::string& name = mechanism(id).name;
    std::string anchor;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || static_cast<unsigned char>(c) >= 0x80)
            anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (c == ' ')
            anchor += '-';
    return "[" + name + "](#" + anchor + ")";
}

/// Where it is another mechanism, and which to look at next.
std::string sameness(const Mechanism& mechanism) {
    std::string text;
    for (const Equivalence& each : mechanism.equivalences)
        text += "- the same as " + link_to(each.id) + ": " + each.when + "\n";
    if (!text.empty())
        text += "\n";
    std::vector<std::string> next;
    for (const std::string& id : mechanism.related)
        next.push_back(link_to(id));
    return text + (next.empty() ? "" : "*See also* " + listed(next) + ".\n\n");
}

std::string section(const Mechanism& mechanism) {
    std::string text = "## " + mechanism.name + "\n\n";
    text += "`" + mechanism.id + "`, also known as " + listed(mechanism.also_known_as) + "\n\n";
    text += "$$\n" + without_classes(mechanism.formula) + "\n$$\n\n";
    text += mechanism.explanation + "\n\n";
    if (!mechanism.correction.empty())
        text += "*Often printed otherwise:* " + mechanism.correction + "\n\n";
    if (!mechanism.cost.empty())
        text += "*Cost:* " + mechanism.cost + "\n\n";
    text += sameness(mechanism);
    text += "*" + mechanism.paper + ", " + std::to_string(mechanism.year) + ".*\n\n";
    text += "Promises: " + promises(mechanism.properties) + ".\n\n";
    text += parameter_table(mechanism.parameters);
    text += "```\nheadlight run " + mechanism.id + " --text \"" + mechanism.example.query + "\"";
    if (!mechanism.example.key.empty())
        text += " --target \"" + mechanism.example.key + "\"";
    text += " -o trace.json\n```\n\n";
    return text + mechanism.example.look_for + "\n\n";
}

}  // namespace

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

std::string catalogue_markdown() {
    std::string text =
        "# The catalogue\n\nWritten from the declarations in `core/catalog/entries` by the target "
        "`catalogue_docs`: change those, then run `cmake --build BUILD --target catalogue_docs`.\n\n| "
        "mechanism | id | kind | year |\n|---|---|---|---|\n";
    for (const Mechanism& each : mechanisms())
        text += "| " + each.name + " | `" + each.id + "` | " + each.family + " | " +
                std::to_string(each.year) + " |\n";
    text += "\n";
    for (const Mechanism& each : mechanisms())
        text += section(each);
    text.pop_back();  // the empty line after the last section
    return text;
}

}  // namespace headlight
