#include "core/catalog/component_documentation.h"

#include "core/attention/component.h"

namespace headlight {
namespace {

std::string value_text(const OptionValue& value) {
    if (const bool* flag = std::get_if<bool>(&value))
        return *flag ? "true" : "false";
    if (const Index* count = std::get_if<Index>(&value))
        return std::to_string(*count);
    if (const auto* word = std::get_if<std::string>(&value))
        return *word;
    if (const auto* list = std::get_if<std::vector<Index>>(&value)) {
        std::string text = "[";
        for (const Index each : *list)
            text += (text == "[" ? "" : ", ") + std::to_string(each);
        return text + "]";
    }
    std::string text = std::to_string(std::get<double>(value));
    text.erase(text.find_last_not_of('0') + 1);
    return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

std::string words_of(const Option& option) {
    std::string text = accepted_values(option);
    for (const std::string& word : option.choices)
        text.replace(text.find('"' + word + '"'), word.size() + 2, '`' + word + '`');
    return text;
}

std::string option_lines(const std::vector<Option>& options) {
    std::string text;
    for (const Option& option : options) {
        text += "- `" + option.name + "`, " + words_of(option) + ", default " + value_text(option.standard);
        if (!option.minimum_word.empty())
            text += " (the smallest value means " + option.minimum_word + ")";
        text += ": " + option.help + "\n";
    }
    return text;
}

std::string parameter_lines(const std::vector<KnownParameter>& parameters) {
    std::string text;
    for (const KnownParameter& parameter : parameters)
        text += "- parameter `" + parameter.name + "` " + described(parameter) + "\n";
    return text;
}

template <class Component>
std::string section(const Component& component) {
    std::string text =
        "### `" + std::string(component.word) + "`\n\n" + std::string(component.meaning) + "\n\n";
    std::string lines = option_lines(component.options);
    if constexpr (requires { component.known_parameters; })
        lines += parameter_lines(component.known_parameters);
    return text + (lines.empty() ? "" : lines + "\n");
}

std::string chapter(const std::string& title, const auto& components) {
    std::string text = "## " + title + "\n\n";
    for (const auto& component : components)
        text += section(component);
    return text;
}

}  // namespace

std::string components_markdown() {
    return "# The components of a spec\n\n"
           "What the `type` of each part may be beside the words of [spec.md](spec.md), with the options "
           "that go beside "
           "it in the same object and the parameters that it asks for. Written by the program: build the "
           "target "
           "`catalogue_docs`.\n\n" +
           chapter("`score`", score_components()) + chapter("`position`", position_components()) +
           chapter("`mask`", mask_components()) + chapter("`selection`", selection_components()) +
           chapter("`normalizer`", normalizer_components()) + chapter("`algorithm`", algorithm_components());
}

}  // namespace headlight
