#include "core/attention/algorithms/delta_states.h"
#include "core/tensor/error.h"

#include <numeric>

namespace headlight {
namespace {

/// How many heads of values share one head of queries and keys, which is as wide as theirs together.
Index values_of_a_key(const Plan& plan) {
    const Index key_heads = plan.algorithm().count("key_heads");
    return key_heads > 0 ? plan.heads / std::gcd(key_heads, plan.heads) : 1;
}

/// What the heads that share it have, side by side, for each of them.
Expression of_wide_heads(Composer& composer, const std::string& name, const Expression& x) {
    const Index sharing = values_of_a_key(composer.plan);
    if (sharing == 1)
        return x;
    std::vector<Expression> parts;
    for (Index part = 0; part < sharing; ++part) {
        std::vector<Index> read;
        for (Index head = 0; head < composer.plan.heads; ++head)
            read.push_back(head / sharing * sharing + part);
        parts.push_back(take_heads(x, read));
    }
    return composer.let(name, join_columns(parts), "of the heads that share it, side by side");
}

Expression define_comba(Composer& composer) {
    const Index sharing = values_of_a_key(composer.plan);
    const bool asks_first = composer.plan.algorithm().word("asks") == "before";
    const std::optional<SummedGates> gates = write_forget_gates(composer, "dt", 1, asks_first);
    const Expression strengths = write_strengths_of_tokens(composer);
    const Expression unit =
        direction_of(composer, "unit_key", of_wide_heads(composer, "wide_key", composer.key));
    const Expression writes = composer.let("written_key", strengths * unit, "β k: along what is written");
    const Expression asks =
        composer.let("feedback_key", sigmoid_of(composer.parameter_of_heads("feedback")) * unit,
                     "σ(feedback) k: by what the state is asked");
    Expression query = of_wide_heads(composer, "wide_query", composer.query) -
                       composer.parameter_of_heads("correction") * unit;
    if (sharing > 1 && composer.plan.algorithm().flag("scaled"))
        query = query / root_of(static_cast<double>(sharing));  // the rest of the root of their width
    query = composer.let("corrected_query", query, "q without a part of the token’s own key");
    const Expression read = write_read_products(composer, "read_products", query, writes, gates);
    const Expression asked = write_asked_products(composer, "asked_products", asks, writes, gates);
    return write_inverse_of_values(composer, read, write_inverse_of_asked(composer, asked), composer.value);
}

}  // namespace

AlgorithmComponent declare_algorithms_comba() {
    AlgorithmComponent component;
    component.meaning =
        "S ← α S + β k (v − σ(feedback) Sᵀ k)ᵀ, o = Sᵀ (q − correction k), α and β as in gated_delta, |k| = "
        "1: the state is asked before it fades, its answer counts in part, and the query is corrected by the "
        "key; causal whatever the mask (Hu et al. 2025)";
    component.options = {
        forgets_option(),
        word_option(
            "asks", "Asks the state", {"before", "after"},
            "Whether the state answers to a key before the gate of its token acts, as in the paper, or after "
            "it, as in Gated DeltaNet and in the plain reference of flash-linear-attention."),
        scaled_option(true),
        count_option("key_heads", "Heads of queries and keys", 0, {0, 1024},
                     "Fewer than heads of values: so many groups of heads share one wide query and key, "
                     "which is theirs side by side, and each head keeps its own gates, values and state.",
                     "as many as of values")};
    component.known_parameters = head_gate_names();
    add_delta_rule_names(component.known_parameters);
    append(component.known_parameters,
           {{"feedback", "[h]", "how much of what the state answers counts, before its sigmoid"},
            {"correction", "[h]", "how much of the token’s own key is taken off the query"}});
    component.parameters = [](const Plan& plan, ParameterList& list) {
        constexpr double small = 0.02;  // the paper’s for a small model; 1 for a larger one
        if (state_forgets(plan))
            add_head_gate_parameters(plan, list);
        add_delta_rule_parameters(plan, list);
        list.add("feedback", {plan.heads}, 1.0);
        list.add("correction", {plan.heads}, small);
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "comba", why_state_is_of_one_sequence);
        if (values_of_a_key(plan) > 1 && plan.kv_heads != plan.heads)
            throw Error({"comba algorithm", "algorithm.key_heads",
                         "0 beside heads that share keys and values already",
                         std::to_string(plan.kv_heads) + " heads of keys and values"});
    };
    component.declared_stages = {
        declared_log_gates("× W_dt + b_dt,\nsoftplus,\n× −exp(A_log)\n→"),
        declared_cumulative_gates(),
        declared_strengths(),
        declared_unit_keys(),
        made_stage("written_key", "Written keys",
                   {"β k", {{"unit_key_direction"}, {"write_strengths", "and"}}, "× β\n→"},
                   {.lights = "read_products", .is_of_keys = true}),
        made_stage("feedback_key", "Feedback keys",
                   {"by what the state is asked", {{"unit_key_direction"}}, "× σ(feedback)\n→"},
                   {.lights = "asked_products", .is_of_keys = true}),
        made_stage("corrected_query", "Corrected queries",
                   {"without a part of the token’s own key", {{"query"}, {"unit_key_direction", "−"}}},
                   {.lights = "read_products"})};
    append(component.declared_stages, declared_products("written_key", "feedback_key", "corrected_query"));
    append(component.declared_stages, declared_errors("value"));
    component.define = define_comba;
    return component;
}

}  // namespace headlight
