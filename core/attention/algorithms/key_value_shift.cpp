#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

constexpr double learned_shift = -1;

double shift_of(const Plan& plan, const char* name) { return plan.algorithm().number(name); }
/// No share is below 0: whatever is, asks for parameters.
bool shift_is_learned(const Plan& plan, const char* name) { return shift_of(plan, name) < 0; }

/// A share of each row and one of the row before it; there is none before the first.
Expression shifted_rows(Composer& composer, const std::string& name, const Expression& rows,
                        const char* setting, const std::string& greek) {
    const Index m = composer.plan.keys;
    std::vector<Index> before(1, 0);
    for (Index row = 1; row < m; ++row)
        before.push_back(row - 1);
    const Expression is_first = composer.truth("is_first", {0, m, 1}, "the token that has none before it",
                                               [](Index row, Index) { return row == 0; });
    const Expression previous =
        composer.let("previous_" + name, choose(is_first, 0, some_rows(rows, before)), "of the token before");
    const double shift = shift_of(composer.plan, setting);
    Expression of_own = 1 - shift, of_before = shift;
    if (shift_is_learned(composer.plan, setting)) {
        of_own = parameter_of_key_heads(composer, greek + "_1");
        of_before = parameter_of_key_heads(composer, greek + "_2");
    }
    return composer.let("shifted_" + name, of_own * rows + of_before * previous,
                        "its own, and that of the token before");
}

Expression define_key_value_shift(Composer& composer) {
    const Expression keys = shifted_rows(composer, "key", composer.key, "key_shift", "alpha");
    const Expression values = shifted_rows(composer, "value", composer.value, "value_shift", "beta");
    const Expression scores =
        composer.let("scores", scaled_products(composer, composer.query, keys), "q · shifted k / √d");
    const Expression weights = softmax_of_open(composer, "weights", scores);
    return composer.let("context", product(weights, values), "the shifted values that each query gets");
}

}  // namespace

AlgorithmComponent declare_algorithms_key_value_shift() {
    AlgorithmComponent component;
    component.meaning =
        "kⱼ ← α₁ kⱼ + α₂ kⱼ₋₁ and vⱼ ← β₁ vⱼ + β₂ vⱼ₋₁ before softmax attention: with a key of the token "
        "before and a value of its own one layer finds what followed the same token (Xu et al. 2025)";
    component.options = {
        number_option("key_shift", "Shift of the keys α₂", learned_shift, {learned_shift, 1},
                      "How much of each key is that of the token before; the rest is its own.",
                      "α₁ and α₂ learned for each head"),
        number_option("value_shift", "Shift of the values β₂", learned_shift, {learned_shift, 1},
                      "How much of each value is that of the token before; the rest is its own.",
                      "β₁ and β₂ learned for each head")};
    component.known_parameters = {
        {"alpha_1", "[h_kv]", "what each token’s own key is multiplied by"},
        {"alpha_2", "[h_kv]", "what the key of the token before is multiplied by"},
        {"beta_1", "[h_kv]", "what each token’s own value is multiplied by"},
        {"beta_2", "[h_kv]", "what the value of the token before is multiplied by"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (shift_is_learned(plan, "key_shift")) {
            list.add("alpha_1", {plan.kv_heads}, 0.5);
            list.add("alpha_2", {plan.kv_heads}, 0.5);
        }
        if (shift_is_learned(plan, "value_shift")) {
            list.add("beta_1", {plan.kv_heads}, 0.5);
            list.add("beta_2", {plan.kv_heads}, 0.5);
        }
    };
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(plan, "key_value_shift",
                              "two keys are added up, each of which would be turned by its own place");
    };
    component.takes_any_mask = true;
    component.changes_context = [](const AttentionSpec& spec) {
        return spec.algorithm.options.number("value_shift") != 0;
    };
    component.declared_stages = {
        made_stage("shifted_key", "Shifted keys",
                   {"α₁ of its own and α₂ of the one before", {keys_of("key")}, "and the one\nbefore\n→"},
                   {.lights = "scores", .is_of_keys = true, .has_features = true}),
        made_stage("shifted_value", "Shifted values",
                   {"β₁ of its own and β₂ of the one before", {keys_of("value")}, "and the one\nbefore\n→"},
                   {.colours_of = "value", .lights = "context", .is_of_keys = true, .has_features = true}),
        declared_scores_stage({"q · shifted k / √d", {{"query"}, times_keys_of("shifted_key")}, "÷ √d\n→"}),
        declared_weights_stage(), declared_context_stage("shifted_value")};
    component.define = define_key_value_shift;
    return component;
}

}  // namespace headlight
