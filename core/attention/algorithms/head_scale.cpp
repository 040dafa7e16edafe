#include "core/attention/algorithms/softmax_heads.h"
#include "core/tensor/random.h"

#include <vector>

namespace headlight {
namespace {

double drop_rate(const AttentionSpec& spec) { return option<double>(spec.algorithm.options, "dropped"); }

/// What the draw leaves of each head: 0 of a dropped one, and more than 1 of the others for what is missing.
std::vector<double> left_of_heads(const Plan& plan) {
    std::vector<double> left;
    double kept = 0;
    for (Index head = 0; head < plan.heads; ++head) {
        const double drawn = uniform(substream(plan.seed, static_cast<std::uint64_t>(head)));
        left.push_back(drawn >= drop_rate(plan.spec) ? 1 : 0);
        kept += left.back();
    }
    for (double& each : left)
        each *= kept > 0 ? static_cast<double>(plan.heads) / kept : 0;
    return left;
}

Expression define_head_scale(Composer& composer) {
    Expression factors = composer.parameter_of_heads("s_head");
    if (drop_rate(composer.plan.spec) > 0) {
        const Expression left =
            composer.constant("left_of_heads", {composer.heads, 1, 1},
                              "0 of a dropped head, h over the kept ones of the others",
                              [left = left_of_heads(composer.plan)](Index head, Index, Index) {
                                  return left[static_cast<std::size_t>(head)];
                              });
        factors = composer.let("factors_of_heads", factors * left);
    }
    return composer.let("context", write_attended_by_softmax(composer) * factors,
                        "what each head found, times its factor");
}

}  // namespace

AlgorithmComponent declare_algorithms_head_scale() {
    AlgorithmComponent component;
    component.type = AlgorithmType::head_scale;
    component.word = "head_scale";
    component.meaning =
        "o = Σ ξₕ Oₕ Wₕ, ξ a learned number of each head (Shleifer et al. 2021); with drops, ξ = 0 of heads "
        "that are drawn and h over the kept ones of the others (Zhou et al. 2020, DropHead)";
    component.options = {
        {.name = "dropped",
         .label = "Dropped heads",
         .standard = 0.0,
         .minimum = 0,
         .maximum = 0.95,
         .help = "The chance of each head to be dropped, as training has it. The seed decides which are: "
                 "they are the same in every run."}};
    component.known_parameters = {
        {"s_head", {}, "[h]: multiplies what each head attends to, 1 at first (head_scale)"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("s_head", {plan.heads}, "multiplies what each head attends to", 1.0);
    };
    component.takes_any_mask = true;
    component.changes_context = [](const AttentionSpec&) { return true; };
    component.declared_stages = {declared_scores_stage(),
                                 declared_weights_stage(),
                                 declared_attended_stage(),
                                 {.name = "context",
                                  .title = "Context",
                                  .subtitle = "what each head found, times its factor",
                                  .operands = {{"attended"}},
                                  .operation = "× ξ\n→",
                                  .colours_of = "value",
                                  .lights = "output"}};
    component.define = define_head_scale;
    return component;
}

}  // namespace headlight
