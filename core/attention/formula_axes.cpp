#include "core/attention/formula_axes.h"

#include "core/attention/typed_formula.h"
#include "core/graph/formula_spellings.h"

#include <algorithm>

namespace headlight {

bool is_along_rows(const FormulaNode& axis) {
    const bool is_negative = axis.kind == FormulaNode::Kind::sign && axis.text == "-";
    return is_negative ? axis.parts[0].number == 2
                       : axis.kind == FormulaNode::Kind::number && axis.number == 0;
}

AxesOfValue FormulaAxes::of(const FormulaNode& node) const {
    switch (node.kind) {
    case Kind::number:
        return {FormulaAxis::one, FormulaAxis::one};
    case Kind::name:
        return of_name(node.text);
    case Kind::transpose: {
        const AxesOfValue x = of(node.parts[0]);
        return {x.columns, x.rows};
    }
    case Kind::sign:
        if (node.text == "@")
            return {of(node.parts[0]).rows, of(node.parts[1]).columns};
        return of_meeting(node);
    case Kind::call:
        return of_call(node);
    case Kind::index:
        return of_index(node);
    case Kind::list:
        return {FormulaAxis::features, FormulaAxis::features};
    default:
        return {};
    }
}

void FormulaAxes::add(const FormulaLine& line) {
    const AxesOfValue counted = of(line.value);
    if (counted.columns == FormulaAxis::one && is_distance_in_row(line.value))
        distances_in_rows_.insert(line.name);
    lines_.insert_or_assign(line.name, counted);
}

void FormulaAxes::require_rows_of_queries(const FormulaLine& line) const {
    const AxesOfValue x = of_name(line.name);
    if (line.name == "weights" && x.rows == FormulaAxis::keys && x.columns == FormulaAxis::queries)
        refuse_formula(line.place, "weights [n, m]: rows are queries, as in q @ k.T", "rows of keys");
}

AxesOfValue FormulaAxes::of_name(const std::string& name) const {
    if (const auto line = lines_.find(name); line != lines_.end())
        return line->second;
    if (name == "x" || name == "q" || name == "query" || name == "concatenation")
        return {FormulaAxis::queries, FormulaAxis::features};
    if (name == "y" || name == "k" || name == "v" || name == "key" || name == "value")
        return {FormulaAxis::keys, FormulaAxis::features};
    if (name == "i")
        return {FormulaAxis::queries, FormulaAxis::one};
    if (name == "j")
        return {FormulaAxis::one, FormulaAxis::keys};
    if (name == "allowed")
        return {FormulaAxis::queries, FormulaAxis::keys};
    return {FormulaAxis::one, FormulaAxis::one};
}

std::vector<AxesOfValue> FormulaAxes::of_each(const std::vector<FormulaNode>& parts) const {
    std::vector<AxesOfValue> each;
    for (const FormulaNode& part : parts)
        each.push_back(of(part));
    return each;
}

AxesOfValue FormulaAxes::of_meeting(const FormulaNode& node) const {
    const std::vector<AxesOfValue> parts = of_each(node.parts);
    if (parts.size() == 2) {
        if (node.text == "+" || node.text == "-") {
            require_distances_of_pairs(node.parts[0], parts[0], parts[1]);
            require_distances_of_pairs(node.parts[1], parts[1], parts[0]);
        }
        if (node.text == "*") {
            require_slope(node.parts[0], node.parts[1], parts[1]);
            require_slope(node.parts[1], node.parts[0], parts[0]);
        }
        require_row_of_keys(node.parts[0], parts[0], node.parts[1], parts[1]);
        require_row_of_keys(node.parts[1], parts[1], node.parts[0], parts[0]);
    }
    return together(parts);
}

void FormulaAxes::require_row_of_keys(const FormulaNode& one, const AxesOfValue& of_one,
                                      const FormulaNode& other, const AxesOfValue& of_other) {
    const bool is_column = of_one.rows == FormulaAxis::keys && of_one.columns == FormulaAxis::one;
    const auto has = [](const FormulaNode& node, auto... names) { return (node.find(names) || ...); };
    const bool is_of_pairs = of_other.columns == FormulaAxis::keys;
    const bool is_of_queries =
        of_other.columns == FormulaAxis::one && has(other, "q", "query") && has(one, "k", "key");
    if (is_column && of_other.rows == FormulaAxis::queries && (is_of_pairs || is_of_queries))
        refuse_formula(one.place, "a number for each key in a row, [1, m]: a column with \".T\" behind it",
                       is_of_pairs ? "a column [m, 1] beside pairs [n, m]"
                                   : "a column [m, 1] beside one of queries [n, 1]");
}

void FormulaAxes::require_slope(const FormulaNode& one, const FormulaNode& other,
                                const AxesOfValue& of_other) {
    const bool is_of_pairs = of_other.rows == FormulaAxis::queries && of_other.columns == FormulaAxis::keys;
    const bool is_distance = is_of_pairs && other.find("i") && other.find("j") && !other.find("q");
    if ((one.is_name("m") || one.is_name("n")) && is_distance)
        refuse_formula(
            one.place,
            "another name for what distances are multiplied by, in a line of its own, \"slope = "
            "1 / 4\"",
            '"' + one.text +
                (one.text == "m" ? "\", how many keys there are" : "\", how many queries there are"));
}

void FormulaAxes::require_distances_of_pairs(const FormulaNode& one, const AxesOfValue& of_one,
                                             const AxesOfValue& of_other) const {
    const bool is_column = of_one.columns == FormulaAxis::one;
    const bool is_beside_pairs =
        of_other.rows == FormulaAxis::queries && of_other.columns == FormulaAxis::keys;
    if (is_column && is_beside_pairs && is_distance_in_row(one))
        refuse_formula(one.place,
                       "distances of all pairs, as in " + std::string(distances_said_here()) +
                           ", beside pairs [n, m]",
                       "a column [n, 1], of each query and the key of the same row");
}

bool FormulaAxes::is_distance_in_row(const FormulaNode& node) const {
    const bool reduces =
        node.kind == Kind::call && (node.text == "sum" || node.text == "mean" || node.text == "norm");
    return (node.kind == Kind::name && distances_in_rows_.contains(node.text)) ||
           (reduces && !has_none(node) && has_difference(node)) ||
           std::ranges::any_of(node.parts, [&](const FormulaNode& part) { return is_distance_in_row(part); });
}

bool FormulaAxes::has_difference(const FormulaNode& node) {
    const auto is_between = [&](const char* first, const char* second) {
        return node.parts[0].is_name(first) && node.parts[1].is_name(second);
    };
    const bool is_difference = node.kind == Kind::sign && node.text == "-" && node.parts.size() == 2;
    return (is_difference && (is_between("q", "k") || is_between("k", "q"))) ||
           std::ranges::any_of(node.parts, has_difference);
}

AxesOfValue FormulaAxes::together(const std::vector<AxesOfValue>& parts) {
    AxesOfValue met{FormulaAxis::one, FormulaAxis::one};
    const auto is_of_tokens = [](FormulaAxis x) {
        return x == FormulaAxis::queries || x == FormulaAxis::keys;
    };
    const auto meet = [&](FormulaAxis& a, FormulaAxis b) {
        if (a == FormulaAxis::one || a == FormulaAxis::unknown ||
            (a == FormulaAxis::features && is_of_tokens(b)))
            a = b;
    };
    for (const AxesOfValue& x : parts) {
        meet(met.rows, x.rows);
        meet(met.columns, x.columns);
    }
    return met;
}

bool FormulaAxes::has_none(const FormulaNode& node) {
    return (node.kind == Kind::nothing && node.text == "None") || std::ranges::any_of(node.parts, has_none);
}

AxesOfValue FormulaAxes::of_call(const FormulaNode& node) const {
    const bool reduces = node.text == "sum" || node.text == "mean" || node.text == "max" ||
                         node.text == "min" || node.text == "norm";
    if (node.text == "scan")
        return {FormulaAxis::queries,
                node.parts.empty() ? FormulaAxis::unknown : of(node.parts.back()).columns};
    if (node.text == "concat" && !node.parts.empty())
        return together(of_each(node.parts[0].parts));
    if (node.text == "arange" || node.text == "zeros" || node.text == "ones" || node.text == "eye")
        return {FormulaAxis::features, FormulaAxis::features};
    if (reduces && has_none(node))
        return {FormulaAxis::queries, FormulaAxis::keys};
    if (!reduces || std::ranges::count(node.keywords, "") != 1)  // more than what is reduced
        return together(of_each(node.parts));
    const AxesOfValue x = of(node.parts[0]);
    const auto axis = std::ranges::find_if(
        node.keywords, [](const std::string& word) { return word == "axis" || word == "dim"; });
    const bool is_of_rows = axis != node.keywords.end() &&
                            is_along_rows(node.parts[static_cast<std::size_t>(axis - node.keywords.begin())]);
    return is_of_rows ? AxesOfValue{FormulaAxis::one, x.columns} : AxesOfValue{x.rows, FormulaAxis::one};
}

AxesOfValue FormulaAxes::of_index(const FormulaNode& node) const {
    const bool is_known = lines_.contains(node.parts[0].text) || is_formula_word(node.parts[0].text);
    if (node.parts[0].kind == Kind::name && !is_known)
        return of_parameter(node);
    const AxesOfValue x = of(node.parts[0]);
    const bool is_row = node.parts.size() == 2 && node.parts[1].kind != Kind::slice;
    return is_row ? AxesOfValue{FormulaAxis::one, x.columns} : x;
}

AxesOfValue FormulaAxes::of_parameter(const FormulaNode& node) {
    const auto count = [](const FormulaNode& extent) {
        return extent.is_name("n")                                 ? FormulaAxis::queries
               : extent.is_name("m")                               ? FormulaAxis::keys
               : extent.kind == Kind::number && extent.number == 1 ? FormulaAxis::one
                                                                   : FormulaAxis::features;
    };
    const std::size_t last = node.parts.size() - 1;
    if (last == 0)
        return {};
    AxesOfValue counted{last > 1 ? count(node.parts[last - 1]) : FormulaAxis::one, count(node.parts[last])};
    if (counted.rows == FormulaAxis::queries && counted.columns == FormulaAxis::queries)
        counted.columns = FormulaAxis::keys;  // [n, n] is a map of one sequence
    return counted;
}

}  // namespace headlight
