#include "core/attention/algorithms/delta_states.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr double added_curvature = 1e-6;  // as the authors' code has it

bool fades_by_feature(const Plan& plan) { return plan.algorithm().word("gates") == "feature"; }

/// A [h, n, d]: squares of the keys so far, feature by feature, that fade by gates of their own.
Expression write_curvature(Composer& composer, const Expression& unit) {
    const Expression strengths =
        composer.let("curvature_strengths", sigmoid_of(numbers_of_tokens(composer, "curvature")),
                     "how much the squares of each key count");
    const Expression squares = composer.let("counted_squares", strengths * (unit * unit));
    const Expression not_later = pairs_not_later(composer);
    if (!state_forgets(composer.plan))
        return composer.let("curvature", product(as_number(not_later), squares),
                            "the squares of the keys so far, added up");
    const Expression log_gates = -exp_of(composer.parameter_of_heads("A_log_curvature")) *
                                 softplus_of(numbers_of_tokens(composer, "dt_curvature"));
    const Expression left = left_by_gates(composer, "curvature_left", log_gates, not_later,
                                          "what is left of the squares of each key");
    return composer.let("curvature", product(left, squares),
                        "the squares of the keys so far, of which the older ones fade");
}

/// r^(-s), s between -1 and 1: above 1 where a feature of the keys was used little, below where it was used
/// much.
Expression write_preconditioner(Composer& composer, const Expression& unit) {
    const Expression curvature = write_curvature(composer, unit);
    const Expression distance =
        composer.let("curvature_distance",
                     log_of(curvature + added_curvature) - composer.parameter_of_heads("curvature_center"),
                     "ln of the squares, from the centre on");
    const double range = composer.plan.algorithm().number("range");
    return composer.let("preconditioner", exp_of(-std::log(range) * (distance / (1 + absolute_of(distance)))),
                        "what each feature of a written key is multiplied by");
}

Expression define_precond_delta(Composer& composer) {
    const std::optional<SummedGates> gates =
        write_forget_gates(composer, fades_by_feature(composer.plan) ? "alpha" : "dt");
    const Expression strengths = write_strengths_of_tokens(composer);
    const Expression unit = direction_of(composer, "unit_key", composer.key);
    const Expression writes =
        composer.let("written_key", strengths * (write_preconditioner(composer, unit) * unit),
                     "β M k: along what is written");
    const Expression read = write_read_products(composer, "read_products", composer.query, writes, gates);
    const Expression asked = write_asked_products(composer, "asked_products", unit, writes, gates);
    return write_inverse_of_values(composer, read, write_inverse_of_asked(composer, asked), composer.value);
}

}  // namespace

AlgorithmComponent declare_algorithms_precond_delta() {
    AlgorithmComponent component;
    component.meaning =
        "S ← α S + β (M ∘ k) (v − α Sᵀ k)ᵀ, M = r^(−s), s = z / (1 + |z|), z = ln(A + 10⁻⁶) − c, A ← α′ A + "
        "β′ k ∘ k, α and β as in gated_delta, |k| = 1: a feature that keys have used little is written more "
        "strongly, one that they have used much less (Tumma, Loo and Rus 2026); causal whatever the mask";
    component.options = {
        forgets_option(),
        word_option("gates", "Gates of the state", {"head", "feature"},
                    "Whether all of a head’s state fades by one gate, as in Gated DeltaNet, or each feature "
                    "of its keys by its own, as in Kimi delta attention."),
        number_option(
            "range", "Range r", 1.5, {1, 2},
            "How far a feature of a written key may be changed: it is multiplied by a number between 1 / r "
            "and r. With 1 nothing is changed; above 2 states might grow without end."),
        scaled_option(true)};
    component.known_parameters = head_gate_names();
    for (const KnownParameter& name : feature_gate_names())
        if (std::ranges::find(component.known_parameters, name.name, &KnownParameter::name) ==
            component.known_parameters.end())
            component.known_parameters.push_back(name);
    add_delta_rule_names(component.known_parameters);
    append(component.known_parameters,
           {{"W_curvature", "[d, h]", "projects a token vector to how much the squares of its key count"},
            {"b_curvature", "[h]", "is added to these before their sigmoid"},
            {"W_dt_curvature", "[d, h]", "projects a token vector to the step by which the squares fade"},
            {"b_dt_curvature", "[h]", "is added to these steps before their softplus"},
            {"A_log_curvature", "[h]", "logarithm of the rate at which the squares fade"},
            {"curvature_center", "[h]", "logarithm of the squares at which a feature is written as it is"}});
    component.parameters = [](const Plan& plan, ParameterList& list) {
        constexpr double center = -0.2;  // the authors' at first
        const Index width = plan.tokens.key_width;
        add_delta_rule_parameters(plan, list);
        list.add_with_bias("W_curvature", {width, plan.heads});
        list.add("curvature_center", {plan.heads}, center);
        if (!state_forgets(plan))
            return;
        if (fades_by_feature(plan))
            add_feature_gate_parameters(plan, list);
        else
            add_head_gate_parameters(plan, list);
        list.add_with_bias("W_dt_curvature", {width, plan.heads});
        list.add("A_log_curvature", {plan.heads}, 0.0);
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "precond_delta", why_state_is_of_one_sequence);
    };
    component.declared_stages = {
        declared_log_gates("× W + b,\nsoftplus,\n× −exp(A_log)\n→"),
        declared_cumulative_gates(),
        declared_strengths(),
        declared_unit_keys(),
        made_stage("curvature", "Squares of the keys",
                   {"of those so far, feature by feature", {{"unit_key_direction"}}, "squares,\nadded up\n→"},
                   {.lights = "preconditioner", .is_of_keys = true}),
        made_stage(
            "preconditioner", "Preconditioner",
            {"above 1 for features that were used little", {{"curvature"}}, "ln, squashed,\npower of r\n→"},
            {.lights = "read_products", .is_of_keys = true}),
        made_stage("written_key", "Written keys",
                   {"β M ∘ k",
                    {{"unit_key_direction"}, {"preconditioner", "∘"}, {"write_strengths", "and"}},
                    "× β\n→"},
                   {.lights = "read_products", .is_of_keys = true})};
    append(component.declared_stages, declared_products("written_key", "unit_key_direction"));
    append(component.declared_stages, declared_errors("value"));
    component.define = define_precond_delta;
    return component;
}

}  // namespace headlight
