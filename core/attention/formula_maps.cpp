#include "core/attention/formula_maps.h"

#include "core/attention/formula_refusals.h"
#include "core/graph/graph_values.h"
#include "core/graph/operation.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

namespace headlight {
namespace {

/// What a line assigns that is not repeated; nothing of other names.
std::optional<Expression> assigned_once(const Program& program, const std::string& name) {
    for (const ProgramPart& part : program.parts())
        for (const ProgramLine& line : part.assignments)
            if (line.name == name)
                return part.times == 1 ? std::optional(line.value) : std::nullopt;
    return {};
}

void collect_tensors(const Expression& x, std::set<std::string>& names) {
    if (x->operation == Operation::tensor)
        names.insert(x->tensor);
    for (const Expression& operand : x->operands)
        collect_tensors(operand, names);
}

/// Through all lines, of which a scan has thousands.
bool follows_from(const Program& program, const std::string& line, const std::string& name) {
    std::set<std::string> names{line};
    for (std::size_t before = 0; before != names.size();) {
        before = names.size();
        for (auto part = program.parts().rbegin(); part != program.parts().rend(); ++part)
            for (auto each = part->assignments.rbegin(); each != part->assignments.rend(); ++each)
                if (names.contains(each->name))
                    collect_tensors(each->value, names);
    }
    return names.contains(name);
}

bool are_near(double a, double b) {
    constexpr double near = 1e-6;
    if (!std::isfinite(a) || !std::isfinite(b))
        return true;  // a run says so itself
    return std::abs(a - b) <= near * (1 + std::max(std::abs(a), std::abs(b)));
}

bool have_same_numbers(const OperandNumbers& a, const OperandNumbers& b) {
    const Index heads = std::max(a.extent.matrices(), b.extent.matrices());
    for (Index head = 0; head < heads; ++head)
        for (Index row = 0; row < a.extent.rows; ++row)
            for (Index column = 0; column < a.extent.columns; ++column)
                if (!are_near(a.numbers[a.at({head, row, column})], b.numbers[b.at({head, row, column})]))
                    return false;
    return true;
}

}  // namespace

std::optional<Expression> map_beside_weights(const Program& program, const std::string& values) {
    if (!assigned_once(program, "weights"))
        return {};
    std::optional<Expression> context = assigned_once(program, "context");
    while (context && (*context)->operation == Operation::tensor)  // another name for it
        context = assigned_once(program, (*context)->tensor);
    if (!context || (*context)->operation != Operation::product)
        return {};
    const Expression &map = (*context)->operands[0], &taken = (*context)->operands[1];
    const bool takes_values = taken->operation == Operation::tensor && taken->tensor == values;
    if (!takes_values || follows_from(program, "context", "weights") ||
        follows_from(program, "weights", "context"))
        return {};
    const bool is_view = map->operation == Operation::tensor && follows_from(program, "weights", map->tensor);
    return is_view ? std::nullopt : std::optional(map);
}

void require_map_of_weights(const TypedFormula& formula, Program program, const Expression& map) {
    const std::string taken = "weights of the context";
    program.let(taken, map);
    Graph graph(program.given(), program.parts());
    graph.keep_only({"weights", taken});
    GraphValues values(graph);
    for (const GivenTensor& tensor : program.given())
        values.set(tensor.name, tensor.numbers.all());
    values.run();
    const auto numbers_of_line = [&](const std::string& name) {
        return OperandNumbers{values.of(name).data(), program.tensor(name).extent()};
    };
    if (have_same_numbers(numbers_of_line("weights"), numbers_of_line(taken)))
        return;
    const FormulaLine *context = line_giving(formula.lines, "context"),
                      *weights = line_giving(formula.lines, "weights");
    refuse_formula(context->place,
                   "\"context = weights @ v\", for the map that is shown is \"weights\"; or another name for "
                   "line " +
                       std::to_string(weights->place.line) +
                       ": without it the weights are read off the context",
                   '"' + excerpt(context->text) +
                       "\", which takes the values by other numbers than those of "
                       "\"weights\"");
}

}  // namespace headlight
