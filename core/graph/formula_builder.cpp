#include "core/graph/formula_builder.h"

#include "core/graph/formula_expressions.h"
#include "core/graph/formula_spellings.h"

#include <algorithm>
#include <array>

namespace headlight {

void FormulaExpressions::add(std::span<const FormulaLine> lines) {
    for (const FormulaLine& line : lines) {
        later_.try_emplace(line.name, line.place.line);
        for (const FormulaLine& each : line.body)
            later_.try_emplace(each.name, each.place.line);
    }
    for (const FormulaLine& line : lines) {
        if (line.times)
            repeat(line);
        else
            assign(line);
        if (names_.after_line)
            names_.after_line(line);
    }
}

void FormulaExpressions::repeat(const FormulaLine& line) {
    const Index times = numbers_.whole(*line.times, 1, "how many times");
    is_repeated_ = true;
    program_.repeat(times, [&] {
        for (const FormulaLine& each : line.body)
            assign(each);
    });
    is_repeated_ = false;
}

void FormulaExpressions::assign(const FormulaLine& line) {
    require_free(line);
    line_ = &line;
    const FormulaNode& value = line.value;
    const auto known = lines_.find(line.name);
    if (is_repeated_ && known != lines_.end() && is_plain_number(known->second.value))
        refuse_formula(line.place, "a tensor to be changed in what is repeated, such as ones(1, 1)",
                       '"' + line.name + "\", a number");
    if (const auto number = numbers_.of(value)) {  // a name for it
        lines_.insert_or_assign(line.name, Assigned{*number, line.place});
        numbers_.set(line.name, *number);
        return;
    }
    if (value.kind == FormulaNode::Kind::list && is_repeated_)
        refuse_formula(value.place, "what follows from other lines, in what is repeated",
                       "numbers that stay");
    if (value.kind == FormulaNode::Kind::list) {
        lines_.insert_or_assign(line.name, Assigned{constant(line.name, value), line.place});
        return;
    }
    const Expression x = expression(value);
    if (has_sides(x)) {
        require_rows_of_pairs(value, x);
        refuse_formula(
            value.place,
            "sum(...) around what has [:, None] or [None, :]: numbers of each pair and each feature "
            "are added up in the line that has them, as in sum(w[d] * tanh(q[:, None] + k[None, :])), and "
            "distances are " +
                std::string(distances_said_here()),
            "a line without it");
    }
    if (is_repeated_ && program_.has(line.name) && program_.tensor(line.name).extent() != x.extent())
        refuse_formula(value.place, line.name + " to keep its extents in what is repeated",
                       to_string(program_.tensor(line.name).extent()) + ", then " + to_string(x.extent()));
    at(value.place, [&] {
        lines_.insert_or_assign(line.name, Assigned{program_.let(line.name, x, line.text), line.place});
        return x;
    });
}

void FormulaExpressions::require_free(const FormulaLine& line) const {
    const auto expected = [](const std::string& why) { return "a new name: " + why; };
    const std::string got = '"' + line.name + '"';
    if (const auto own = lines_.find(line.name); own != lines_.end() && !is_repeated_) {
        const bool counts = line.name == "weights" || line.name == "context";
        refuse_formula(
            line.place,
            expected("a line has this one, " + to_string(own->second.place) + ", and \"" + line.name +
                     "_2\" has none" +
                     (counts ? ": call the line above so where this one has the " + line.name + " that count"
                             : ", which the lines below then say as well")),
            got);
    }
    // Words of formulas and of Python, and what its lines call.
    constexpr std::array<std::string_view, 46> words = {
        "t",        "inf",    "pi",      "repeat",   "np",       "torch",  "print", "base64",
        "unpacked", "_",      "False",   "None",     "True",     "and",    "as",    "assert",
        "async",    "await",  "break",   "class",    "continue", "def",    "del",   "elif",
        "else",     "except", "finally", "for",      "from",     "global", "if",    "import",
        "in",       "is",     "lambda",  "nonlocal", "not",      "or",     "pass",  "raise",
        "return",   "try",    "while",   "with",     "yield",    "range"};
    if (std::ranges::count(words, line.name) > 0)
        refuse_formula(line.place,
                       expected("this word has a meaning of its own in Python or in formulas, \"" +
                                line.name + "_\" has none"),
                       got);
    if (names_.find(line.name))
        refuse_formula(line.place,
                       expected("this one is known without a line, \"" + own_name(line.name) + "\" is free"),
                       got);
    if (std::ranges::count(names_.reserved, line.name) > 0 ||
        (program_.has(line.name) && !lines_.contains(line.name)))
        refuse_formula(line.place,
                       expected("what comes after the formula, or before it, has this one, \"" +
                                own_name(line.name) + "\" is free"),
                       got);
}

void build_formula(std::span<const FormulaLine> lines, const FormulaNames& names, Program& program) {
    FormulaExpressions(names, program).add(lines);
}

std::span<const FormulaFunction> formula_functions() {
    static const std::vector<FormulaFunction> all = [] {
        std::vector<FormulaFunction> list;
        for (const FunctionOfValues& each : functions_of_values())
            list.push_back(each.words);
        list.insert(list.end(), special_formula_functions().begin(), special_formula_functions().end());
        return list;
    }();
    return all;
}

bool is_formula_function(std::string_view name) {
    return std::ranges::find(formula_functions(), name, &FormulaFunction::name) != formula_functions().end();
}

}  // namespace headlight
