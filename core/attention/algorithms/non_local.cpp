#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/attention/pipeline.h"
#include "core/attention/stage_list.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

double gamma_of(const Plan& plan) { return plan.algorithm().number("gamma"); }
bool adds_input(const Plan& plan) { return plan.algorithm().flag("residual"); }

/// z = gamma y + x, y what the composition gives (Wang et al. 2018, equation 6; gamma: Zhang et al. 2019,
/// equation 3).
template <class Real>
void add_non_local_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    pipeline.after_output = [input = pipeline.operands.query_tokens(), width = plan.output_width,
                             gamma = static_cast<Real>(gamma_of(plan)),
                             adds = adds_input(plan)](Index query, Real* output, const Recorder& record) {
        for (Index c = 0; c < width; ++c)
            output[c] *= gamma;
        record.write("update", query * width, output, width);
        const Real* x = input.row(query);
        for (Index c = 0; adds && c < width; ++c)
            output[c] += x[c];
    };
}

Expression define_non_local(Composer& composer, const Expression& output) {
    const Expression update = gamma_of(composer.plan) * output;
    if (!adds_input(composer.plan))
        return update;
    return composer.let("update", update, "what is added to the tokens") + composer.query_tokens;
}

}  // namespace

AlgorithmComponent declare_algorithms_non_local() {
    AlgorithmComponent component;
    component.meaning =
        "z = x + γ y with y what the other parts of the spec give: attention as a block that can be put "
        "between the layers of a trained network (Wang et al. 2018; γ from SAGAN, Zhang et al. 2019)";
    component.options = {number_option("gamma", "Strength γ", 1.0, {-10, 10},
                                       "What attention is multiplied by before the input is added. At 0, "
                                       "where SAGAN starts to learn it, the block changes nothing."),
                         flag_option("residual", "Adds the input", true,
                                     "Whether x is added; without it, and with γ = 1, the block is the "
                                     "attention that it is made of.")};
    component.is_composed = true;
    component.takes_any_mask = true;
    component.check = [](const Plan& plan) {
        if (adds_input(plan) && plan.output_width != plan.tokens.query_width)
            throw Error({"non_local algorithm", "output",
                         "as many features as token vectors have, " +
                             std::to_string(plan.tokens.query_width) + ", for both are added",
                         std::to_string(plan.output_width)});
    };
    component.stages = [](const Plan& plan, StageList& list) {
        list.add_rows("update", Axis::query, plan.output_width);
    };
    component.declared_stages = {
        made_stage("update", "Update", {"γ × what attention gives", {{"concatenation"}}, "× γ\n="},
                   {.said = "γ × what attention gives"}),
        made_stage("output", "Output",
                   {"", {{"tokens"}, optional_stage("position", "+"), {"update", "+"}}, "="})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_non_local_steps(plan, pipeline); };
    component.define_output = define_non_local;
    return component;
}

}  // namespace headlight
