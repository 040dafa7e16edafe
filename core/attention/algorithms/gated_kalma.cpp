#include "core/attention/algorithms/delta_states.h"

namespace headlight {
namespace {

constexpr double smallest_kalma_strength = 1e-6;  // as in the authors' code

/// What is left of each key at each later token, [h, n, n]; 0 where the query does not see it.
Expression write_left_of_keys(Composer& composer) {
    const Expression is_read = composer.pairs_where(
        "is_read", "written by this token or before, and not hidden",
        [](Index query, Index key) { return key <= query; }, "j <= i");
    if (const std::optional<SummedGates> gates = write_forget_gates(composer, "dt"))
        return composer.let("left_of_keys",
                            choose(is_read, left_between(gates->at_read, transposed(gates->so_far)), 0),
                            "what the gates have left of each key");
    return composer.let("left_of_keys", as_number(is_read), "1 for every key so far");
}

/// q + α (x − q) of each query, (H + λ I) x = q, H the sum of the products of the keys so far with
/// themselves.
Expression write_sharpened_queries(Composer& composer, const Expression& query, const Expression& keys,
                                   const Expression& left) {
    const Plan& plan = composer.plan;
    const Index width = plan.head_query_width();
    const double ridge = composer.plan.algorithm().number("ridge");
    const Expression unit = unit_matrix(composer, width, "unit_of_features");
    std::vector<Expression> solved;
    for (Index token = 0; token < plan.queries; ++token) {
        const std::string suffix = numbered("_", token + 1);
        const Expression products = composer.let(
            "key_products" + suffix, product(transposed(keys), transposed(some_rows(left, {token})) * keys),
            "H: Σ γ kᵀ k so far");
        const Expression size = composer.let(
            "ridge" + suffix, not_zero(ridge * root_of(sum_of_rows(sum_of_columns(products * products)))),
            "λ: a share of the size of H");
        solved.push_back(composer.let("solved" + suffix,
                                      product(composer.let("query" + suffix, some_rows(query, {token})),
                                              inverse_of(products + size * unit)),
                                      "(H + λ)⁻¹ q"));
    }
    const Expression sharp = composer.let("solved_queries", join_rows(solved), "of all queries");
    if (!composer.plan.algorithm().flag("mixed"))
        return sharp;
    const Expression shares =
        composer.let("sharpening", sigmoid_of(numbers_of_tokens(composer, "sharpening")),
                     "α: how much of the query is solved for");
    return composer.let("sharpened_query", query + shares * (sharp - query), "q + α (x − q)");
}

Expression define_gated_kalma(Composer& composer) {
    const Expression strengths = composer.let(
        "write_strengths", sigmoid_of(numbers_of_tokens(composer, "beta")) + smallest_kalma_strength,
        "β: how much is written");
    const Expression query = direction_of(composer, "unit_query", composer.query);
    const Expression keys = composer.let(
        "written_key", strengths * direction_of(composer, "unit_key", composer.key), "β k, |k| = 1");
    const Expression left = write_left_of_keys(composer);
    const Expression asks = write_sharpened_queries(composer, query, keys, left);
    const Expression read =
        composer.let("read_products", product_transposed(asks, keys) * left * scale_of_queries(composer),
                     "what each query reads of what each token writes");
    return write_attended_values(
        composer, composer.let("weights", read * transposed(strengths), "of the values as they were"));
}

}  // namespace

AlgorithmComponent declare_algorithms_gated_kalma() {
    AlgorithmComponent component;
    component.meaning =
        "H ← γ H + kᵀ k, S ← γ S + kᵀ v, o = (q + α (x − q)) S with (H + λ I) x = q, λ = a |H|, keys and "
        "values times β, |q| = |k| = 1: the query is sharpened by the keys so far, of which the older ones "
        "fade (Gated KalmaNet, Peng et al. 2026); causal whatever the mask";
    component.options = {
        forgets_option(),
        number_option("ridge", "Ridge a", 0.02, logarithmic_range(0.001, 1000),
                      "λ is so much of the size of H, the root of its squared numbers: the larger, the more "
                      "this is linear attention, divided by λ."),
        flag_option(
            "mixed", "Mixed with the query", true,
            "Whether each token decides how much of its query is solved for; otherwise all of it is."),
        scaled_option(true)};
    component.known_parameters = head_gate_names();
    add_delta_rule_names(component.known_parameters);
    append(component.known_parameters,
           {{"W_sharpening", "[d, h]", "projects a token vector to how much of its query is solved for"},
            {"b_sharpening", "[h]", "is added to this before its sigmoid"}});
    component.parameters = [](const Plan& plan, ParameterList& list) {
        add_delta_rule_parameters(plan, list);
        if (state_forgets(plan))
            add_head_gate_parameters(plan, list);
        if (!plan.algorithm().flag("mixed"))
            return;
        list.add_with_bias("W_sharpening", {plan.tokens.key_width, plan.heads});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "gated_kalma", why_state_is_of_one_sequence);
    };
    component.declared_stages = {
        declared_log_gates("× W_dt + b_dt,\nsoftplus,\n× −exp(A_log)\n→"),
        declared_cumulative_gates(),
        declared_strengths(),
        made_stage("unit_query_direction", "Directions of the queries", {"q / |q|", {{"query"}}, "÷ |q|\n→"},
                   {.lights = "query"}),
        made_stage("written_key", "Written keys",
                   {"β k / |k|", {keys_of("key"), {"write_strengths", "and"}}, "÷ |k|, × β\n→"},
                   {.lights = "read_products", .is_of_keys = true}),
        made_stage("left_of_keys", "What is left of the keys",
                   {"by the gates in between", {optional_stage("cumulative_gates")}},
                   {.lights = "read_products",
                    .role = StageRole::weights,
                    .is_share = true,
                    .leaves_out_masked = true}),
        made_stage("solved_queries", "Solved queries",
                   {"x of (H + λ) x = q",
                    {{"unit_query_direction"}, {"written_key", "and"}, {"left_of_keys", "and"}},
                    "(H + λ)⁻¹\n→"},
                   {.colours_of = "query", .lights = "read_products"}),
        made_stage("sharpening", "Sharpening",
                   {"α: how much of the query is solved for", token_operands(),
                    "× W_sharpening\n+ b_sharpening,\nsigmoid\n→"},
                   {.lights = "read_products", .is_share = true}),
        made_stage("sharpened_query", "Sharpened queries",
                   {"q + α (x − q)",
                    {{"unit_query_direction"}, {"solved_queries", "and"}, {"sharpening", "and"}},
                    "mixed by α\n→"},
                   {.colours_of = "query", .lights = "read_products"}),
        made_stage("read_products", "Read products",
                   {"what each query reads of what each token writes",
                    {{"solved_queries"},
                     optional_stage("sharpened_query", "and"),
                     times_keys_of("written_key"),
                     {"left_of_keys", "∘"}}},
                   {.lights = "weights", .role = StageRole::scores, .leaves_out_masked = true}),
        declared_weights_stage(
            {"of the values as they were", {{"read_products"}, {"write_strengths", "and"}}, "× β\n→"})};
    component.define = define_gated_kalma;
    return component;
}

}  // namespace headlight
