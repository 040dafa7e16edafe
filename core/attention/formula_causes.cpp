#include "core/attention/formula_causes.h"

#include "core/attention/formula_output.h"
#include "core/attention/formula_refusals.h"
#include "core/graph/formula_numbers.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

namespace headlight {
namespace {

/// What makes numbers that are not finite, and what is written in its place.
struct InfiniteCause {
    std::string_view words, cure;
};
constexpr InfiniteCause by_division{"division by 0", "x / (y + 1e-9) is finite for y from 0 on"};
constexpr InfiniteCause by_logarithm{"logarithm of 0 or less", "log(maximum(x, 1e-9)) is finite"};
constexpr InfiniteCause by_root{"root of a number below 0",
                                "sqrt(maximum(x, 1e-9)) is finite, and so is its slope"};
constexpr InfiniteCause by_exponential{"exponential beyond 1e308", "exp(x - max(x)) stays small"};
constexpr InfiniteCause by_power{"power of a number below 0", "maximum(x, 1e-9) ** p is finite"};
constexpr InfiniteCause by_inverse{"inverse of a matrix that has none", "inv(x + 1e-6 * eye(d)) mostly has"};
constexpr InfiniteCause by_infinity{"inf beside inf or times 0",
                                    "softmax, max and exp take -inf, sums and products do not"};

/// Made of numbers and extents alone, such as sqrt(d), which are seldom 0.
bool is_of_extents(const FormulaNode& node) {
    constexpr std::array<std::string_view, 8> extents = {"n", "m", "d", "d_v", "d_x", "d_y", "heads", "pi"};
    return (node.kind != FormulaNode::Kind::name || std::ranges::count(extents, node.text) > 0) &&
           std::ranges::all_of(node.parts, is_of_extents);
}

const InfiniteCause* infinite_cause(const FormulaNode& node) {
    const bool is_sign = node.kind == FormulaNode::Kind::sign && node.parts.size() == 2;
    const bool is_call = node.kind == FormulaNode::Kind::call && !is_of_extents(node);
    const auto is_one_of = [&](auto... names) { return ((node.text == names) || ...); };
    const auto is_whole = [](const FormulaNode& part) {
        return part.kind == FormulaNode::Kind::number && part.number == std::floor(part.number);
    };
    if (is_sign && is_one_of("/", "//", "%") && !is_of_extents(node.parts[1]))
        return &by_division;
    if (is_call && is_one_of("log"))
        return &by_logarithm;
    if (is_call && is_one_of("sqrt"))
        return &by_root;
    if (is_call && is_one_of("exp"))
        return &by_exponential;
    if (is_sign && is_one_of("**") && !is_whole(node.parts[1]))
        return &by_power;
    const bool is_inverse = node.kind == FormulaNode::Kind::call && is_one_of("inv");  // of zeros(d, d) too
    return is_inverse ? &by_inverse : nullptr;
}

void collect_infinite(const FormulaNode& node, std::vector<const InfiniteCause*>& causes) {
    if (const InfiniteCause* cause = infinite_cause(node); cause && std::ranges::count(causes, cause) == 0)
        causes.push_back(cause);
    for (const FormulaNode& part : node.parts)
        collect_infinite(part, causes);
}

/// What one line has, and what is known of it from elsewhere; empty where there is nothing.
std::string infinite_in_line(const FormulaLine& line, const InfiniteCause* known = nullptr) {
    std::vector<const InfiniteCause*> causes;
    collect_infinite(line.value, causes);
    if (known)
        causes.push_back(known);
    std::vector<std::string> words;
    std::string cures;
    for (const InfiniteCause* cause : causes) {
        words.emplace_back(cause->words);
        cures += (cures.empty() ? "" : "; ") + std::string(cause->cure);
    }
    return causes.empty() ? std::string()
                          : list_in_words(words, "or") + ", in line " + std::to_string(line.place.line) +
                                " (" + cures + ')';
}

/// An operand of a sign or of a function of numbers, and no extent, as in W[d, m] and zeros(n, 1).
const FormulaNode* joined_length_of(const FormulaNode& node) {
    constexpr std::array<std::string_view, 8> of_extents = {
        "zeros", "ones", "eye", "arange", "pick", "split_heads", "split_rows", "take_heads"};
    constexpr std::array<std::string_view, 8> signs = {"+", "-", "*", "/", "//", "%", "**", "@"};
    const bool is_call = node.kind == FormulaNode::Kind::call;
    if (declares_parameter(node) || (is_call && std::ranges::count(of_extents, node.text) > 0))
        return nullptr;
    const bool joins =
        is_call || (node.kind == FormulaNode::Kind::sign && std::ranges::count(signs, node.text) > 0);
    for (const FormulaNode& part : node.parts) {
        if (joins && (part.is_name("m") || part.is_name("n")))
            return &part;
        if (const FormulaNode* found = joined_length_of(part))
            return found;
    }
    return nullptr;
}

}  // namespace

std::string infinite_by(const TypedFormula& formula, const std::string& stage) {
    const FormulaLine* line = line_giving(formula.lines, stage);
    if (!line)
        return {};
    // Lines that are repeated are no stages: what they have made is first seen in those that read them.
    for (const FormulaLine& repeated : formula.lines) {
        const bool is_read = std::ranges::any_of(
            repeated.body, [&](const FormulaLine& each) { return node_named(*line, each.name) != nullptr; });
        if (!is_read || !infinite_in_line(*line).empty())
            continue;
        for (const FormulaLine& each : repeated.body)
            if (std::string causes = infinite_in_line(each); !causes.empty())
                return causes;
    }
    const bool is_infinite = std::ranges::any_of(
        formula.lines, [](const FormulaLine& each) { return node_named(each, "inf") != nullptr; });
    return infinite_in_line(*line, is_infinite ? &by_infinity : nullptr);
}

std::string infinite_first(const TypedFormula& formula,
                           const std::function<std::span<const double>(const std::string& line)>& numbers) {
    const auto is_infinite = [&](const FormulaLine& line) {
        const auto stage = std::ranges::find(formula.stages, line.name, &DeclaredStage::name);
        const bool leaves_out = stage != formula.stages.end() &&
                                (stage->role == StageRole::scores || stage->role == StageRole::weights);
        const bool has_cause = !infinite_in_line(line).empty();  // else infinity is written, or passed on
        return std::ranges::any_of(numbers(line.name), [&](double number) {
            return std::isnan(number) || (std::isinf(number) && has_cause && !(leaves_out && number < 0));
        });
    };
    const auto said = [&](const FormulaLine& line) {
        const std::string causes = infinite_by(formula, line.name);
        return causes.empty() ? infinite_in_line(line, &by_infinity) : causes;
    };
    for (const FormulaLine& line : formula.lines) {
        for (const FormulaLine& each : line.body)
            if (is_infinite(each))
                return said(each);
        if (!line.times && is_infinite(line))
            return said(line);
    }
    return {};
}

std::string infinite_in(const TypedFormula& formula) {
    std::string all;
    const auto add = [&](const FormulaLine& line) {
        const std::string causes = infinite_in_line(line);
        all += (all.empty() || causes.empty() ? "" : "; or ") + causes;
    };
    for (const FormulaLine& line : formula.lines) {
        add(line);
        std::ranges::for_each(line.body, add);
    }
    return all;
}

const FormulaNode* joined_length(const TypedFormula& formula) {
    for (const FormulaLine& line : formula.lines) {
        if (const FormulaNode* found = joined_length_of(line.value))
            return found;
        for (const FormulaLine& each : line.body)
            if (const FormulaNode* found = joined_length_of(each.value))
                return found;
    }
    return nullptr;
}

}  // namespace headlight
