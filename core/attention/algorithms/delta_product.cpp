#include "core/attention/algorithms/delta_states.h"
#include "core/attention/positions/pair_places.h"

namespace headlight {
namespace {

Index writes_per_token(const Plan& plan) { return plan.algorithm().count("writes"); }

/// [h, n, count d] to [h, n count, d]: the writes of a token one after another.
Expression one_row_each(const Expression& of_tokens, Index count) {
    const Index rows = of_tokens.extent().rows * count, width = of_tokens.extent().columns / count;
    return pick(of_tokens, places_of(rows, 1, [=](Index row, Index) { return row / count; }),
                places_of(rows, width, [=](Index row, Index c) { return row % count * width + c; }));
}

/// The token's own vectors, and those that a matrix makes for the further writes: [h, n writes, d].
Expression vectors_of_writes(Composer& composer, const std::string& name, const Expression& first,
                             const std::string& matrix, const std::string& note) {
    const Index count = writes_per_token(composer.plan);
    if (count == 1)
        return first;
    const Expression further = composer.projected_by_heads(composer.key_tokens, matrix);
    return composer.let(name, one_row_each(join_columns({first, further}), count), note);
}

Expression define_delta_product(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, count = writes_per_token(plan);
    const std::optional<SummedGates> gates = write_forget_gates(composer, "dt", count);
    Expression strengths = write_strengths_of_tokens(composer, largest_strength(plan));
    if (count > 1)
        strengths = composer.let("strength_of_writes", one_row_each(strengths, count), "β of each write");
    const Expression unit = direction_of(
        composer, "unit_key",
        vectors_of_writes(composer, "key_of_writes", composer.key, "W_k_writes", "k of each write"));
    const Expression values =
        vectors_of_writes(composer, "value_of_writes", composer.value, "W_v_writes", "v of each write");
    const Expression written = composer.let("written_key", strengths * unit, "β k: along what is written");
    const Expression read =
        write_read_products(composer, "read_products", composer.query, written, gates, count);
    const Expression inverse = write_inverse_of_asked(
        composer, write_asked_products(composer, "asked_products", unit, written, gates, count), count);
    const Expression of_writes =
        composer.let("weights_of_writes", product(read, inverse), "what each query gets of each write");
    const Expression is_of_token = composer.constant(
        "writes_of_token", {0, n * count, n}, "1 for the token of each write",
        [=](Index, Index write, Index token) { return write / count == token ? 1.0 : 0.0; });
    composer.let("weights", product(of_writes, is_of_token), "the weights of all that a token writes");
    return composer.let("context", product(of_writes, values), "the values that each query gets");
}

void check_delta_product(const Plan& plan) {
    require_one_sequence(plan, "delta_product", why_state_is_of_one_sequence);
    if (writes_per_token(plan) == 1)
        return;
    refuse_turned_vectors(plan, "delta_product",
                          "the keys of the further writes would not be turned with the first");
    refuse_shared_heads(plan, "delta_product", "each head makes the keys and values of its further writes");
}

}  // namespace

AlgorithmComponent declare_algorithms_delta_product() {
    AlgorithmComponent component;
    component.meaning =
        "S ← α S, then S ← S + βᵢ kᵢ (vᵢ − Sᵀ kᵢ)ᵀ for each of the token’s writes i, α and β as in "
        "gated_delta, |kᵢ| = 1: with β to 2 a token can turn the state and not only mirror it; causal "
        "whatever the mask (Siems et al. 2025)";
    component.options = {count_option("writes", "Writes per token", 2, {1, 4},
                                      "How many keys and values each token writes, one after another."),
                         forgets_option(), overshoot_option(true, "write strength"), scaled_option(true)};
    component.known_parameters = head_gate_names();
    append(
        component.known_parameters,
        {{"W_beta", "[d, h writes]", "projects token vectors to the write strengths of each head"},
         {"b_beta", "[h writes]", "is added to the write strengths before their sigmoid"},
         {"W_k_writes", "[d, h (writes − 1) d_k]", "makes the keys of all writes of a token but the first"},
         {"W_v_writes", "[d, h (writes − 1) d_v]",
          "makes the values of all writes of a token but the first"}});
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index count = writes_per_token(plan), tokens = plan.tokens.key_width;
        if (state_forgets(plan))
            add_head_gate_parameters(plan, list);
        list.add_with_bias("W_beta", {tokens, plan.heads * count});
        if (count == 1)
            return;
        list.add("W_k_writes", {tokens, (count - 1) * plan.heads * plan.head_query_width()});
        list.add("W_v_writes", {tokens, (count - 1) * plan.context_width()});
    };
    component.check = check_delta_product;
    component.changes_context = [](const AttentionSpec& spec) {
        return spec.algorithm.options.count("writes") > 1;
    };
    component.declared_stages = {
        declared_log_gates("× W_dt + b_dt,\nsoftplus,\n× −exp(A_log)\n→"),
        declared_cumulative_gates(),
        declared_strengths(),
        made_stage("weights_of_writes", "Weights of the writes",
                   {"of each token’s first, second, … write",
                    {{"query"}, {"write_strengths", "and"}},
                    "all writes\nin order\n→"},
                   {.lights = "weights", .has_features = true}),
        made_stage("weights", "Weights",
                   {"of all that a token writes", {{"weights_of_writes"}}, "added up\nby token\n→"},
                   {.lights = "output", .role = StageRole::weights}),
        declared_own_context_stage(
            {"", {optional_stage("weights_of_writes")}, "× values of\nthe writes\n→"})};
    for (DeclaredStage& stage : component.declared_stages)
        if (stage.lights == "read_products")
            stage.lights = "weights_of_writes";
    component.define = define_delta_product;
    return component;
}

}  // namespace headlight
