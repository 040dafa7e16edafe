#include "core/attention/algorithms/delta_states.h"

#include <cmath>

namespace headlight {
namespace {

bool has_bonus(const Plan& plan) { return plan.algorithm().flag("bonus"); }

/// What is taken out lies along another vector than what is put in: with y_t what the state answers to
/// κ̂_t, Y = F V and F = A_k − A_b F, and the map is R_k − R_b F.
Expression define_rwkv7(Composer& composer) {
    const Expression decays =
        composer.let("log_decay", -std::exp(-0.5) * sigmoid_of(numbers_of_tokens(composer, "w")),
                     "ln w: what each feature of the state loses at each token");
    const SummedGates gates = write_state_gates(composer, decays, 1, true);
    const Expression rates = composer.let("learning_rates", sigmoid_of(numbers_of_tokens(composer, "a")),
                                          "a: how much of each feature is replaced");
    const Expression removal = composer.let("removal_key", composer.key * composer.parameter_of_heads("k_k"),
                                            "κ: by what the state is asked");
    const Expression asks = direction_of(composer, "removal_key", removal);
    const Expression removed = composer.let("removed_key", rates * asks, "a ∘ κ̂: along what is taken out");
    const Expression written =
        composer.let("replacement_key", composer.key * (1 + (rates - 1) * composer.parameter_of_heads("k_a")),
                     "k̃: along what is written");

    const Expression found_values = write_asked_products(composer, "asked_products", asks, written, gates);
    const Expression inverse = write_inverse_of_asked(
        composer, write_asked_products(composer, "asked_removals", asks, removed, gates));
    const Expression answers = composer.let("answers", product(inverse, found_values),
                                            "what the state answers to each token, of each value");
    const Expression read = write_read_products(composer, "read_products", composer.query, written, gates);
    const Expression removals =
        write_read_products(composer, "read_removals", composer.query, removed, gates);
    Expression weights = read - product(removals, answers);
    if (has_bonus(composer.plan)) {
        const Expression own =
            composer.let("own_products",
                         sum_of_columns(composer.query * composer.parameter_of_heads("r_k") * written) *
                             scale_of_queries(composer),
                         "r · (ρ ∘ k̃) of each token with itself");
        weights = weights + composer.where_open(choose(pairs_with_itself(composer), own, 0), 0);
    }
    return write_attended_values(composer,
                                 composer.let("weights", weights, "what each query gives to each key"));
}

void add_rwkv7_parameters(const Plan& plan, ParameterList& list) {
    const Index width = plan.heads * plan.head_query_width(), tokens = plan.tokens.key_width;
    constexpr double slow = -2, bonus = -0.04;  // w = 0.93; the bonus that the authors begin with
    list.add("W_w", {tokens, width});
    list.add("b_w", {width}, slow);
    list.add_with_bias("W_a", {tokens, width});
    list.add("k_k", {width}, 1.0);
    list.add("k_a", {width}, 1.0);
    if (has_bonus(plan))
        list.add("r_k", {width}, bonus);
}

std::vector<DeclaredStage> rwkv7_stages() {
    const auto of_keys = [](const std::string& name, const std::string& title, const std::string& subtitle,
                            const std::vector<StageOperand>& operands, const std::string& operation) {
        return made_stage(name, title, {subtitle, operands, operation},
                          {.lights = "weights", .is_of_keys = true});
    };
    const auto of_pairs = [](const std::string& name, const std::string& title, const std::string& subtitle,
                             const std::string& left, const std::string& right) {
        return made_stage(name, title,
                          {subtitle, {{left}, times_keys_of(right), {"cumulative_gates", "and"}}},
                          {.lights = "weights", .role = StageRole::scores});
    };
    DeclaredStage read = of_pairs("read_products", "Read products",
                                  "r · k̃: what each query reads of what each token writes", "query",
                                  "replacement_key"),
                  removals = of_pairs("read_removals", "Read removals",
                                      "r · (a ∘ κ̂): what each query reads of what each token takes out",
                                      "query", "removed_key");
    read.leaves_out_masked = removals.leaves_out_masked = true;
    return {of_keys("log_decay", "Log decays", "ln w: what each feature loses at this token",
                    token_operands(), "× W_w + b_w,\nsigmoid × −e^(−1/2)\n→"),
            declared_cumulative_gates("log_decay"),
            of_keys("learning_rates", "In-context learning rates", "a: how much of each feature is replaced",
                    token_operands(), "× W_a + b_a,\nsigmoid\n→"),
            of_keys("removal_key", "Removal keys", "κ = k ∘ k_k", {{"key"}}, "∘ k_k\n→"),
            of_keys("removal_key_direction", "Directions of the removal keys", "κ̂ = κ / |κ|",
                    {{"removal_key"}}, "÷ |κ|\n→"),
            of_keys("removed_key", "What is taken out", "a ∘ κ̂",
                    {{"learning_rates"}, {"removal_key_direction", "∘"}}, "="),
            of_keys("replacement_key", "Replacement keys", "k̃ = k ∘ (1 + (a − 1) ∘ k_a)",
                    {{"key"}, {"learning_rates", "and"}}, "→"),
            of_pairs("asked_products", "Products of asking",
                     "κ̂ · k̃: what each token finds of what those before it have written",
                     "removal_key_direction", "replacement_key"),
            of_pairs("asked_removals", "Removals of asking",
                     "κ̂ · (a ∘ κ̂): what each token finds of what those before it have taken out",
                     "removal_key_direction", "removed_key"),
            made_stage("inverse", "Inverse of the system", {"", {{"asked_removals"}}, "(I + A)⁻¹\n→"},
                       {.lights = "weights"}),
            made_stage("answers", "Answers of the state",
                       {"what it answers to each removal key, of each value",
                        {{"inverse"}, {"asked_products", "×"}},
                        "="},
                       {.lights = "weights"}),
            read,
            removals,
            made_stage("own_products", "Own products", {"r · (ρ ∘ k̃) of each token with itself"},
                       {.lights = "weights", .role = StageRole::row}),
            made_stage("weights", "Weights",
                       {"read products without what was taken out",
                        {{"read_products"}, {"read_removals", "−"}, {"answers", "×"}}},
                       {.lights = "output", .role = StageRole::weights})};
}

}  // namespace

AlgorithmComponent declare_algorithms_rwkv7() {
    AlgorithmComponent component;
    component.meaning =
        "S ← diag(w) S − (a ∘ κ̂)(κ̂ᵀ S) + k̃ vᵀ, o = Sᵀ r, w = exp(−e^(−1/2) σ(y W_w + b_w)), a = σ(y W_a + "
        "b_a), κ̂ the direction of k ∘ k_k, k̃ = k ∘ (1 + (a − 1) ∘ k_a): a delta rule that takes out each "
        "feature at a rate of its own; causal whatever the mask (Peng et al. 2025)";
    component.options = {
        flag_option("bonus", "Bonus", true, "Adds r · (r_k ∘ k̃) to what each token gives to itself."),
        scaled_option(false)};
    component.known_parameters = {
        {"W_w", "[d, h d_k]", "projects token vectors to a decay for each feature of each head"},
        {"b_w", "[h d_k]", "is added to the decays before w = exp(−e^(−1/2) σ(…))"},
        {"W_a", "[d, h d_k]", "projects token vectors to a learning rate for each feature of each head"},
        {"b_a", "[h d_k]", "is added to the learning rates before their sigmoid"},
        {"k_k", "[h d_k]", "what each feature of the key counts by where the state is asked"},
        {"k_a", "[h d_k]", "how far the learning rate acts on what is written"},
        {"r_k", "[h d_k]", "what each feature of the token’s own key adds"}};
    component.parameters = add_rwkv7_parameters;
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "rwkv7", why_state_is_of_one_sequence);
    };
    component.declared_stages = rwkv7_stages();
    component.define = define_rwkv7;
    return component;
}

}  // namespace headlight
