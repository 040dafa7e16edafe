#include "core/attention/formula_refusals.h"

#include "core/tensor/error.h"
#include "core/tensor/words.h"

#include <algorithm>

namespace headlight {
namespace {

/// Has these extents, or is one for all heads.
bool has_extent(const Extent& extent, const Extent& expected) {
    const bool has_heads = extent.heads == expected.heads || extent.matrices() == 1;
    return has_heads && extent.rows == expected.rows && extent.columns == expected.columns;
}

}  // namespace

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
        refuse_line(formula, name, "numbers", "true or false");
}

Extent extent_of_weights(const Plan& plan) {
    return {plan.heads > 1 ? plan.heads : 0, plan.queries, plan.keys};
}
Extent extent_of_contexts(const Plan& plan) {
    return {plan.heads > 1 ? plan.heads : 0, plan.queries, plan.head_value_width()};
}
void require_weights(const Plan& plan, const TypedFormula& formula, const Expression& weights) {
    const bool is_context = has_extent(weights.extent(), extent_of_contexts(plan));
    require_extent(formula, "weights", weights, extent_of_weights(plan),
                   is_context ? ", the extents of \"context\"" : "");
}
void require_context(const Plan& plan, const TypedFormula& formula, const Expression& context) {
    const bool is_map = has_extent(context.extent(), extent_of_weights(plan));
    require_extent(formula, "context", context, extent_of_contexts(plan),
                   is_map ? ", the extents of \"weights\"" : "");
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
        refuse_formula(line.place, expected, '"' + line.name + "\" (did you mean \"" + name + "\"?)");
    };
    for (const FormulaLine& line : formula.lines) {
        if (line.times)
            continue;
        if (const std::string near = nearest(line.name, {"context", "weights"}); !near.empty())
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

}  // namespace headlight
