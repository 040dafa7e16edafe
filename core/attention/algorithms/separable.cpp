#include "core/attention/algorithms/global_vectors.h"

namespace headlight {
namespace {

Expression define_separable(Composer& composer) {
    const Expression shares = write_token_shares(composer, "context", "w_context", composer.query);
    write_weights_of_all(composer, shares);
    const Expression vector =
        composer.let("context_vector", product(shares, composer.key), "the mean of the keys by these shares");
    return composer.let("context", relu_of(composer.value) * vector,
                        "what is above 0 of each value, ∘ the context vector");
}

}  // namespace

AlgorithmComponent declare_algorithms_separable() {
    AlgorithmComponent component;
    component.meaning =
        "c = Σ softmax(w · q) k, o = max(v, 0) ∘ c: one context vector, a mean of the keys, multiplies the "
        "value of every token (Mehta and Rastegari 2023)";
    component.known_parameters = {
        {"w_context", "[h d]", "asks each query for its token’s share in the context vector"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("w_context", {plan.heads * plan.head_query_width()});
    };
    component.check = [](const Plan& plan) { check_global_vectors(plan, "separable"); };
    component.needs_one_end = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("context_shares", "Shares in the context vector",
                   {"softmax over the tokens", {{"query"}}, "× w,\nsoftmax\n→"},
                   {.lights = "weights", .is_of_features = true, .is_share = true}),
        made_stage("context_vector", "Context vector",
                   {"the mean of the keys by these shares", {{"context_shares"}, keys_of("key", "×")}, "="},
                   {.lights = "output", .is_of_features = true}),
        declared_weights_of_all("context_shares", "the context vector"),
        declared_own_context_stage({"", {{"value"}, {"context_vector", "∘"}}, "above 0\n→"})};
    component.define = define_separable;
    return component;
}

}  // namespace headlight
