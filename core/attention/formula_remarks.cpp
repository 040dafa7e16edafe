#include "core/attention/formula_remarks.h"

#include "core/attention/formula_axes.h"
#include "core/attention/formula_output.h"

#include <algorithm>
#include <array>

namespace headlight {
namespace {

bool is_map(const AxesOfValue& x) { return x.rows == FormulaAxis::queries && x.columns == FormulaAxis::keys; }

/// Looks for what is probably not meant in one line after another; the lines above are known.
class RemarkReader {
public:
    explicit RemarkReader(const TypedFormula& formula) : formula_(formula) {}

    std::vector<FormulaRemark> remarks() {
        for (const FormulaLine& line : formula_.lines) {
            read(line);
            for (const FormulaLine& each : line.body)
                read(each);
            if (is_forgotten(line))
                remarks_.push_back({line.place, "no line reads \"" + line.name + "\": it changes nothing"});
        }
        return std::move(remarks_);
    }

private:
    void read(const FormulaLine& line) {
        read(line.value);
        if (!line.times)
            axes_.add(line);
    }

    void read(const FormulaNode& node) {
        if (node.kind == FormulaNode::Kind::call && node.text == "softmax" && !node.parts.empty()) {
            if (is_masked_by_zeros(behind(node.parts[0])))
                remarks_.push_back({node.place, "a score of 0 is no mask, a softmax gives it a share: "
                                                "where(j <= i, scores, -inf) has none"});
            if (is_map(axes_.of(node.parts[0])) &&
                std::any_of(node.parts.begin() + 1, node.parts.end(), is_along_rows))
                remarks_.push_back({node.place, "each column sums to 1, over the queries; with axis=-1, or "
                                                "without an axis, each row does, over the keys"});
        }
        for (const FormulaNode& part : node.parts)
            read(part);
    }

    /// What the name of a line stands for, where no repeat changes it.
    const FormulaNode& behind(const FormulaNode& node) const {
        const FormulaNode* at = &node;
        for (std::size_t steps = 0; steps < formula_.lines.size() && at->kind == FormulaNode::Kind::name;
             ++steps) {
            const auto gives_it = [&](const FormulaLine& line) { return gives(line, at->text); };
            const auto line = std::ranges::find_if(formula_.lines, gives_it);
            if (std::ranges::count_if(formula_.lines, gives_it) != 1 || line->times)
                break;
            at = &line->value;
        }
        return *at;
    }

    /// j <= i, of places and not of scores, also as where(j <= i, 1, 0). i == j marks pairs and masks none.
    bool is_mask(const FormulaNode& node) const {
        const FormulaNode& value = behind(node);
        if (value.kind == FormulaNode::Kind::call && value.text == "where" && value.parts.size() == 3)
            return is_number(value.parts[1], 1) && is_number(value.parts[2], 0) && is_mask(value.parts[0]);
        if (value.kind != FormulaNode::Kind::sign)
            return value.is_name("allowed");
        if (value.text == "not" || value.text == "and" || value.text == "or")
            return std::ranges::all_of(value.parts,
                                       [this](const FormulaNode& part) { return is_mask(part); });
        constexpr std::array compares = {"<=", "<", ">=", ">"};
        const bool is_of_places = value.find("i") || value.find("j");
        return std::ranges::count(compares, value.text) > 0 && is_of_places && !value.find("q") &&
               !value.find("k");
    }

    /// where(j <= i, scores, 0) or scores * (j <= i)
    bool is_masked_by_zeros(const FormulaNode& value) const {
        const auto& parts = value.parts;
        if (value.kind == FormulaNode::Kind::call && value.text == "where" && parts.size() == 3)
            return is_mask(parts[0]) && ((is_number(parts[1], 0) && is_map(axes_.of(parts[2]))) ||
                                         (is_number(parts[2], 0) && is_map(axes_.of(parts[1]))));
        return value.kind == FormulaNode::Kind::sign && value.text == "*" && parts.size() == 2 &&
               (is_mask(parts[0]) || is_mask(parts[1]));
    }

    static bool is_number(const FormulaNode& node, double number) {
        return node.kind == FormulaNode::Kind::number && node.number == number;
    }

    /// A map that nothing is made of, or what was made of the context; neither where somebody looks at what
    /// the weights have become.
    bool is_forgotten(const FormulaLine& line) const {
        constexpr std::array results = {"weights", "context", "output"};
        if (line.times || std::ranges::count(results, line.name) > 0 || is_read(line))
            return false;
        return line.value.find("context") || (is_map(axes_.of(line.value)) && !line.value.find("weights"));
    }

    bool is_read(const FormulaLine& line) const {
        return std::ranges::any_of(formula_.lines, [&](const FormulaLine& other) {
            return &other != &line &&
                   (node_named(other, line.name) || (other.times && other.times->find(line.name)));
        });
    }

    const TypedFormula& formula_;
    FormulaAxes axes_;
    std::vector<FormulaRemark> remarks_;
};

}  // namespace

std::vector<FormulaRemark> remarks_on(const TypedFormula& formula) { return RemarkReader(formula).remarks(); }

}  // namespace headlight
