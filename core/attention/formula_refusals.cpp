#include "core/attention/formula_refusals.h"

#include "core/attention/formula_output.h"
#include "core/graph/formula_numbers.h"
#include "core/graph/formula_spellings.h"
#include "core/tensor/error.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace headlight {
namespace {

/// Has these extents, or is one for all heads.
bool has_extent(const Extent& extent, const Extent& expected) {
    const bool has_heads = extent.heads == expected.heads || extent.matrices() == 1;
    return has_heads && extent.rows == expected.rows && extent.columns == expected.columns;
}

bool calls(const FormulaNode& node, std::string_view function) {
    return (node.kind == FormulaNode::Kind::call && node.text == function) ||
           std::ranges::any_of(node.parts, [&](const FormulaNode& part) { return calls(part, function); });
}

/// A sum over each row of what is made of queries and keys, row beside row.
bool sums_rows_alone(const FormulaNode& node) {
    const bool is_sum =
        node.kind == FormulaNode::Kind::call && node.text == "sum" && node.find("q") && node.find("k");
    const std::function<bool(const FormulaNode&)> makes_pairs = [&](const FormulaNode& part) {
        return (part.kind == FormulaNode::Kind::sign && part.text == "@") ||
               (part.kind == FormulaNode::Kind::nothing && part.text == "None") ||
               std::ranges::any_of(part.parts, makes_pairs);
    };
    return (is_sum && !makes_pairs(node)) || std::ranges::any_of(node.parts, sums_rows_alone);
}

/// Rows of one of the two alone, such as k @ U[d, 16].
bool has_rows_of(const FormulaNode& node, const char* of, const char* not_of) {
    return node.find(of) && !node.find(not_of) && node.kind != FormulaNode::Kind::transpose;
}

/// q - k, q * k and q @ W[d, 16] + k @ U[d, 16], or concat([q, k]) for a sign that is none, row beside row.
bool joins_rows(const FormulaNode& node, std::string_view sign) {
    const bool is_list = node.kind == FormulaNode::Kind::list && sign == "concat";
    const bool joins = is_list || (node.kind == FormulaNode::Kind::sign && node.text == sign);
    const bool is_of_both = joins && node.parts.size() == 2 &&
                            ((has_rows_of(node.parts[0], "q", "k") && has_rows_of(node.parts[1], "k", "q")) ||
                             (has_rows_of(node.parts[0], "k", "q") && has_rows_of(node.parts[1], "q", "k")));
    return is_of_both ||
           std::ranges::any_of(node.parts, [&](const FormulaNode& part) { return joins_rows(part, sign); });
}

bool joins_rows(const TypedFormula& formula, std::string_view sign) {
    return std::ranges::any_of(formula.lines,
                               [&](const FormulaLine& line) { return joins_rows(line.value, sign); });
}

/// Why what was meant as weights has features, or one column, where a line joins queries and keys so.
std::string rows_joined(const TypedFormula& formula) {
    const std::string same_row = " is of each query and the key of the same row: ";
    return joins_rows(formula, "-")
               ? ", for q - k" + same_row + "distances of all pairs are " + std::string(distances_said_here())
           : joins_rows(formula, "*") ? ", for q * k" + same_row + "products of all pairs are q @ k.T"
           : joins_rows(formula, "+")
               ? ", for q + k" + same_row + "all pairs are " + std::string(weighted_pairs_said_here())
           : joins_rows(formula, "concat")
               ? ", for concat([q, k])" + same_row + "all pairs are q @ u[d, 1] + (k @ w[d, 1]).T"
               : std::string();
}

/// How one row, of a single question or of a mean, is written for each query.
std::string row_for_all(const Expression& x) {
    return x.extent().rows == 1 && x.extent().columns > 1
               ? ", one row for all queries: ones(n, 1) @ row is one of each"
               : std::string();
}

/// Why there are matrices of several heads where one is asked for: code parts q, k and v into heads.
std::string heads_made(const Plan& plan, const Expression& x) {
    return x.extent().heads > 1 && plan.heads == 1
               ? ", a matrix for each of " + std::to_string(x.extent().heads) +
                     " heads: lines are of one head, and how many there are stands around the formula"
               : std::string();
}

/// Nothing else parts the matrices of W[2, d, d] where there is one head, until they are in the weights.
void require_heads_of_parameters(const Plan& plan, const Extent& extent) {
    if (extent.matrices() == 1 || extent.heads == plan.heads)
        return;
    for (const DeclaredParameter& parameter : formula_parameters(plan))
        if (parameter.extents.size() == 3 && parameter.extents[0] == extent.heads)
            refuse_formula(parameter.place,
                           parameter.name + "[heads, ...], a matrix for each head, of which there " +
                               (plan.heads == 1 ? "is 1" : "are " + std::to_string(plan.heads)) + ", or " +
                               parameter.name + " with two extents, one for all",
                           parameter.name + ' ' + to_string(Shape(parameter.extents)));
}

/// What a part that is made of numbers and d alone would be in heads of this width; nothing of others.
std::optional<double> number_of_width(const TypedFormula& formula, const FormulaNode& node, double width) {
    FormulaNames names;
    names.find = [width](const std::string& name) {
        return name == "d" ? std::optional<Expression>(width) : std::nullopt;
    };
    FormulaNumbers numbers(names);
    for (const FormulaLine& line : formula.lines)
        if (const auto number = line.times ? std::nullopt : numbers.of(line.value))
            numbers.set(line.name, *number);
    return numbers.of(node);
}

/// " / sqrt(d)" of what divides by sqrt(d), or is multiplied by its inverse, and " * sqrt(d)"; empty of
/// other numbers.
std::string scale_of_width(const TypedFormula& formula, const FormulaNode& node, bool divides) {
    const auto is_power = [&](double exponent) {
        constexpr std::array widths = {2.0, 7.0};
        return std::ranges::all_of(widths, [&](double width) {
            const auto number = number_of_width(formula, node, width);
            return number && std::abs(*number - std::pow(width, exponent)) < 1e-9;
        });
    };
    return is_power(divides ? 0.5 : -0.5) ? " / sqrt(d)" : is_power(divides ? -0.5 : 0.5) ? " * sqrt(d)" : "";
}

/// "softmax(q @ k.T / sqrt(d))", of the line "softmax(q @ k.T) / sqrt(d)"; of one that begins with something
/// else, or whose scores are a sum, "softmax(scores / sqrt(d))".
std::string scaled_before(const FormulaNode& softmax, const std::string& line, const std::string& scale) {
    const std::string call = "softmax(";
    const FormulaNode& scores = softmax.parts[0];
    const bool is_sum = scores.kind == FormulaNode::Kind::sign && (scores.text == "+" || scores.text == "-");
    std::size_t end = call.size();
    for (int open = 1; open > 0 && end < line.size(); ++end)
        open += line[end] == '(' ? 1 : line[end] == ')' ? -1 : 0;
    const bool is_said = line.starts_with(call) && softmax.parts.size() == 1 && !is_sum &&
                         line.find_first_of("\n#") == std::string::npos;
    return (is_said ? line.substr(0, end - 1) : call + "scores") + scale + ')';
}

}  // namespace

void require_scores_scaled(const TypedFormula& formula) {
    for (const FormulaLine& line : formula.lines) {
        const FormulaNode& value = line.value;
        const auto joins = [](const FormulaNode& node, std::string_view sign) {
            return node.kind == FormulaNode::Kind::sign && node.text == sign && node.parts.size() == 2;
        };
        const bool takes_values = line.name == "context" && joins(value, "@") && value.parts[1].is_name("v");
        const FormulaNode& map = takes_values ? value.parts[0] : value;
        const bool divides = joins(map, "/");
        if ((line.name != "weights" && !takes_values) || (!divides && !joins(map, "*")))
            continue;
        const auto is_softmax = [](const FormulaNode& node) {
            return node.kind == FormulaNode::Kind::call && node.text == "softmax";
        };
        const std::size_t softmax = divides || is_softmax(map.parts[0]) ? 0 : 1;
        const std::string scale = is_softmax(map.parts[softmax])
                                      ? scale_of_width(formula, map.parts[1 - softmax], divides)
                                      : std::string();
        if (!scale.empty())
            refuse_formula(map.place,
                           '"' + line.name + " = " + scaled_before(map.parts[softmax], line.text, scale) +
                               (takes_values ? " @ v" : "") +
                               "\": scores are scaled before their softmax, and once",
                           "shares that no longer add up to 1, in \"" + excerpt(line.text) + '"');
    }
}

std::string rows_alone(const Plan& plan, const TypedFormula& formula, const Expression& x) {
    const bool has_queries = x.extent().rows == plan.queries;
    const bool is_added = joins_rows(formula, "+") || joins_rows(formula, "concat");
    if (has_queries &&
        (x.extent().columns == plan.head_query_width() || (x.extent().columns == 1 && is_added)))
        return rows_joined(formula);
    const auto cause = std::ranges::find_if(
        formula.lines, [](const FormulaLine& line) { return sums_rows_alone(line.value); });
    return x.extent().columns != 1 || cause == formula.lines.end()
               ? ""
               : ", for the sum of line " + std::to_string(cause->place.line) +
                     " is of each query and the key of the same row: all pairs are "
                     "sum((q[:, None] - k[None, :]) ** 2), or q @ k.T of products";
}

const FormulaLine* line_giving(std::span<const FormulaLine> lines, const std::string& name) {
    const FormulaLine* found = nullptr;
    std::size_t length = 0;
    const auto look = [&](const FormulaLine& line) {
        const bool is_of_it = name == line.name || name.starts_with(line.name + '_');
        if ((is_of_it && line.name.size() >= length) || (length == 0 && line.name == "context"))
            found = &line;
        if (is_of_it)
            length = std::max(length, line.name.size());
    };
    for (const FormulaLine& line : lines) {
        look(line);
        std::ranges::for_each(line.body, look);
    }
    return found;
}

void refuse_line(const TypedFormula& formula, const std::string& name, const std::string& expected,
                 const std::string& got) {
    const FormulaLine* line = line_giving(formula.lines, name);
    refuse_formula(line ? line->place : FormulaPlace(), expected, got);
}

void require_extent(const TypedFormula& formula, const std::string& name, const Expression& x,
                    const Extent& expected, const std::string& hint) {
    if (!has_extent(x.extent(), expected))
        refuse_line(formula, name, name + ' ' + to_string(expected), to_string(x.extent()) + hint);
    if (x->is_truth)
        refuse_line(formula, name, "numbers, as where(condition, 1, 0) has them", "true or false");
}

Extent extent_of_weights(const Plan& plan) {
    return {plan.heads > 1 ? plan.heads : 0, plan.queries, plan.keys};
}
Extent extent_of_contexts(const Plan& plan) {
    return {plan.heads > 1 ? plan.heads : 0, plan.queries, plan.head_value_width()};
}
void require_weights(const Plan& plan, const TypedFormula& formula, const Expression& weights) {
    require_heads_of_parameters(plan, weights.extent());
    const bool is_context = has_extent(weights.extent(), extent_of_contexts(plan));
    const FormulaLine* line = line_giving(formula.lines, "weights");
    const bool is_of_rows = line && weights.extent().columns == 1 && calls(line->value, "norm");
    require_extent(
        formula, "weights", weights, extent_of_weights(plan),
        is_of_rows
            ? ", the length of each row; distances of all pairs are " + std::string(distances_said_here())
        : is_context ? ", the extents of \"context\"" + rows_alone(plan, formula, weights)
                     : rows_alone(plan, formula, weights) + row_for_all(weights) + heads_made(plan, weights));
}
void require_context(const Plan& plan, const TypedFormula& formula, const Expression& context) {
    require_heads_of_parameters(plan, context.extent());
    const bool is_map = has_extent(context.extent(), extent_of_weights(plan));
    require_extent(
        formula, "context", context, extent_of_contexts(plan),
        !is_map ? row_for_all(context) + heads_made(plan, context)
        : std::ranges::any_of(formula.lines, [](const FormulaLine& line) { return gives(line, "weights"); })
            ? ", the extents of \"weights\": the values are taken by \"weights @ v\""
            : ", the extents of \"weights\": the line is called so, or takes the values by \"@ v\"");
}

const FormulaLine* line_of_shares(const Plan& plan, const TypedFormula& formula, const Program& program) {
    const auto is_of_shares = [&](const FormulaLine& line) {
        const auto stage = std::ranges::find(formula.stages, line.name, &DeclaredStage::name);
        return stage != formula.stages.end() && stage->is_share && program.has(line.name) &&
               has_extent(program.tensor(line.name).extent(), extent_of_weights(plan));
    };
    const auto found = std::ranges::find_if(formula.lines, is_of_shares);
    return found == formula.lines.end() ? nullptr : &*found;
}

void refuse_without_context(const Plan& plan, const TypedFormula& formula, const Program& program) {
    const std::string expected = "a line \"context = ...\", or \"weights = ...\" from which it follows";
    const auto meant = [&](const FormulaLine& line, const std::string& name) {
        refuse_formula(line.place, expected, '"' + line.name + '"' + did_you_mean(name));
    };
    for (const FormulaLine& line : formula.lines) {
        if (line.times)
            continue;
        const std::string near = nearest(line.name, {"context", "weights"});
        if (near == line.name)
            refuse_line(formula, near,
                        near + ' ' +
                            to_string(near == "weights" ? extent_of_weights(plan) : extent_of_contexts(plan)),
                        "a number");
        if (!near.empty())
            meant(line, near);
    }
    if (formula.lines.empty())
        throw Error({"formula", "", expected, "no line"});
    const FormulaLine& last = formula.lines.back();
    if (program.has(last.name) && program.tensor(last.name).extent() == extent_of_contexts(plan) &&
        plan.keys != plan.head_value_width())
        meant(last, "context");
    if (const FormulaLine* shares = line_of_shares(plan, formula, program))
        meant(*shares, "weights");
    throw Error({"formula", "", expected, "neither"});
}

void require_context_named(const Plan& plan, const TypedFormula& formula, const Program& program) {
    std::set<std::string> follow;
    for (const FormulaLine& line : formula.lines) {
        if (!follow.empty() && std::ranges::any_of(follow, [&](const std::string& name) {
                return node_named(line, name) != nullptr;
            }))
            follow.insert(line.name);
        if (gives(line, "weights"))
            follow.insert("weights");
    }
    const auto is_read = [&](const FormulaLine& line) {
        return std::ranges::any_of(formula.lines, [&](const FormulaLine& other) {
            return other.name != line.name && node_named(other, line.name) != nullptr;
        });
    };
    for (const FormulaLine& line : formula.lines) {
        if (line.times || line.name == "weights" || !follow.contains(line.name) || is_read(line))
            continue;
        const auto stage = std::ranges::find(formula.stages, line.name, &DeclaredStage::name);
        if (stage != formula.stages.end() && stage->has_features && program.has(line.name) &&
            has_extent(program.tensor(line.name).extent(), extent_of_contexts(plan)))
            refuse_formula(
                line.place,
                "\"context = ...\", what each query finds: with weights alone it would be weights @ v",
                '"' + line.name + "\", which no line reads");
    }
}

}  // namespace headlight
