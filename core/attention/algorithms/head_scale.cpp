#include "core/attention/algorithms/softmax_heads.h"
#include "core/graph/row_formulas.h"
#include "core/tensor/random.h"

#include <cmath>

namespace headlight {
namespace {

double drop_rate(const AttentionSpec& spec) { return spec.algorithm.options.number("dropped"); }
bool has_l0_gates(const Plan& plan) { return plan.algorithm().word("gates") == "l0"; }
bool draws_gates(const Plan& plan) { return plan.algorithm().flag("drawn"); }
bool norms_values(const Plan& plan) { return plan.algorithm().flag("normed_values"); }

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

/// ln(u / (1 − u)) of a number between 0 and 1 that is drawn for each head, neither end included.
Expression noise_of_heads(Composer& composer) {
    constexpr double end = 1e-6;  // as in the authors’ code
    return composer.constant("gate_noise", {composer.heads, 1, 1}, "ln(u / (1 − u)), u drawn for each head",
                             [seed = composer.plan.seed](Index head, Index, Index) {
                                 const double drawn =
                                     uniform(substream(substream(seed, static_cast<std::uint64_t>(head)), 1));
                                 const double u = end + (1 - 2 * end) * drawn;
                                 return std::log(u) - std::log(1 - u);
                             });
}

/// Hard concrete numbers: a sigmoid is stretched beyond 0 and 1 and cut there, so that both are reached.
Expression write_l0_gates(Composer& composer) {
    constexpr double lowest = -0.1, highest = 1.1;
    const Expression openness = composer.parameter_of_heads("a_head");
    const Expression soft = composer.let(
        "soft_gates",
        sigmoid_of(draws_gates(composer.plan) ? (noise_of_heads(composer) + openness) /
                                                    composer.plan.algorithm().number("concrete_temperature")
                                              : openness),
        "between 0 and 1, before the stretch");
    return composer.let("l0_gates", smaller_of(larger_of(soft * (highest - lowest) + lowest, 0), 1),
                        "stretched to −0.1 and 1.1, and cut at 0 and 1");
}

/// Each value over its root mean square, times a gain; a value of zeros stays.
Expression write_normed_values(Composer& composer) {
    const Expression over = composer.let("value_over_largest", over_largest(composer.value),
                                         "each value over its largest number");
    const Expression size =
        composer.let("value_size", root_of(mean_of_columns(over * over)), "its root mean square");
    return composer.let("normed_value", parameter_of_key_heads(composer, "g_value") * (over / not_zero(size)),
                        "each value over its root mean square, times a gain");
}

Expression define_head_scale(Composer& composer) {
    if (norms_values(composer.plan))
        composer.value = write_normed_values(composer);
    Expression factors =
        has_l0_gates(composer.plan) ? write_l0_gates(composer) : composer.parameter_of_heads("s_head");
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
    component.meaning =
        "o = Σ ξₕ Oₕ Wₕ, ξ a learned number of each head (Shleifer et al. 2021); with drops, ξ = 0 of heads "
        "that are drawn and h over the kept ones of the others (Zhou et al. 2020, DropHead)";
    component.options = {
        number_option("dropped", "Dropped heads", 0.0, {0, 0.95},
                      "The chance of each head to be dropped, as training has it. The seed decides which "
                      "are: they are the same in every run."),
        word_option("gates", "Factors", {"learned", "l0"},
                    "Any number for each head; or gates between 0 and 1 that reach both ends, whose number "
                    "above 0 a loss can count, so that whole heads are pruned (Voita et al. 2019)."),
        flag_option("drawn", "Drawn gates", false,
                    "The gates of the kind l0 as training draws them, by the seed; otherwise as they are "
                    "when the model is used."),
        number_option("concrete_temperature", "Temperature of the draw", 0.33, logarithmic_range(0.01, 10),
                      "What noise and gate are divided by before the sigmoid where gates are drawn: the "
                      "lower, the more of them are 0 or 1."),
        flag_option(
            "normed_values", "Normalised values", false,
            "Each value is divided by its root mean square and multiplied by a gain before it is mixed.")};
    component.known_parameters = {
        {"s_head", "[h]", "multiplies what each head attends to, 1 at first"},
        {"a_head", "[h]", "how open the gate of each head is: with 3 it is 1, with −3 it is 0"},
        {"g_value", "[h_kv d_v]", "scales each feature of the normalised values"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (norms_values(plan))
            list.add("g_value", {plan.value_width}, 1.0);
        if (has_l0_gates(plan))
            list.add("a_head", {plan.heads}, 2.0);
        else
            list.add("s_head", {plan.heads}, 1.0);
    };
    component.takes_any_mask = true;
    component.changes_context = always;
    DeclaredStage declared_attended = declared_attended_stage();
    declared_attended.operation = "→";  // values may be normalised between the two
    component.declared_stages = {
        made_stage("normed_value", "Normalised values",
                   {"each over its root mean square, times a gain", {keys_of("value")}, "÷ rms, × g\n→"},
                   {.colours_of = "value", .lights = "value", .is_of_keys = true, .has_features = true}),
        declared_scores_stage(), declared_weights_stage(), declared_attended,
        declared_own_context_stage({"what each head found, times its factor", {{"attended"}}, "× ξ\n→"})};
    component.define = define_head_scale;
    return component;
}

}  // namespace headlight
