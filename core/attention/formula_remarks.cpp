#include "core/attention/formula_remarks.h"

#include "core/attention/formula_output.h"

#include <algorithm>
#include <array>

namespace headlight {
namespace {

/// What the names of lines stand for, that a repeat does not change.
class NamedValues {
public:
    explicit NamedValues(const TypedFormula& formula) : lines_(formula.lines) {}

    const FormulaNode& behind(const FormulaNode& node) const {
        const FormulaNode* at = &node;
        // A formula has no line that stands for itself, but a recurrence may.
        for (std::size_t steps = 0; steps < lines_.size() && at->kind == FormulaNode::Kind::name; ++steps) {
            const auto line = std::ranges::find(lines_, at->text, &FormulaLine::name);
            if (line == lines_.end() || line->times)
                break;
            at = &line->value;
        }
        return *at;
    }

    bool is_condition(const FormulaNode& node) const {
        constexpr std::array signs = {"<=", "<", ">=", ">", "==", "!=", "and", "or", "not"};
        const FormulaNode& value = behind(node);
        return value.is_name("allowed") ||
               (value.kind == FormulaNode::Kind::sign && std::ranges::count(signs, value.text) > 0);
    }

    /// where(j <= i, scores, 0) or scores * (j <= i)
    bool is_masked_by_zeros(const FormulaNode& node) const {
        const FormulaNode& value = behind(node);
        const auto is_zero = [](const FormulaNode& each) {
            return each.kind == FormulaNode::Kind::number && each.number == 0;
        };
        const auto& parts = value.parts;
        if (value.kind == FormulaNode::Kind::call)
            return value.text == "where" && parts.size() == 3 && is_condition(parts[0]) && is_zero(parts[2]);
        return value.kind == FormulaNode::Kind::sign && value.text == "*" && parts.size() == 2 &&
               (is_condition(parts[0]) || is_condition(parts[1]));
    }

private:
    const std::vector<FormulaLine>& lines_;
};

/// softmax(x, axis=0): what each key gets of all queries, in place of what each query gives.
bool is_over_queries(const FormulaNode& softmax) {
    for (std::size_t part = 1; part < softmax.parts.size(); ++part) {
        const FormulaNode& axis = softmax.parts[part];
        const bool is_negative = axis.kind == FormulaNode::Kind::sign && axis.text == "-" &&
                                 axis.parts.size() == 1 && axis.parts[0].number == 2;
        const bool is_first =
            axis.kind == FormulaNode::Kind::number && (axis.number == 0 || axis.number == -2);
        if (is_negative || is_first)
            return true;
    }
    return false;
}

void add_remarks_on_softmax(const FormulaNode& node, const NamedValues& values,
                            std::vector<FormulaRemark>& remarks) {
    if (node.kind == FormulaNode::Kind::call && node.text == "softmax" && !node.parts.empty()) {
        if (values.is_masked_by_zeros(node.parts[0]))
            remarks.push_back({node.place, "a score of 0 is no mask, a softmax gives it a share: "
                                           "where(j <= i, scores, -inf) has none"});
        if (is_over_queries(node))
            remarks.push_back({node.place,
                               "each column sums to 1, over the queries; with axis=-1, or without "
                               "an axis, each row does, over the keys"});
    }
    for (const FormulaNode& part : node.parts)
        add_remarks_on_softmax(part, values, remarks);
}

/// Whether nothing is made of the line: no other names it, and it is none of those that count.
bool is_unread(const FormulaLine& line, const TypedFormula& formula) {
    constexpr std::array results = {"weights", "context", "output"};
    return !line.times && std::ranges::count(results, line.name) == 0 &&
           std::ranges::none_of(formula.lines, [&](const FormulaLine& other) {
               return &other != &line &&
                      (node_named(other, line.name) || (other.times && other.times->find(line.name)));
           });
}

}  // namespace

std::vector<FormulaRemark> remarks_on(const TypedFormula& formula) {
    std::vector<FormulaRemark> remarks;
    const NamedValues values(formula);
    for (const FormulaLine& line : formula.lines) {
        add_remarks_on_softmax(line.value, values, remarks);
        if (is_unread(line, formula))
            remarks.push_back(
                {line.place, "no line reads \"" + line.name + "\": it is shown, and changes nothing"});
    }
    return remarks;
}

}  // namespace headlight
