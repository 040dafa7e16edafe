#include "core/attention/component.h"
#include "core/attention/typed_formula.h"
#include "core/attention/widths.h"
#include "core/tensor/error.h"

#include <map>
#include <string>

namespace headlight {
namespace {

constexpr const char* first_formula = "scores = q @ k.T / sqrt(d)\n"
                                      "weights = softmax(where(allowed, scores, -inf))\n"
                                      "context = weights @ v\n";

Shape shape_of(const DeclaredParameter& parameter) {
    const std::vector<Index>& extents = parameter.extents;
    return extents.size() == 3 ? Shape{extents[0] * extents[1], extents[2]} : Shape(extents);
}

/// In the place of that of a projection: who types W_q means what it makes.
std::string new_name(const std::string& of_projection) {
    static const std::map<std::string, std::string> made = {{"W_q", "q"}, {"b_q", "q"}, {"W_k", "k"},
                                                            {"b_k", "k"}, {"W_v", "v"}, {"b_v", "v"}};
    const auto found = made.find(of_projection);
    return "a new name: a projection has this one" +
           (found == made.end() ? std::string() : ", which makes \"" + found->second + '"') + ", \"" +
           of_projection + "_2\" is free";
}

}  // namespace

AlgorithmComponent declare_algorithms_formula() {
    AlgorithmComponent component;
    component.meaning = "the lines of a text, each a stage: scores = q @ k.T / sqrt(d); the manual’s page "
                        "Formulas has its words";
    component.options = {{.name = "text",
                          .label = "Formula",
                          .standard = std::string(first_formula),
                          .help = "One line a stage, in the words of the exported Python."}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const auto is_behind = [&](const std::string& name) {
            const bool is_of_output = name == "W_o" || name == "b_o";
            const bool is_of_gate = name == "W_gate" || name == "b_gate";
            return (is_of_output && projects_output(plan.spec)) ||
                   (is_of_gate && plan.spec.heads.gate != Gate::none);
        };
        for (const DeclaredParameter& parameter : formula_parameters(plan)) {
            if (list.has(parameter.name) || is_behind(parameter.name))
                throw Error(
                    {"formula", to_string(parameter.place), new_name(parameter.name), parameter.name});
            list.add_typed(parameter.name, shape_of(parameter));
        }
    };
    component.stages_of = [](const AttentionSpec& spec) {
        std::shared_ptr<const TypedFormula> formula;
        try {
            formula = typed_formula(spec);
        } catch (const Error&) {  // half typed: it has no stages, and the plan says why
            formula = std::make_shared<const TypedFormula>();
        }
        return std::shared_ptr<const std::vector<DeclaredStage>>(formula, &formula->stages);
    };
    component.makes_output = formula_says_output;
    component.output_width = formula_output_width;
    component.check = check_formula;
    component.takes_any_mask = true;
    component.changes_context = always;
    component.define = define_formula;
    return component;
}

}  // namespace headlight
