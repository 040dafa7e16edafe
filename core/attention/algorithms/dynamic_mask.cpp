#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <algorithm>

namespace headlight {
namespace {

/// What the values of all heads of keys say of each token, for each of these heads, [h, 1, m]: softplus(v
/// W_value_step).
Expression write_value_steps(Composer& composer) {
    const Plan& plan = composer.plan;
    Expression values = composer.value;
    if (plan.heads > 1 && plan.kv_heads < plan.heads && values.extent().heads == plan.heads) {
        std::vector<Index> one_of_each;
        for (Index head = 0; head < plan.kv_heads; ++head)
            one_of_each.push_back(head * (plan.heads / plan.kv_heads));
        values = take_heads(values, one_of_each);
    }
    const Expression numbers =
        composer.let("step_numbers", composer.projected(join_heads(values), "W_value_step"),
                     "of the values of all heads side by side");
    return composer.let("value_steps",
                        composer.of_query_heads(
                            split_rows(transposed(softplus_of(numbers)), plan.heads > 1 ? plan.kv_heads : 0)),
                        "softplus(v W_value_step), above 0");
}

/// Each head adds exp(a softplus(v W_value_step)) to all scores of a key, and looks at the keys alone at
/// which this is largest (Shi et al. 2025; Doge).
Expression define_dynamic_mask(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index kept = std::min(composer.plan.algorithm().count("keep"), plan.keys);
    const Expression rates = parameter_of_key_heads(composer, "a_value_step");
    // The power grows with its exponent, which still tells numbers apart where powers are all but equal.
    const Expression exponents =
        composer.let("value_exponents", rates * write_value_steps(composer), "a times the step");
    const Expression added =
        composer.let("dynamic_bias", exp_of(exponents), "what is added to the scores of each key");
    const std::vector<Index> of_all(static_cast<std::size_t>(plan.queries), 0);
    const Expression order =
        composer.let("dynamic_order", composer.open_or_forbidden(some_rows(exponents, of_all)),
                     "exponents of the keys that a query may see");
    const Expression least = write_least_kept(composer, order, kept);
    const Expression scores =
        composer.let("scores", scaled_products(composer, composer.query, composer.key) + added,
                     "q · k / √d and what the key adds");
    const Expression weights =
        softmax_of_open(composer, "weights", choose(is_at_least(order, least), scores, minus_infinity()));
    return write_attended_values(composer, weights);
}

}  // namespace

AlgorithmComponent declare_algorithms_dynamic_mask() {
    AlgorithmComponent component;
    component.meaning =
        "softmax of q · k / √d + δ_j over the w keys with the largest δ_j = exp(a softplus(v_j "
        "W_value_step)): what values say decides which keys all queries may look at; ties with the w-th stay "
        "(Shi et al. 2025, Doge)";
    component.options = {
        count_option("keep", "Keys kept w", 4, token_counts,
                     "How many keys each query looks at, of those that the mask lets it see.")};
    component.known_parameters = {
        {"W_value_step", "[h_kv d_v, h_kv]",
         "makes each key head’s number of a token from the values of all"},
        {"a_value_step", "[h_kv]", "multiplies the step before it becomes an exponent"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_value_step", {plan.value_width, plan.kv_heads});
        list.add("a_value_step", {plan.kv_heads});
    };
    component.takes_any_mask = true;
    component.declared_stages = {
        made_stage("dynamic_bias", "What each key adds",
                   {"exp(a softplus(v W_value_step)), the same for every query",
                    {keys_of("value")},
                    "× W_value_step, softplus,\n× a, exp\n→"},
                   {.lights = "scores", .is_of_features = true, .column = "key"}),
        declared_scores_stage({"q · k / √d and what the key adds",
                               {{"query"}, times_keys_of("key"), {"dynamic_bias", "+"}},
                               "÷ √d, + δ\n→"}),
        declared_weights_stage({"softmax over the keys that are kept",
                                {{"scores"}, {"dynamic_bias", "and"}},
                                "w largest δ,\nsoftmax\n→"},
                               {.is_share = true})};
    component.define = define_dynamic_mask;
    return component;
}

}  // namespace headlight
