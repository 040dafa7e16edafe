#include "core/attention/formula_output.h"

#include <algorithm>

namespace headlight {
namespace {

/// The line of this name: this one, or one that it repeats; null where neither is.
const FormulaLine* line_named(const FormulaLine& line, std::string_view name) {
    if (line.name == name)
        return &line;
    const auto found = std::ranges::find(line.body, name, &FormulaLine::name);
    return found == line.body.end() ? nullptr : &*found;
}

}  // namespace

const FormulaNode* node_named(const FormulaLine& line, std::string_view name) {
    if (const FormulaNode* found = line.value.find(name))
        return found;
    for (const FormulaLine& each : line.body)
        if (const FormulaNode* found = each.value.find(name))
            return found;
    return nullptr;
}

bool gives(const FormulaLine& line, std::string_view name) { return line_named(line, name) != nullptr; }

bool says_output(std::span<const FormulaLine> lines) {
    return std::ranges::any_of(lines, [](const FormulaLine& line) { return gives(line, "output"); });
}

std::size_t lines_up_to_context(std::span<const FormulaLine> lines) {
    const auto context =
        std::ranges::find_if(lines, [](const FormulaLine& line) { return gives(line, "context"); });
    return static_cast<std::size_t>(context - lines.begin()) + (context == lines.end() ? 0 : 1);
}

void check_lines_of_output(std::span<const FormulaLine> lines) {
    const bool has_output = says_output(lines);
    const std::size_t before = has_output ? lines_up_to_context(lines) : lines.size();
    for (const FormulaLine& line : lines.first(before)) {
        if (const FormulaNode* node = node_named(line, "concatenation"))
            refuse_formula(
                node->place,
                "a line behind \"context\" to name it, and a line \"output = ...\" that is made of "
                "it",
                std::string("\"concatenation\" ") +
                    (has_output ? "before there is a context" : "without an output"));
        if (const FormulaLine* output = line_named(line, "output"))
            refuse_formula(output->place,
                           "a line \"context = ...\" above it, what each head finds, such as \"context = "
                           "weights @ v\": an output is made of that",
                           "\"output\" without one");
    }
}

}  // namespace headlight
