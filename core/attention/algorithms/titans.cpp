#include "core/attention/algorithms/delta_states.h"

namespace headlight {
namespace {

bool has_momentum(const Plan& plan) { return plan.algorithm().flag("momentum"); }

/// What the memory holds of each write after each token, [h, n, n]. A write is set in motion when it is made,
/// the motion fades by the gates of momentum, and all of it that was added since fades by those of the
/// memory.
Expression write_left_of_writes(Composer& composer) {
    const Expression not_later = pairs_not_later(composer);
    Expression kept = as_number(not_later);
    if (state_forgets(composer.plan)) {
        const Expression raw =
            composer.let("forget_numbers", numbers_of_tokens(composer, "forget"), "α before its sigmoid");
        composer.let("forgetting", sigmoid_of(raw), "α: how much of the memory is lost");
        kept = left_by_gates(composer, "kept_of_additions", log_sigmoid_of(-raw), not_later,
                             "what the memory keeps of each addition");
    }
    if (!has_momentum(composer.plan))
        return composer.let("left_of_writes", kept, "what the memory holds of each write");
    const Expression raw =
        composer.let("momentum_numbers", numbers_of_tokens(composer, "eta"), "η before its sigmoid");
    composer.let("momentum_gates", sigmoid_of(raw), "η: how much of the motion goes on");
    const Expression motion = left_by_gates(composer, "motion_of_writes", log_sigmoid_of(raw), not_later,
                                            "what each token adds of each write");
    return composer.let("left_of_writes", product(kept, motion), "what the memory holds of each write");
}

/// With G what the memory holds of each write, the errors are U = V − L U, L_ij = G_(i−1)j β_j k_i · k_j, and
/// a query reads Σ_j G_ij β_j (q_i · k_j) u_j.
Expression define_titans(Composer& composer) {
    const Expression keys = direction_of(composer, "unit_key", composer.key);
    const Expression strengths = transposed(write_strengths_of_tokens(composer));
    const Expression left = write_left_of_writes(composer);
    // A token asks the memory before it writes: as the token before it has left it.
    const Expression before = some_rows(left, tokens_before(composer.plan.queries));
    const Expression asked = composer.let(
        "asked_products",
        choose(pairs_with_earlier(composer), product_transposed(keys, keys) * before * strengths, 0),
        "what each token finds of what each token before has written");
    const Expression at_read = rows_of_tokens(composer, "left_at_read", left, tokens_read_after(composer));
    const Expression read = composer.let(
        "read_products",
        composer.where_open(
            product_transposed(composer.query, keys) * at_read * strengths * scale_of_queries(composer), 0),
        "what each query reads of what each token has written");
    return write_inverse_of_values(composer, read, write_inverse_of_asked(composer, asked), composer.value);
}

}  // namespace

AlgorithmComponent declare_algorithms_titans() {
    AlgorithmComponent component;
    component.meaning =
        "Z ← η Z − β kᵀ (k M − v), M ← (1 − α) M + Z, o = q M: a linear memory that learns each key’s value "
        "by a step of gradient descent with momentum and forgetting, k over its length, β, η and α sigmoids "
        "of the token, causal whatever the mask (Behrouz et al. 2025)";
    component.options = {
        flag_option("momentum", "Momentum η", true,
                    "Whether a step goes on in the tokens after it, a share η of it with each."),
        flag_option("forgets", "Forgets α", true,
                    "Whether the memory loses a share α of what it holds with each token."),
        scaled_option(true)};
    add_delta_rule_names(component.known_parameters);
    append(component.known_parameters,
           {{"W_eta", "[d, h]", "projects token vectors to the momentum of each head’s memory"},
            {"b_eta", "[h]", "is added to the momenta before their sigmoid"},
            {"W_forget", "[d, h]", "projects token vectors to what each head’s memory loses"},
            {"b_forget", "[h]", "is added to what is lost before its sigmoid"}});
    component.parameters = [](const Plan& plan, ParameterList& list) {
        constexpr double little = -3;  // it loses 0.05 with each token
        add_delta_rule_parameters(plan, list);
        if (has_momentum(plan))
            list.add_with_bias("W_eta", {plan.tokens.key_width, plan.heads});
        if (state_forgets(plan)) {
            list.add("W_forget", {plan.tokens.key_width, plan.heads});
            list.add("b_forget", {plan.heads}, little);
        }
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "titans", why_state_is_of_one_sequence);
    };
    component.declared_stages = {
        declared_unit_keys(), declared_strengths(),
        made_stage("forgetting", "Forgetting",
                   {"α: how much of the memory is lost when this token is written", token_operands(),
                    "× W_forget\n+ b_forget,\nsigmoid\n→"},
                   {.lights = "left_of_writes", .is_of_keys = true, .is_share = true}),
        declared_momentum("η: how much of the motion goes on", "× W_eta\n+ b_eta,\nsigmoid\n→"),
        declared_left_of_writes("what the memory holds of each token’s write, after each token",
                                {optional_stage("forgetting"), optional_stage("momentum_gates", "and")})};
    append(component.declared_stages, declared_products("unit_key_direction", "unit_key_direction", "query",
                                                        {{"left_of_writes", "∘"}, {"write_strengths", "∘"}}));
    append(component.declared_stages, declared_errors("value"));
    component.define = define_titans;
    return component;
}

}  // namespace headlight
