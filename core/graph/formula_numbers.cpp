#include "core/graph/formula_numbers.h"

#include "core/graph/formula_meant.h"
#include "core/graph/formula_spellings.h"
#include "core/tensor/error.h"
#include "core/tensor/number_text.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

namespace headlight {
namespace {

std::string quoted_name(const std::string& name) { return '"' + excerpt(name) + '"'; }

std::optional<double> joined(const std::string& sign, double a, double b) {
    if (sign == "+")
        return a + b;
    if (sign == "-")
        return a - b;
    if (sign == "*")
        return a * b;
    if (sign == "/")
        return a / b;
    if (sign == "//")
        return std::floor(a / b);
    if (sign == "%")
        return a - std::floor(a / b) * b;
    return sign == "**" ? std::optional(std::pow(a, b)) : std::nullopt;
}

bool is_condition(const FormulaNode& node) {
    constexpr std::array<std::string_view, 9> signs = {"<", "<=", ">", ">=", "==", "!=", "and", "or", "not"};
    return node.kind == FormulaNode::Kind::sign && std::ranges::count(signs, node.text) > 0;
}

void collect(const FormulaNode& node, std::size_t level, int depth, std::vector<Index>& extents,
             std::vector<double>& numbers, bool& is_truth, const FormulaNumbers& known) {
    if (static_cast<int>(level) == depth) {
        const bool says_truth = node.is_name("True") || node.is_name("False");
        if (!numbers.empty() && says_truth != is_truth)
            refuse_formula(node.place, "numbers alone, or True and False alone", "both");
        is_truth = says_truth;
        const auto number = says_truth ? std::optional(node.is_name("True") ? 1.0 : 0.0) : known.of(node);
        const bool is_infinite =
            node.is_name("inf") ||
            (node.kind == FormulaNode::Kind::sign && node.parts.size() == 1 && node.parts[0].is_name("inf"));
        if (!number && !is_infinite)
            refuse_formula(node.place,
                           is_condition(node)
                               ? "a number; a condition stands in round brackets, as (j <= i), and "
                                 "is 1 where it holds"
                               : "a number",
                           is_condition(node) ? "a condition" : "another value");
        numbers.push_back(number                ? *number
                          : node.is_name("inf") ? std::numeric_limits<double>::infinity()
                                                : -std::numeric_limits<double>::infinity());
        return;
    }
    if (node.kind != FormulaNode::Kind::list)
        refuse_formula(node.place, "a row in brackets, as the others are", "a value");
    const Index count = std::ssize(node.parts);
    if (extents.size() == level)
        extents.push_back(count);
    else if (extents[level] != count)
        refuse_formula(node.place, "rows of " + std::to_string(extents[level]),
                       "one of " + std::to_string(count));
    for (const FormulaNode& part : node.parts)
        collect(part, level + 1, depth, extents, numbers, is_truth, known);
}

void collect_parameters(const FormulaNode& node, const FormulaNames& names, std::set<std::string>& taken,
                        const FormulaNumbers& numbers, std::vector<DeclaredParameter>& list) {
    if (declares_parameter(node)) {
        const std::string& name = node.parts[0].text;
        if (!taken.contains(name) && !names.find(name)) {
            list.push_back({name, node.parts[0].place, declared_extents(node, numbers)});
            taken.insert(name);
        }
    }
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
        if (node.kind == FormulaNode::Kind::call && node.text == "scan" && !node.keywords[i].empty())
            taken.insert(node.keywords[i]);
        collect_parameters(node.parts[i], names, taken, numbers, list);
    }
}

void collect_parameters(std::span<const FormulaLine> lines, const FormulaNames& names,
                        std::set<std::string>& taken, FormulaNumbers& numbers,
                        std::vector<DeclaredParameter>& list) {
    for (const FormulaLine& line : lines) {
        collect_parameters(line.value, names, taken, numbers, list);
        collect_parameters(line.body, names, taken, numbers, list);
        taken.insert(line.name);
        if (const auto number = line.times ? std::nullopt : numbers.of(line.value))
            numbers.set(line.name, *number);
    }
}

}  // namespace

std::string whole_quotient_said_here(const FormulaNode& node, double number) {
    const std::function<bool(const FormulaNode&)> divides = [&](const FormulaNode& part) {
        return (part.kind == FormulaNode::Kind::sign && part.text == "/") ||
               std::ranges::any_of(part.parts, divides);
    };
    return number != std::floor(number) && divides(node) ? " (\"//\" divides without a remainder)" : "";
}

std::optional<double> FormulaNumbers::of(const FormulaNode& node) const {
    if (node.kind == FormulaNode::Kind::number)
        return node.number;
    if (node.kind == FormulaNode::Kind::name)
        return of_name(node.text);
    if (node.kind == FormulaNode::Kind::call && node.parts.size() == 1) {
        const auto x = of(node.parts[0]);
        return !x                     ? x
               : node.text == "sqrt"  ? std::optional(std::sqrt(*x))
               : node.text == "floor" ? std::optional(std::floor(*x))
                                      : std::nullopt;
    }
    if (node.kind != FormulaNode::Kind::sign)
        return {};
    std::vector<double> x;
    for (const FormulaNode& part : node.parts) {
        const auto number = of(part);
        if (!number)
            return {};
        x.push_back(*number);
    }
    const bool divides = node.text == "/" || node.text == "//" || node.text == "%";
    if (x.size() == 2 && divides && x[1] == 0)
        return {};
    return x.size() == 1 ? (node.text == "-" ? std::optional(-x[0]) : std::nullopt)
                         : joined(node.text, x[0], x[1]);
}

Index FormulaNumbers::whole(const FormulaNode& node, Index least, const std::string& what) const {
    const auto number = of(node);
    const std::string expected = "a whole number from " + std::to_string(least) + " to " +
                                 std::to_string(most_formula_numbers) + ", " + what;
    if (!number) {
        const std::string meant = own_spelling(node.text);
        refuse_formula(node.place, expected + ": digits, or n, m, d, d_v, d_x, d_y, heads",
                       node.kind != FormulaNode::Kind::name ? "another value"
                       : of_name(meant)                     ? quoted_name(node.text) + did_you_mean(meant)
                                                            : quoted_name(node.text));
    }
    if (*number != std::floor(*number) || *number < static_cast<double>(least) ||
        *number > static_cast<double>(most_formula_numbers))
        refuse_formula(node.place, expected, number_text(*number) + whole_quotient_said_here(node, *number));
    return static_cast<Index>(*number);
}

std::optional<double> FormulaNumbers::of_name(const std::string& name) const {
    if (const auto own = own_.find(name); own != own_.end())
        return own->second;
    const auto known = names_.find(name);
    return known && is_plain_number(*known) ? std::optional((*known)->number) : std::nullopt;
}

std::vector<Index> FormulaNumbers::range(const FormulaNode& node, Index extent, const char* what) const {
    if (node.kind == FormulaNode::Kind::list) {
        std::vector<Index> places;
        for (const FormulaNode& part : node.parts)
            places.push_back(place(part, extent, what));
        if (places.empty())
            refuse_formula(node.place, std::string("one of the ") + what + " or more", "none");
        return places;
    }
    if (node.kind != FormulaNode::Kind::slice)
        return {place(node, extent, what)};
    const auto end = [&](const FormulaNode& part, Index otherwise) {
        if (part.kind == FormulaNode::Kind::nothing)
            return otherwise;
        const bool is_from_end =
            part.kind == FormulaNode::Kind::sign && part.text == "-" && part.parts.size() == 1;
        const Index number = whole(is_from_end ? part.parts[0] : part, 0, std::string("one of the ") + what);
        return is_from_end ? extent - number : number;
    };
    const Index first = end(node.parts[0], 0), last = end(node.parts[1], extent);
    if (first < 0 || first >= last || last > extent)
        refuse_formula(node.place, std::string("some of the ") + std::to_string(extent) + ' ' + what,
                       std::to_string(first) + ':' + std::to_string(last));
    return counted(first, last - first);
}

Index FormulaNumbers::place(const FormulaNode& node, Index extent, const char* what) const {
    const Index number = whole(node, 0, std::string("one of the ") + what + ", from 0");
    if (number >= extent)
        refuse_formula(node.place, "at most " + std::to_string(extent - 1) + ", the last of the " + what,
                       std::to_string(number));
    return number;
}

Places FormulaNumbers::places(const FormulaNode& node, Index extent, const char* what,
                              bool is_of_rows) const {
    const bool is_of_places = node.kind == FormulaNode::Kind::list && !node.parts.empty() &&
                              node.parts[0].kind == FormulaNode::Kind::list;
    if (!is_of_places) {
        std::vector<Index> list = range(node, extent, what);
        const Index count = std::ssize(list);
        return is_of_rows ? Places{count, 1, std::move(list)} : Places{1, count, std::move(list)};
    }
    std::vector<Index> all;
    const std::size_t columns = node.parts[0].parts.size();
    for (const FormulaNode& row : node.parts) {
        const std::vector<Index> list = range(row, extent, what);
        if (list.size() != columns)
            refuse_formula(row.place, "rows of " + std::to_string(columns),
                           "one of " + std::to_string(list.size()));
        all.insert(all.end(), list.begin(), list.end());
    }
    return {std::ssize(node.parts), static_cast<Index>(columns), std::move(all)};
}

WrittenNumbers written_numbers(const FormulaNode& list, const FormulaNumbers& numbers) {
    int depth = 0;
    for (const FormulaNode* at = &list; at->kind == FormulaNode::Kind::list && !at->parts.empty();
         at = &at->parts.front())
        ++depth;
    if (depth < 1 || depth > 3)
        refuse_formula(list.place, "numbers in brackets: [1, 2], [[1, 2], [3, 4]], or a matrix for each head",
                       depth == 0 ? "an empty list" : "more brackets");
    WrittenNumbers written;
    std::vector<Index> extents;
    collect(list, 0, depth, extents, written.numbers, written.is_truth, numbers);
    while (extents.size() < 2)
        extents.insert(extents.begin(), 1);
    written.extent = {extents.size() == 3 ? extents[0] : 0, extents[extents.size() - 2], extents.back()};
    return written;
}

bool declares_parameter(const FormulaNode& node) {
    return node.kind == FormulaNode::Kind::index && node.parts[0].kind == FormulaNode::Kind::name &&
           node.parts.size() >= 2 && node.parts.size() <= 4 &&
           std::ranges::none_of(node.parts, [](const FormulaNode& part) {
               return part.kind == FormulaNode::Kind::slice || part.kind == FormulaNode::Kind::nothing ||
                      part.kind == FormulaNode::Kind::list;
           });
}

std::vector<Index> declared_extents(const FormulaNode& node, const FormulaNumbers& numbers) {
    std::vector<Index> extents;
    const std::string& name = node.parts[0].text;
    if (const std::string_view here = function_said_here(name); !here.empty())
        refuse_formula(node.parts[0].place, std::string(here), quoted_name(name));
    for (std::size_t i = 1; i < node.parts.size(); ++i) {
        const FormulaNode& extent = node.parts[i];
        const std::string meant =
            extent.find("i") || extent.find("j")
                ? " (numbers of a table are pick(" + name + "[1, 32], 0, abs(i - j)))"
            : extent.find("head")
                ? " (one for each head is " + name + "[heads, 1, 1], a matrix " + name + "[heads, d, 16])"
                : "";
        if (is_formula_function(name) && !numbers.of(extent))
            refuse_formula(node.place, "\"(\" after the name of a function, " + name + "(...)", "\"[\"");
        const std::string what = "an extent of the parameter " + name + meant;
        if (extent.is_name("head"))  // which a single head has a number for too
            refuse_formula(extent.place, what + ": digits, or n, m, d, d_v, d_x, d_y, heads", "\"head\"");
        extents.push_back(numbers.whole(extent, 1, what));
    }
    return extents;
}

std::vector<DeclaredParameter> parameters_of(std::span<const FormulaLine> lines, const FormulaNames& names) {
    std::vector<DeclaredParameter> list;
    std::set<std::string> taken;
    FormulaNumbers numbers(names);
    collect_parameters(lines, names, taken, numbers, list);
    return list;
}

}  // namespace headlight
