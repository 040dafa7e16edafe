#include "core/attention/algorithms/delta_states.h"

#include <numbers>

namespace headlight {
namespace {

bool delta_has_momentum(const Plan& plan) { return plan.algorithm().flag("momentum"); }
bool gates_are_balanced(const Plan& plan) { return plan.algorithm().flag("balanced"); }

/// −exp(Mu_log) softplus(y W_mu + b_mu)
Expression write_log_momentum(Composer& composer) {
    const Expression logs = composer.let("log_momentum",
                                         -exp_of(composer.parameter_of_heads("Mu_log")) *
                                             softplus_of(numbers_of_tokens(composer, "mu")),
                                         "ln μ");
    composer.let("momentum_gates", exp_of(logs), "μ: how much of the motion goes on");
    return logs;
}

/// What the state holds of each error after each token, [h, n, n]. An error is set in motion when it is made,
/// the motion fades by μ, each token adds β of all motion to the state, and what was added fades by α.
Expression write_held_of_errors(Composer& composer, const std::optional<Expression>& log_gates,
                                const Expression& strengths) {
    const Expression not_later = pairs_not_later(composer);
    const Expression kept = log_gates ? left_by_gates(composer, "kept_of_additions", *log_gates, not_later,
                                                      "what the state keeps of each addition")
                                      : as_number(not_later);
    const Expression added = kept * transposed(strengths);
    if (!delta_has_momentum(composer.plan))
        return composer.let("left_of_writes", added, "what the state holds of each write");
    const Expression of_motion =
        composer.let("held_of_motion", added, "what the state holds of the motion of each token");
    const Expression motion = left_by_gates(composer, "motion_of_writes", write_log_momentum(composer),
                                            not_later, "what each token moves of each write");
    return composer.let("left_of_writes", product(of_motion, motion), "what the state holds of each write");
}

/// With G what the state holds of each write, the errors are U = V − L U, L_ij = α_i G_(i−1)j η_j k_i · k_j,
/// and a query reads Σ_j G_ij η_j (q_i · k_j) u_j.
Expression define_momentum_delta(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression keys = direction_of(composer, "unit_key", composer.key);
    const Expression raw = composer.let("step_numbers", 2 * numbers_of_tokens(composer, "step"),
                                        "twice what the steps are made of");
    const Expression steps = composer.let("momentum_steps", 2 * sigmoid_of(raw), "η = 1 + tanh(y W_step)");
    Expression share = sigmoid_of(numbers_of_tokens(composer, "beta"));
    std::optional<Expression> log_gates = log_forget_gates(composer, "dt");
    if (gates_are_balanced(plan)) {
        // sin²θ and cos²θ of θ = arctan(η e^balance) are the sigmoids of ± 2 (balance + ln η).
        const Expression balance = composer.let(
            "balance_numbers",
            2 * (composer.parameter_of_heads("balance") + std::numbers::ln2 + log_sigmoid_of(raw)),
            "2 (balance + ln η)");
        share = sigmoid_of(balance) * share;
        if (log_gates)
            log_gates = log_sigmoid_of(-balance) + *log_gates;
    }
    if (log_gates)
        log_gates = composer.let("log_gates", *log_gates, "ln of what each token keeps of those before");
    const Expression strengths =
        composer.let("write_strengths", share, "β: how much of the motion is written");
    const Expression left = write_held_of_errors(composer, log_gates, strengths);
    // A token asks the state as the one before it has left it, faded by its own gate.
    const Expression before = some_rows(left, tokens_before(plan.queries));
    const Expression overlaps = product_transposed(keys, keys) * before * transposed(steps);
    const Expression asked = composer.let(
        "asked_products",
        choose(pairs_with_earlier(composer), log_gates ? exp_of(*log_gates) * overlaps : overlaps, 0),
        "what each token finds of what each token before has written");
    const Expression at_read = rows_of_tokens(composer, "left_at_read", left, tokens_read_after(composer));
    const Expression read =
        composer.let("read_products",
                     composer.where_open(product_transposed(composer.query, keys) * at_read *
                                             transposed(steps) * scale_of_queries(composer),
                                         0),
                     "what each query reads of what each token has written");
    return write_inverse_of_values(composer, read, write_inverse_of_asked(composer, asked), composer.value);
}

}  // namespace

AlgorithmComponent declare_algorithms_momentum_delta() {
    AlgorithmComponent component;
    component.meaning =
        "M ← μ M + η k (v − α Sᵀ k)ᵀ, S ← α S + β M, o = Sᵀ q, |k| = 1, α and μ as the gates of gated_delta, "
        "β a sigmoid, η = 1 + tanh: the gated delta rule whose steps have momentum, with α ≤ cos²θ and β ≤ "
        "sin²θ for θ = arctan(η exp(balance)); causal whatever the mask (Huang et al. 2026)";
    component.options = {
        flag_option("momentum", "Momentum μ", true,
                    "Whether a step goes on in the tokens after it, a share μ of it with each."),
        forgets_option(),
        flag_option("balanced", "Balanced gates", true,
                    "Whether cos²θ and sin²θ, which sum to 1, bound what is kept and what is written, so "
                    "that the motion cannot grow without end."),
        scaled_option(true)};
    component.known_parameters = head_gate_names();
    add_delta_rule_names(component.known_parameters);
    append(component.known_parameters,
           {{"W_mu", "[d, h]", "projects the keys’ token vectors to the momentum of each head"},
            {"b_mu", "[h]", "is added to the momenta before their softplus"},
            {"Mu_log", "[h]", "logarithm of the rate at which the motion of each head ends"},
            {"W_step", "[d, h]", "projects the keys’ token vectors to the size of each head’s step"},
            {"b_step", "[h]", "is added to the steps before their tanh"},
            {"balance", "[h]", "logarithm of tan θ for a step of 1: how much is written, and not kept"}});
    component.parameters = [](const Plan& plan, ParameterList& list) {
        add_delta_rule_parameters(plan, list);
        list.add_with_bias("W_step", {plan.tokens.key_width, plan.heads});
        if (state_forgets(plan))
            add_head_gate_parameters(plan, list);
        if (delta_has_momentum(plan)) {
            list.add_with_bias("W_mu", {plan.tokens.key_width, plan.heads});
            list.add("Mu_log", {plan.heads}, 0.0);
        }
        if (gates_are_balanced(plan))
            list.add("balance", {plan.heads}, 0.0);
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "momentum_delta", why_state_is_of_one_sequence);
    };
    component.declared_stages = {
        declared_unit_keys(),
        made_stage(
            "momentum_steps", "Step sizes η",
            {"η = 1 + tanh: how far each error moves", token_operands(), "× W_step\n+ b_step,\n1 + tanh\n→"},
            {.lights = "read_products", .is_of_keys = true}),
        declared_log_gates("× W_dt + b_dt,\nsoftplus,\n× −exp(A_log)\n→"),
        declared_strengths(),
        declared_momentum("μ: how much of the motion goes on",
                          "× W_mu + b_mu,\nsoftplus,\n× −exp(Mu_log),\nexp\n→"),
        declared_left_of_writes("what the state holds of each token’s error, after each token",
                                {{"write_strengths"},
                                 optional_stage("log_gates", "and"),
                                 optional_stage("momentum_gates", "and")})};
    append(component.declared_stages, declared_products("unit_key_direction", "unit_key_direction", "query",
                                                        {{"left_of_writes", "∘"}, {"momentum_steps", "∘"}}));
    append(component.declared_stages, declared_errors("value"));
    component.define = define_momentum_delta;
    return component;
}

}  // namespace headlight
