#include "app/cli/arguments.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>

namespace headlight {
namespace {

/// "-o, --output FILE"
std::string signature(const Flag& option) {
    std::string text = option.short_name.empty() ? "    " : std::string(option.short_name) + ", ";
    text += option.name;
    if (!option.value.empty())
        text += ' ' + std::string(option.value);
    return text;
}

template <class Number>
std::optional<Number> typed_number(const std::string& text) {
    Number number = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_all = result.ec == std::errc() && result.ptr == text.data() + text.size();
    return is_all ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string help_text(const Command& command) {
    std::size_t width = 0;
    for (const Flag& option : command.options)
        width = std::max(width, signature(option).size());
    std::string text = "headlight " + std::string(command.name) + ' ' + std::string(command.synopsis) +
                       "\n\n" + std::string(command.summary) + "\n\n";
    for (const Flag& option : command.options) {
        const auto section = std::ranges::find(command.sections, option.name, &HelpSection::first_option);
        if (section != command.sections.end()) {
            if (&option != command.options.data())
                text += '\n';
            text.append(section->title).append("\n");
        }
        std::string line = signature(option);
        line.resize(width + 2, ' ');
        text += "  " + line + std::string(option.help) + '\n';
    }
    if (!command.examples.empty())
        text += "\nExamples\n" + std::string(command.examples);
    return text;
}

Arguments::Arguments(const Command& command, const std::vector<std::string>& arguments) : command_(command) {
    const auto is_option = [](const std::string& text) { return text.size() > 1 && text.starts_with('-'); };
    std::string unknown, behind_unknown;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (argument == "--") {
            operands_.insert(operands_.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                             arguments.end());
            break;
        }
        if (!is_option(argument)) {
            operands_.push_back(argument);
            continue;
        }
        const std::size_t equals = argument.starts_with("--") ? argument.find('=') : std::string::npos;
        const bool is_last = i + 1 == arguments.size();
        const Flag* option = find_option(std::string_view(argument).substr(0, equals));
        if (!option) {
            if (unknown.empty())
                unknown = argument.substr(0, equals);
            if (equals == std::string::npos && !is_last && !is_option(arguments[i + 1]))
                behind_unknown = arguments[++i];
            continue;
        }
        std::vector<std::string>& values = values_[std::string(option->name)];
        if (!values.empty() && !option->repeatable)
            refuse(option->name, "it once", "it twice");
        if (equals != std::string::npos) {
            if (option->value.empty())
                refuse(option->name, "no value", '"' + excerpt(argument.substr(equals + 1)) + '"');
            values.push_back(argument.substr(equals + 1));
        } else if (option->value.empty()) {
            values.emplace_back();
        } else {
            if (is_last || find_option(arguments[i + 1]))
                refuse(option->name, std::string(option->value),
                       is_last ? "nothing" : '"' + arguments[i + 1] + '"');
            values.push_back(arguments[++i]);
        }
    }
    if (!unknown.empty()) {
        // Its value, as nearly every option has one, unless the command would be left without a name.
        if (operands_.empty() && !behind_unknown.empty())
            operands_.push_back(behind_unknown);
        refuse_unknown(unknown);
    }
    if (operands_.size() > command_.most_operands)
        refuse("",
               command_.most_operands == 0 ? "options only"
                                           : std::to_string(command_.most_operands) + " name",
               '"' + excerpt(operands_[command_.most_operands]) + '"');
}

void Arguments::replace_inputs(const ReplaceInput& replace) {
    if (command_.reads_path)
        for (std::string& operand : operands_)
            operand = replace("", Flag::Reads::file, operand);
    for (const Flag& option : command_.options)
        if (const auto given = values_.find(option.name);
            given != values_.end() && option.reads != Flag::Reads::nothing)
            for (std::string& value : given->second)
                value = replace(option.name, option.reads, value);
}

const Flag* Arguments::find_option(std::string_view typed) const {
    const auto found = std::ranges::find_if(command_.options, [typed](const Flag& option) {
        return !typed.empty() && (typed == option.name || typed == option.short_name);
    });
    return found == command_.options.end() ? nullptr : &*found;
}

void Arguments::refuse_unknown(const std::string& option) const {
    std::vector<std::string> names;
    for (const Flag& known : command_.options)
        names.emplace_back(known.name);
    std::string got = quoted_with_hint(option, names);
    if (got.ends_with('"') && command_.setting_hint && option.starts_with("--"))
        got += command_.setting_hint(option.substr(2), *this);
    refuse("", list_of(names), got);
}

std::optional<std::string> Arguments::value(std::string_view option) const {
    const auto found = values_.find(option);
    return found == values_.end() ? std::nullopt : std::optional(found->second.front());
}

std::vector<std::string> Arguments::values(std::string_view option) const {
    const auto found = values_.find(option);
    return found == values_.end() ? std::vector<std::string>() : found->second;
}

Index Arguments::integer(std::string_view option, Index standard, Index minimum, Index maximum) const {
    const auto typed = value(option);
    if (!typed)
        return standard;
    const auto number = typed_number<Index>(*typed);
    if (!number || *number < minimum || *number > maximum)
        refuse(option,
               minimum == maximum
                   ? "only " + std::to_string(minimum)
                   : "a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum),
               '"' + excerpt(*typed) + '"');
    return *number;
}

double Arguments::number(std::string_view option, double standard, double minimum, double maximum) const {
    const auto typed = value(option);
    if (!typed)
        return standard;
    const char* end = typed->data() + typed->size();
    double value = 0;
    const auto result = std::from_chars(typed->data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || !(value >= minimum && value <= maximum)) {
        char expected[80];
        std::snprintf(expected, sizeof expected, "a number from %g to %g", minimum, maximum);
        refuse(option, expected, '"' + excerpt(*typed) + '"');
    }
    return value;
}

std::uint64_t Arguments::seed(std::string_view option, std::uint64_t standard) const {
    const auto typed = value(option);
    if (!typed)
        return standard;
    const auto number = typed_number<std::uint64_t>(*typed);
    if (!number)
        refuse(option,
               "a whole number from 0 to " + std::to_string(std::numeric_limits<std::uint64_t>::max()),
               '"' + excerpt(*typed) + '"');
    return *number;
}

std::uint64_t Arguments::memory() const {
    const auto typed = value(memory_option.name);
    if (!typed)
        return 0;
    const auto bytes = parse_bytes(*typed);
    if (!bytes)
        refuse(memory_option.name, "an amount with its unit, as in 4GB or 512MB",
               '"' + excerpt(*typed) + '"');
    return *bytes;
}

void Arguments::refuse(std::string_view where, const std::string& expected, const std::string& got) const {
    throw UsageError({std::string(command_.name), std::string(where), expected, got});
}

}  // namespace headlight
