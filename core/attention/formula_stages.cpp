#include "core/attention/formula_stages.h"

#include "core/attention/formula_axes.h"
#include "core/attention/formula_output.h"
#include "core/attention/pipeline_stages.h"

#include <algorithm>
#include <set>
#include <string>

namespace headlight {
namespace {

void collect_names(const FormulaNode& node, std::vector<std::string>& names) {
    if (node.kind == FormulaNode::Kind::name && std::ranges::count(names, node.text) == 0)
        names.push_back(node.text);
    for (const FormulaNode& part : node.parts)
        collect_names(part, names);
}

/// The stage that a name of a line is; empty where it is none.
std::string stage_named(const std::string& name, const std::set<std::string>& lines) {
    if (lines.contains(name))
        return name;
    if (name == "x" || name == "y")
        return "tokens";
    if (name == "concatenation")
        return name;
    const auto is_one_of = [&](auto... names) { return ((name == names) || ...); };
    return is_one_of("q", "query")   ? "query"
           : is_one_of("k", "key")   ? "key"
           : is_one_of("v", "value") ? "value"
                                     : "";
}

DeclaredStage stage_of(const FormulaLine& line, const AxesOfValue& counted,
                       const std::set<std::string>& lines) {
    const auto known = std::ranges::find(pipeline_stages(), line.name, &DeclaredStage::name);
    const bool is_known = known != pipeline_stages().end();
    DeclaredStage stage;
    stage.name = line.name;
    stage.title = is_known ? known->title : line.name;
    stage.subtitle = line.text;
    std::vector<std::string> names;
    collect_names(line.value, names);
    const bool is_product = line.value.kind == FormulaNode::Kind::sign && line.value.text == "@";
    for (const std::string& name : names)
        if (const std::string of = stage_named(name, lines);
            !of.empty() && std::ranges::count(stage.operands, of, &StageOperand::stage) == 0)
            stage.operands.push_back({.stage = of,
                                      .operator_before = stage.operands.empty() ? ""
                                                         : is_product           ? "×"
                                                                                : "and",
                                      .as_keys = of == "key" || of == "value",
                                      .is_optional = true});
    const bool is_map = counted.rows == FormulaAxis::queries && counted.columns == FormulaAxis::keys;
    const bool is_softmax = line.value.kind == FormulaNode::Kind::call &&
                            (line.value.text == "softmax" || line.value.text == "sparsemax");
    if (is_map)
        stage.role = line.name == "weights" || is_softmax ? StageRole::weights : StageRole::scores;
    stage.is_share =
        is_softmax || (line.value.kind == FormulaNode::Kind::call && line.value.text == "sigmoid");
    stage.is_of_keys = counted.rows == FormulaAxis::keys;
    stage.is_of_features = counted.rows == FormulaAxis::features || counted.rows == FormulaAxis::one;
    // Weights are of pairs, however wide the parameter is that they come from.
    stage.has_features = counted.columns == FormulaAxis::features && line.name != "weights";
    return stage;
}

}  // namespace

std::vector<DeclaredStage> formula_stages(std::span<const FormulaLine> lines) {
    std::vector<DeclaredStage> stages;
    FormulaAxes axes;
    std::set<std::string> names;
    const std::size_t of_heads = says_output(lines) ? lines_up_to_context(lines) : lines.size();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const FormulaLine& line = lines[i];
        if (line.times)
            continue;
        stages.push_back(stage_of(line, axes.of(line.value), names));
        stages.back().is_of_all_heads = i >= of_heads;
        axes.add(line);
        axes.require_rows_of_queries(line);
        names.insert(line.name);
    }
    const auto declare = [&](DeclaredStage stage) {
        if (!names.contains(stage.name))
            stages.push_back(std::move(stage));
    };
    declare(made_stage("weights", "Weights", {"what each query takes of each value"},
                       {.role = StageRole::weights}));
    declare(made_stage(
        "context", "Context",
        {"weights @ v", {{"weights"}, {.stage = "value", .operator_before = "×", .as_keys = true}}},
        {.colours_of = "value"}));
    if (says_output(lines))  // in lines that are repeated
        declare(made_stage("output", "Output", {"", {{"concatenation"}}}, {.is_of_all_heads = true}));
    return stages;
}

}  // namespace headlight
