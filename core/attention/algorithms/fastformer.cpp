#include "core/attention/algorithms/global_vectors.h"

namespace headlight {
namespace {

/// The mean of vectors [h, n, d] by the shares that a learned vector of each head gives them, [h, 1, d].
Expression write_global_vector(Composer& composer, const std::string& name, const std::string& parameter,
                               const Expression& vectors) {
    const Expression shares =
        write_token_shares(composer, name, parameter, vectors, root_of_head_width(composer));
    return composer.let("global_" + name, product(shares, vectors), "the mean by these shares");
}

Expression define_fastformer(Composer& composer) {
    const Expression query = write_global_vector(composer, "query", "w_query", composer.query);
    const Expression keys = composer.let("queried_keys", query * composer.key, "the global query ∘ each key");
    const Expression key = write_global_vector(composer, "key", "w_key", keys);
    write_weights_of_all(composer, composer.program.tensor("key_shares"));
    const Expression values =
        composer.let("keyed_values", key * composer.value, "the global key ∘ each value");
    const Expression mixed = composer.let(
        "transformed_values", composer.projected(join_heads(values), "W_values"), "all heads together");
    return composer.let("context", split_heads(mixed, composer.heads) + composer.query,
                        "beside each token’s query");
}

}  // namespace

AlgorithmComponent declare_algorithms_fastformer() {
    AlgorithmComponent component;
    component.meaning =
        "g = Σ softmax(w_q · q / √d) q, p = g ∘ k, c = Σ softmax(w_k · p / √d) p, o = (c ∘ v) W + q: tokens "
        "meet a global query and a global key, each a mean by additive attention, and not each other (Wu et "
        "al. 2021)";
    component.known_parameters = {
        {"w_query", "[h d]", "asks each query for its share in the global query"},
        {"w_key", "[h d]", "asks each key for its share in the global key"},
        {"W_values", "[h d, h d]", "changes the values after the global key has met them"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.heads * plan.head_query_width();
        list.add("w_query", {width});
        list.add("w_key", {width});
        list.add("W_values", {plan.context_width(), width});
    };
    component.check = [](const Plan& plan) { check_global_vectors(plan, "fastformer"); };
    component.needs_one_end = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("query_shares", "Shares in the global query",
                   {"softmax over the tokens", {{"query"}}, "× w_q ÷ √d,\nsoftmax\n→"},
                   {.lights = "global_query", .is_of_features = true, .is_share = true}),
        made_stage("global_query", "Global query",
                   {"the mean of the queries by their shares", {{"query_shares"}, {"query", "×"}}, "="},
                   {.colours_of = "query", .lights = "output", .is_of_features = true}),
        made_stage(
            "queried_keys", "Keys with the global query",
            {"the global query times each key, feature by feature", {{"global_query"}, keys_of("key", "∘")}},
            {.lights = "global_key", .is_of_keys = true}),
        made_stage("key_shares", "Shares in the global key",
                   {"softmax over the tokens", {keys_of("queried_keys")}, "× w_k ÷ √d,\nsoftmax\n→"},
                   {.lights = "weights", .is_of_features = true, .is_share = true}),
        made_stage("global_key", "Global key",
                   {"the mean of the keys with the global query, by their shares",
                    {{"key_shares"}, keys_of("queried_keys", "×")},
                    "="},
                   {.lights = "output", .is_of_features = true}),
        declared_weights_of_all("key_shares", "the global key"),
        made_stage(
            "keyed_values", "Values with the global key",
            {"the global key times each value, feature by feature", {{"global_key"}, keys_of("value", "∘")}},
            {.colours_of = "value", .lights = "output", .is_of_keys = true}),
        declared_own_context_stage({"", {{"keyed_values"}, {"query", "and"}}, "× W,\n+ query\n→"})};
    component.define = define_fastformer;
    return component;
}

}  // namespace headlight
