#include "core/attention/options.h"

#include "core/tensor/error.h"
#include "core/tensor/number_text.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {
namespace {

std::string text_of(const OptionValue& value) {
    if (const bool* flag = std::get_if<bool>(&value))
        return *flag ? "true" : "false";
    if (const Index* count = std::get_if<Index>(&value))
        return std::to_string(*count);
    if (const double* number = std::get_if<double>(&value))
        return number_text(*number);
    if (const auto* word = std::get_if<std::string>(&value))
        return '"' + *word + '"';
    return "a list of " + std::to_string(std::get<std::vector<Index>>(value).size());
}

/// A whole number is a number: files and people write 1 where 1.0 is meant.
OptionValue in_kind(const Option& option, const OptionValue& value) {
    const Index* count = std::get_if<Index>(&value);
    if (count && std::holds_alternative<double>(option.standard))
        return static_cast<double>(*count);
    return value;
}

bool accepts(const Option& option, const OptionValue& value) {
    if (value.index() != option.standard.index())
        return false;
    const auto in_range = [&](double number) { return number >= option.minimum && number <= option.maximum; };
    if (const Index* count = std::get_if<Index>(&value))
        return in_range(static_cast<double>(*count));
    if (const double* number = std::get_if<double>(&value))
        return in_range(*number);  // false for NaN
    if (const auto* word = std::get_if<std::string>(&value))
        return option.choices.empty() || std::ranges::find(option.choices, *word) != option.choices.end();
    if (const auto* list = std::get_if<std::vector<Index>>(&value))
        return std::ranges::all_of(*list, [&](Index each) { return in_range(static_cast<double>(each)); });
    return true;
}

Option ranged_option(std::string name, std::string label, OptionValue standard, OptionRange range,
                     std::string help, std::string minimum_word) {
    return {.name = std::move(name),
            .label = std::move(label),
            .standard = std::move(standard),
            .minimum = range.least,
            .maximum = range.most,
            .logarithmic = range.is_logarithmic,
            .help = std::move(help),
            .minimum_word = std::move(minimum_word)};
}

}  // namespace

Option flag_option(std::string name, std::string label, bool standard, std::string help) {
    return {
        .name = std::move(name), .label = std::move(label), .standard = standard, .help = std::move(help)};
}

Option word_option(std::string name, std::string label, std::vector<std::string> words, std::string help,
                   std::string standard) {
    if (standard.empty())
        standard = words.front();
    return {.name = std::move(name),
            .label = std::move(label),
            .standard = std::move(standard),
            .choices = std::move(words),
            .help = std::move(help)};
}

Option count_option(std::string name, std::string label, Index standard, OptionRange range, std::string help,
                    std::string minimum_word) {
    return ranged_option(std::move(name), std::move(label), standard, range, std::move(help),
                         std::move(minimum_word));
}

Option number_option(std::string name, std::string label, double standard, OptionRange range,
                     std::string help, std::string minimum_word) {
    return ranged_option(std::move(name), std::move(label), standard, range, std::move(help),
                         std::move(minimum_word));
}

Option list_option(std::string name, std::string label, std::vector<Index> standard, OptionRange range,
                   std::string help, std::string minimum_word) {
    return ranged_option(std::move(name), std::move(label), std::move(standard), range, std::move(help),
                         std::move(minimum_word));
}

std::string accepted_values(const Option& option) {
    const std::string range = number_text(option.minimum) + " to " + number_text(option.maximum);
    if (std::holds_alternative<bool>(option.standard))
        return "true or false";
    if (std::holds_alternative<Index>(option.standard))
        return "an integer from " + range;
    if (std::holds_alternative<double>(option.standard))
        return "a number from " + range;
    if (std::holds_alternative<std::string>(option.standard))
        return option.choices.empty() ? "a text" : list_of(option.choices);
    return "a list of integers from " + range;
}

Options complete_options(const std::vector<Option>& declared, const Options& given, const std::string& what,
                         const std::string& where) {
    Options complete;
    for (const Option& each : declared)
        complete[each.name] = each.standard;
    for (const auto& [name, value] : given) {
        const auto found = std::ranges::find(declared, name, &Option::name);
        if (found == declared.end()) {
            std::vector<std::string> names;
            names.reserve(declared.size());
            for (const Option& each : declared)
                names.push_back(each.name);
            throw Error({what, where + '/' + name, names.empty() ? "no option" : list_of(names),
                         quoted_with_hint(name, names)});
        }
        const OptionValue converted = in_kind(*found, value);
        if (!accepts(*found, converted)) {
            const auto* word = std::get_if<std::string>(&converted);
            throw Error({what, where + '/' + name, accepted_values(*found),
                         word ? quoted_with_hint(*word, found->choices) : text_of(converted)});
        }
        complete[name] = converted;
    }
    return complete;
}

}  // namespace headlight
