#include "core/graph/formula_expressions.h"

#include "core/graph/graph_values.h"
#include "core/tensor/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace headlight {

namespace {

/// What papers call a parameter so, and a formula does not.
struct Meaning {
    std::string_view name, words;
    bool is_of_heads = true;
};
constexpr std::array meanings = {
    Meaning{"q", "the queries"},
    Meaning{"k", "the keys"},
    Meaning{"v", "the values"},
    Meaning{"query", "the queries before positions"},
    Meaning{"key", "the keys before positions"},
    Meaning{"value", "the values before positions"},
    Meaning{"x", "the token vectors of the queries", false},
    Meaning{"y", "the token vectors of the keys", false},
};

/// What follows from constants alone; nothing for what follows from tokens or parameters. Throws Error where
/// it is too much to be known before a run.
std::optional<std::vector<double>> known_numbers(const Program& program, const Expression& x,
                                                 const FormulaPlace& place) {
    std::vector<GivenTensor> constants;
    for (const GivenTensor& tensor : program.given())
        if (tensor.kind == GivenTensor::Kind::constant)
            constants.push_back(tensor);
    std::vector<ProgramPart> lines;    // that follow from constants
    std::map<std::string, int> times;  // that a name is assigned
    for (const ProgramPart& part : program.parts())
        for (const ProgramLine& line : part.assignments)
            times[line.name] += static_cast<int>(std::min<Index>(part.times, 2));
    std::set<std::string> known;
    for (const GivenTensor& tensor : constants)
        known.insert(tensor.name);
    const std::function<bool(const Expression&)> is_known = [&](const Expression& of) {
        if (of->operation == Operation::tensor)
            return known.contains(of->tensor);
        return std::ranges::all_of(of->operands, is_known);
    };
    for (const ProgramPart& part : program.parts())
        for (const ProgramLine& line : part.assignments)
            if (times.at(line.name) == 1 && is_known(line.value) && known.insert(line.name).second)
                lines.push_back({1, {line}});
    if (!is_known(x))
        return {};
    if (x.extent().size() > most_formula_numbers)
        refuse_formula(place,
                       "places of at most " + std::to_string(most_formula_numbers) +
                           " pairs, as 1,024 tokens have, for they are looked up before a run; a formula of "
                           "i and j without pick is for longer texts too",
                       to_string(x.extent()));
    lines.push_back({1, {{"known numbers", x, {}}}});
    Graph graph(constants, lines);
    graph.keep_only({"known numbers"});
    GraphValues values(graph);
    for (const GivenTensor& tensor : constants)
        values.set(tensor.name, tensor.numbers.all());
    values.run();
    const auto numbers = values.of("known numbers");
    return std::vector<double>(numbers.begin(), numbers.end());
}

}  // namespace

Expression FormulaExpressions::indexed(const FormulaNode& node) {
    const FormulaNode& of = node.parts[0];
    if (of.kind == FormulaNode::Kind::name && !is_known(of.text) && declares_parameter(node))
        return declared(node);
    if (const auto again = declared_again(node))
        return *again;
    if (of.kind == FormulaNode::Kind::name && !is_known(of.text) && node.parts.size() > 4)
        refuse_formula(node.place, "at most three extents: heads, rows, columns",
                       std::to_string(node.parts.size() - 1));
    const Expression x = expression(of);
    require_sums_done(of, x);
    require_places(node, x);
    const bool has_dots = node.parts.size() > 1 && node.parts[1].kind == FormulaNode::Kind::nothing &&
                          node.parts[1].text == "...";
    std::vector<const FormulaNode*> parts;
    for (std::size_t i = 1; i < node.parts.size(); ++i)
        if (node.parts[i].text != "..." || node.parts[i].kind != FormulaNode::Kind::nothing)
            parts.push_back(&node.parts[i]);
    if (const auto side = side_of(x, parts))
        return *side;
    if (parts.size() > 2 || parts.empty())
        refuse_formula(node.place, "rows, or rows and columns: x[a:b, c:d]",
                       std::to_string(parts.size()) + " indices");
    const Extent& extent = x.extent();
    const bool is_state = of.kind == FormulaNode::Kind::name && scanned_.contains(of.text);
    if (is_state && extent.rows != names_.tokens && parts[0]->find("t"))
        refuse_formula(node.place,
                       of.text + " alone: it is what the token before has left, and there is no other",
                       of.text + " at a token");
    if (parts.size() == 1 && has_dots) {  // x[..., a:b]
        const auto columns = numbers_.range(*parts[0], extent.columns, "columns");
        return some_columns(x, columns);
    }
    if (parts.size() == 1 && parts[0]->kind != FormulaNode::Kind::slice)
        return row(of, x, *parts[0]);
    const bool is_of_places = std::ranges::any_of(
        parts, [](const FormulaNode* part) { return part->find("i") || part->find("j"); });
    if (is_of_places && of.kind == FormulaNode::Kind::name)
        refuse_formula(node.place,
                       extent.rows == 1 ? "pick(" + of.text + ", 0, abs(i - j)), for numbers of a table"
                                        : of.text + " alone, which has all places i and j at once",
                       of.text + "[...] of i or j");
    const auto rows = numbers_.range(*parts[0], extent.rows, "rows");
    const auto columns =
        parts.size() == 2 ? numbers_.range(*parts[1], extent.columns, "columns") : counted(0, extent.columns);
    return pick(x, {std::ssize(rows), 1, rows}, {1, std::ssize(columns), columns});
}

void FormulaExpressions::require_places(const FormulaNode& node, const Expression& x) const {
    const FormulaNode& of = node.parts[0];
    if (of.kind != FormulaNode::Kind::name)
        return;
    constexpr std::array<std::string_view, 7> extents = {"n", "m", "d", "d_v", "d_x", "d_y", "heads"};
    const bool is_line =
        lines_.contains(of.text) || parameters_.contains(of.text) || scanned_.contains(of.text);
    const auto meaning = std::ranges::find(meanings, of.text, &Meaning::name);
    std::string written;
    bool has_extent = false;
    for (std::size_t i = 1; i < node.parts.size(); ++i) {
        const FormulaNode& part = node.parts[i];
        const bool is_extent =
            part.kind == FormulaNode::Kind::name && std::ranges::count(extents, part.text) > 0;
        if (part.is_name("head"))  // which a single head has a number for too
            refuse_formula(part.place,
                           x.extent().heads > 0 || (names_.heads == 0 && lines_.contains(of.text)) ||
                                   (meaning != meanings.end() && meaning->is_of_heads)
                               ? of.text + " alone: it is of each head already"
                               : of.text +
                                     " alone, which is the same for all heads; a parameter of each head is " +
                                     own_name(of.text + "_a") + "[heads, d, 16]",
                           '"' + of.text + "[head]\"");
        if (!is_extent && part.kind != FormulaNode::Kind::number)
            return;
        has_extent = has_extent || is_extent;
        written += (written.empty() ? "" : ", ") + part.text;
    }
    if (!is_line && has_extent && meaning != meanings.end())
        refuse_formula(node.place,
                       of.text + " is " + std::string(meaning->words) +
                           ": a parameter has another name, such as " + own_name(of.text + "_a") + '[' +
                           written + ']',
                       of.text + '[' + written + ']');
}

Expression FormulaExpressions::declared(const FormulaNode& node) {
    const std::string& name = node.parts[0].text;
    if (!names_.declare)
        refuse_formula(node.place, "a name that is known", '"' + excerpt(name) + '"');
    std::vector<Index> extents = declared_extents(node, numbers_);
    const Expression parameter = at(node.place, [&] { return names_.declare(name, extents); });
    parameters_.insert_or_assign(name, parameter);
    declared_.insert_or_assign(name, DeclaredParameter{name, node.parts[0].place, std::move(extents)});
    return parameter;
}

std::optional<Expression> FormulaExpressions::declared_again(const FormulaNode& node) {
    const auto parameter = parameters_.find(node.parts[0].text);
    if (node.parts[0].kind != FormulaNode::Kind::name || parameter == parameters_.end() ||
        !declares_parameter(node))
        return {};
    std::vector<Index> extents;
    for (std::size_t i = 1; i < node.parts.size(); ++i) {
        const auto number = numbers_.of(node.parts[i]);
        extents.push_back(number ? static_cast<Index>(*number) : -1);
    }
    const DeclaredParameter& first = declared_.at(parameter->first);
    if (first.extents == extents)
        return parameter->second;
    const Extent& whole = parameter->second.extent();
    const bool is_beyond = extents.size() > 2 || extents[0] >= whole.rows ||
                           (extents.size() == 2 && extents[1] >= whole.columns);
    if (is_beyond)  // no place in it
        refuse_formula(node.place,
                       "another name for another matrix, such as " + own_name(first.name + "_2") + ": " +
                           first.name + " has the extents " + to_string(Shape(first.extents)) + " of line " +
                           std::to_string(first.place.line),
                       first.name + ' ' + to_string(Shape(extents)));
    return {};
}

std::optional<Expression> FormulaExpressions::side_of(const Expression& x,
                                                      const std::vector<const FormulaNode*>& parts) {
    const auto is_none = [](const FormulaNode& part) {
        return part.kind == FormulaNode::Kind::nothing && part.text == "None";
    };
    if (std::ranges::none_of(parts, [&](const FormulaNode* part) { return is_none(*part); }))
        return {};
    if (is_none(*parts[0]))
        return right_row(x);
    if (parts.size() >= 2 && is_none(*parts[1]))
        return left_row(x);
    refuse_formula(parts[0]->place, "x[:, None], the row of the query, or x[None, :], that of the key",
                   "another index with None");
}

Expression FormulaExpressions::row(const FormulaNode& of, const Expression& x, const FormulaNode& node) {
    const auto number = numbers_.of(node);
    const Extent& extent = x.extent();
    const bool is_of_pairs = node.find("i") && node.find("j");
    if (!number && is_of_pairs && extent.rows == 1 && of.kind == FormulaNode::Kind::name &&
        !names_.find(of.text))
        refuse_formula(node.place,
                       "pick(" + of.text + ", 0, minimum(abs(i - j), " + std::to_string(extent.columns - 1) +
                           ")), for numbers of a table, each at its place",
                       of.text + "[...] of i and j, which stand for all places at once");
    if (!number || *number != std::floor(*number) || *number >= static_cast<double>(extent.rows))
        refuse_formula(node.place,
                       "a row up to " + std::to_string(extent.rows - 1) + ", or a slice a:b" +
                           (scanned_.empty() && !node.find("t") ? "" : "; t is the token that a scan is at"),
                       number              ? number_text(*number) + whole_quotient_said_here(node, *number)
                       : node.is_name("t") ? "t outside of a scan"
                       : node.find("i") || node.find("j")
                           ? "i and j, which stand for all places at once (q @ k.T has every pair)"
                           : "a value that is no number by itself");
    if (*number >= 0)
        return some_rows(x, {static_cast<Index>(*number)});
    if (node.find("t"))
        return filled({0, 1, extent.columns}, 0);
    const Index from_end = extent.rows + static_cast<Index>(*number);  // the last is -1, as in Python
    if (from_end < 0)
        refuse_formula(node.place, "one of the " + std::to_string(extent.rows) + " rows",
                       number_text(*number));
    return some_rows(x, {from_end});
}

Places FormulaExpressions::places(const FormulaNode& node, Index extent, const char* what, bool is_of_rows) {
    const bool is_written =
        node.kind == FormulaNode::Kind::list || node.kind == FormulaNode::Kind::slice || numbers_.of(node);
    if (is_written)
        return numbers_.places(node, extent, what, is_of_rows);
    const Expression x = number(node);
    const auto known = known_numbers(program_, x, node.place);
    if (!known || x.extent().heads > 0)
        refuse_formula(
            node.place,
            std::string("numbers that follow from i, j and numbers alone, the same for all heads") +
                (known ? "; a table for each head is a parameter b[heads, 1, 32]" : ""),
            known ? to_string(x.extent()) : "a value of the tokens or parameters");
    std::vector<Index> numbers;
    for (const double number : *known) {
        if (number != std::floor(number) || number < 0 || number >= static_cast<double>(extent))
            refuse_formula(node.place,
                           "whole numbers from 0 to " + std::to_string(extent - 1) + ", the last of the " +
                               what,
                           number_text(number) + whole_quotient_said_here(node, number));
        numbers.push_back(static_cast<Index>(number));
    }
    return {x.extent().rows, x.extent().columns, std::move(numbers)};
}

}  // namespace headlight
