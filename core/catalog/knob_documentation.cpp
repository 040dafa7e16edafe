#include "core/catalog/knob_documentation.h"

#include "core/catalog/documentation_text.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace headlight {
namespace {

/// Knobs that at least so many mechanisms have are common.
constexpr std::ptrdiff_t common_from = 5;

std::string plain_number(double number) {
    char text[400];
    return {text, std::to_chars(std::begin(text), std::end(text), number, std::chars_format::fixed).ptr};
}

std::string taken(const MechanismParameter& knob) {
    const std::string range = plain_number(knob.minimum) + " to " + plain_number(knob.maximum);
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

/// In the order in which they come up, each with the default that most mechanisms have. Of two that have one
/// name the one that more mechanisms have is common.
std::vector<MechanismParameter> find_shared_knobs() {
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
    const auto is_usual = [&](const auto& group) {
        return std::ranges::none_of(groups, [&](const auto& other) {
            return other.front().name == group.front().name && other.size() > group.size();
        });
    };
    std::vector<MechanismParameter> common;
    for (const auto& group : groups)
        if (std::ssize(group) >= common_from && is_usual(group))
            common.push_back(*std::ranges::max_element(group, {}, [&](const MechanismParameter& knob) {
                return std::ranges::count(group, knob.standard, &MechanismParameter::standard);
            }));
    return common;
}

const std::vector<MechanismParameter>& shared_knobs() {
    static const std::vector<MechanismParameter> common = find_shared_knobs();
    return common;
}

/// " The least means: off." Empty where there is no word for it or the help has it.
std::string least_in_words(const MechanismParameter& knob) {
    const bool is_said = knob.help.starts_with(plain_number(knob.minimum) + ":") ||
                         knob.help.find(knob.minimum_word) != std::string::npos;
    return is_said ? "" : " The least means: " + knob.minimum_word + ".";
}

}  // namespace

std::string plain_value(const ParameterValue& value) {
    const double* number = std::get_if<double>(&value);
    return number ? plain_number(*number) : to_string(value);
}

std::string common_knobs_table() {
    std::string text = "| knob | takes | starts at | what it does |\n|---|---|---|---|\n";
    for (const MechanismParameter& knob : shared_knobs())
        text += "| `" + knob.name + "` | " + table_cell(taken(knob)) + " | " +
                table_cell(plain_value(knob.standard)) + " | " + table_cell(knob.help) + " |\n";
    return text;
}

std::string knob_lines(const Mechanism& mechanism, const std::string& common_knobs) {
    std::vector<std::string> shared;
    std::string own;
    for (const MechanismParameter& knob : mechanism.parameters) {
        const auto common =
            std::ranges::find_if(shared_knobs(), [&](const auto& each) { return is_same(each, knob); });
        const std::string name = '`' + knob.name + '`', standard = plain_value(knob.standard);
        if (common == shared_knobs().end())
            own += "  - " + name + ", " + taken(knob) + ", starts at " + standard + ": " + knob.help +
                   least_in_words(knob) + "\n";
        else
            shared.push_back(common->standard == knob.standard ? name
                                                               : name + " (starts at " + standard + ")");
    }
    std::string text = "- **Knobs of `" + mechanism.id + "`.** ";
    if (!shared.empty())
        text += markdown_link("Common ones", common_knobs) + ": " + listed(shared) +
                (own.empty() ? "." : "; and its own:");
    else
        text += own.empty() ? "None." : "All its own:";
    return (text += '\n') += own;
}

}  // namespace headlight
