#include "core/attention/chance_extents.h"

#include "core/graph/formula_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

namespace headlight {
namespace {

/// Extents and places that a formula says in digits, whose names stand for nothing here.
class WrittenExtents {
public:
    explicit WrittenExtents(Index tokens) : tokens_(tokens) {
        names_.find = [](const std::string&) { return std::optional<Expression>(); };
    }

    /// Whether a line has one that fits so many tokens alone.
    bool has_one(std::span<const FormulaLine> lines) {
        for (const FormulaLine& line : lines) {
            if (const auto number = line.times ? std::nullopt : numbers_.of(line.value))
                numbers_.set(line.name, *number);
            else if (has_one(line.value, false) || has_one(line.body))
                return true;
        }
        return false;
    }

private:
    using Kind = FormulaNode::Kind;
    /// What digits stand for that are fewer than all tokens or the last of them.
    enum class Part { block, joined, inner_width };

    /// All tokens, the last of them, blocks of them, or a part that is joined to others.
    bool fits(double number, Part part) const {
        if (number != std::floor(number) || number <= 1 || number > static_cast<double>(tokens_))
            return false;
        const auto whole = static_cast<Index>(number);
        return part == Part::joined || whole >= tokens_ - 1 || (part == Part::block && tokens_ % whole == 0);
    }

    /// W[d, 2]: features become two others, however many tokens there are.
    static bool has_inner_width(const FormulaNode& node) {
        constexpr std::array<std::string_view, 6> letters = {"d", "d_v", "d_x", "d_y", "n", "m"};
        return declares_parameter(node) && std::ranges::any_of(letters, [&](std::string_view letter) {
                   return std::any_of(node.parts.begin() + 1, node.parts.end(),
                                      [&](const FormulaNode& extent) { return extent.find(letter); });
               });
    }

    static bool takes_extents(const FormulaNode& node) {
        constexpr std::array<std::string_view, 8> functions = {
            "pick", "zeros", "ones", "eye", "arange", "take_heads", "split_heads", "split_rows"};
        return node.kind == Kind::index ||
               (node.kind == Kind::call && std::ranges::count(functions, node.text) > 0);
    }

    bool has_one(const FormulaNode& node, bool is_extent, Part part = Part::block) const {
        if (const auto number = numbers_.of(node))
            return is_extent && fits(*number, part);
        if (node.kind == Kind::list && std::ssize(node.parts) == tokens_)
            return true;
        const bool is_range = node.kind == Kind::slice || (node.kind == Kind::call && node.text == "arange");
        if (is_range && node.parts.size() == 2) {
            const auto first = numbers_.of(node.parts[0]), end = numbers_.of(node.parts[1]);
            if (first && end && fits(*end - *first, part))
                return true;
        }
        const bool joins = node.kind == Kind::call && node.text == "concat";
        const std::vector<FormulaNode>& parts =
            joins && !node.parts.empty() ? node.parts[0].parts : node.parts;
        if (joins)
            part = Part::joined;
        else if (part == Part::block && has_inner_width(node))
            part = Part::inner_width;
        return std::ranges::any_of(parts, [&](const FormulaNode& each) {
            return has_one(each, is_extent || takes_extents(node), part);
        });
    }

    Index tokens_;
    FormulaNames names_;
    FormulaNumbers numbers_{names_};
};

/// Numbers that some extent has whatever the number of tokens.
std::set<Index> widths_of_plan(const Plan& plan) {
    std::set<Index> widths = {plan.tokens.query_width,
                              plan.tokens.key_width,
                              plan.query_width,
                              plan.head_query_width(),
                              plan.head_key_width(),
                              plan.key_width,
                              plan.head_value_width(),
                              plan.value_width,
                              plan.context_width(),
                              plan.heads,
                              plan.kv_heads};
    widths.erase(1);  // which meets any other
    return widths;
}

Index next_above(Index tokens, const std::set<Index>& taken) {
    do
        ++tokens;
    while (taken.contains(tokens));
    return tokens;
}

/// 1 where there is none.
Index next_below(Index tokens, const std::set<Index>& taken) {
    do
        --tokens;
    while (tokens > 1 && taken.contains(tokens));
    return tokens;
}

/// Has blocks of all widths that these tokens have.
Index next_multiple(Index tokens, const std::set<Index>& taken) {
    Index more = 2 * tokens;
    while (taken.contains(more))
        more += tokens;
    return more;
}

}  // namespace

std::vector<Plan> plans_of_other_lengths(const Plan& plan, const TypedFormula& formula) {
    const std::set<Index> widths = widths_of_plan(plan);
    const bool is_one_text = plan.spec.source.type == SourceType::self && plan.queries == plan.keys;
    const auto meets_by_chance = [&](Index tokens) { return tokens > 1 && widths.contains(tokens); };
    const bool is_like_the_other = !is_one_text && plan.queries > 1 && plan.queries == plan.keys;
    if (!meets_by_chance(plan.queries) && !meets_by_chance(plan.keys) && !is_like_the_other)
        return {};
    for (const Index tokens : {plan.queries, plan.keys})
        if (WrittenExtents(tokens).has_one(formula.lines))
            return {};
    std::vector<Plan> others;
    for (const auto other_than : {next_above, next_below, next_multiple}) {
        std::set<Index> taken = widths;
        taken.insert({plan.queries, plan.keys});
        const auto other = [&](Index tokens) { return tokens > 1 ? other_than(tokens, taken) : tokens; };
        Plan made = plan;
        made.queries = made.tokens.queries = other(plan.queries);
        taken.insert(made.queries);
        made.keys = made.tokens.keys = is_one_text ? made.queries : other(plan.keys);
        const bool has_tokens = (made.queries > 1 || plan.queries == 1) && (made.keys > 1 || plan.keys == 1);
        if (has_tokens)  // a single one meets any number
            others.push_back(std::move(made));
    }
    return others;
}

}  // namespace headlight
