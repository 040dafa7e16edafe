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
    const Expression mixed =
        composer.let("transformed_values", product(join_heads(values), composer.parameter("W_values")),
                     "all heads together");
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
        {"w_query", "[h d]: asks each query for its share in the global query (fastformer)"},
        {"w_key", "[h d]: asks each key for its share in the global key (fastformer)"},
        {"W_values", "[h d, h d]: changes the values after the global key has met them (fastformer)"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.heads * plan.head_query_width();
        list.add("w_query", {width}, "asks each query for its share in the global query");
        list.add("w_key", {width}, "asks each key for its share in the global key");
        list.add("W_values", {plan.context_width(), width},
                 "changes the values after the global key has met them");
    };
    component.check = [](const Plan& plan) { check_global_vectors(plan, "fastformer"); };
    component.needs_one_end = true;
    component.changes_context = [](const AttentionSpec&) { return true; };
    component.declared_stages = {
        {.name = "query_shares",
         .title = "Shares in the global query",
         .subtitle = "softmax over the tokens",
         .operands = {{"query"}},
         .operation = "× w_q ÷ √d,\nsoftmax\n→",
         .lights = "global_query",
         .is_of_features = true,
         .is_share = true},
        {.name = "global_query",
         .title = "Global query",
         .subtitle = "the mean of the queries by their shares",
         .operands = {{"query_shares"}, {"query", "×"}},
         .operation = "=",
         .colours_of = "query",
         .lights = "output",
         .is_of_features = true},
        {.name = "queried_keys",
         .title = "Keys with the global query",
         .subtitle = "the global query times each key, feature by feature",
         .operands = {{"global_query"}, {.stage = "key", .operator_before = "∘", .as_keys = true}},
         .operation = "→",
         .lights = "global_key",
         .is_of_keys = true},
        {.name = "key_shares",
         .title = "Shares in the global key",
         .subtitle = "softmax over the tokens",
         .operands = {{.stage = "queried_keys", .as_keys = true}},
         .operation = "× w_k ÷ √d,\nsoftmax\n→",
         .lights = "weights",
         .is_of_features = true,
         .is_share = true},
        {.name = "global_key",
         .title = "Global key",
         .subtitle = "the mean of the keys with the global query, by their shares",
         .operands = {{"key_shares"}, {.stage = "queried_keys", .operator_before = "×", .as_keys = true}},
         .operation = "=",
         .lights = "output",
         .is_of_features = true},
        declared_weights_of_all("key_shares", "the global key"),
        {.name = "keyed_values",
         .title = "Values with the global key",
         .subtitle = "the global key times each value, feature by feature",
         .operands = {{"global_key"}, {.stage = "value", .operator_before = "∘", .as_keys = true}},
         .operation = "→",
         .colours_of = "value",
         .lights = "output",
         .is_of_keys = true},
        declared_own_context_stage(
            {.operands = {{"keyed_values"}, {"query", "and"}}, .operation = "× W,\n+ query\n→"})};
    component.define = define_fastformer;
    return component;
}

}  // namespace headlight
