#include "core/attention/algorithms/softmax_heads.h"

namespace headlight {
namespace {

bool has_fixed_factors(const Plan& plan) { return plan.algorithm().word("factors") == "fixed"; }
bool mixes_queries(const Plan& plan) { return plan.algorithm().flag("factored_queries"); }

/// How much of each of R vectors goes to each head, [h, tokens, R], or [h, 1, R] where all tokens have the
/// same.
Expression write_factors(Composer& composer, const std::string& of, const std::string& letter,
                         const Expression& tokens) {
    const std::string name = of + "_factors", note = "how much of each vector goes to the head";
    if (has_fixed_factors(composer.plan))
        return composer.let("fixed_" + name, composer.matrices_of_heads("A_" + letter), note);
    return composer.let(name, composer.projected_by_heads(tokens, "W_factors_" + letter), note);
}

/// Σ a_r b_r / R: the vectors of all heads from those of R heads, of which head `step` r holds vector r.
Expression write_mixed_vectors(Composer& composer, const std::string& of, const Expression& factors,
                               const Expression& vectors, Index step) {
    const Index rank = factors.extent().columns;
    const auto term = [&](Index r) { return some_columns(factors, {r}) * take_heads(vectors, {r * step}); };
    Expression sum = term(0);
    for (Index r = 1; r < rank; ++r)
        sum = sum + term(r);
    return composer.let("mixed_" + of, rank > 1 ? sum / static_cast<double>(rank) : sum,
                        "each vector times its factor");
}

Expression define_tensor_product(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index step = plan.heads / plan.kv_heads;
    if (mixes_queries(plan))
        composer.query = write_mixed_vectors(composer, "query",
                                             write_factors(composer, "query", "q", composer.query_tokens),
                                             composer.query, 1);
    composer.key = write_mixed_vectors(
        composer, "key", write_factors(composer, "key", "k", composer.key_tokens), composer.key, step);
    composer.value = write_mixed_vectors(
        composer, "value", write_factors(composer, "value", "v", composer.key_tokens), composer.value, step);
    return write_attended_values(composer, write_softmax_of_products(composer));
}

DeclaredStage declared_factors(const std::string& of, const std::string& title, const std::string& letter,
                               bool is_of_keys) {
    return made_stage(
        of + "_factors", title,
        {"how much of each vector goes to the head", token_operands(), "× W_factors_" + letter + "\n→"},
        {.lights = "mixed_" + of, .is_of_keys = is_of_keys, .has_features = true});
}

DeclaredStage declared_mixed(const std::string& of, const std::string& title, bool is_of_keys) {
    return made_stage(
        "mixed_" + of, title,
        {"the mean of the vectors times their factors",
         {{.stage = of, .as_keys = is_of_keys},
          {.stage = of + "_factors", .operator_before = "and", .as_keys = is_of_keys, .is_optional = true}},
         "Σ a b ÷ R\n→"},
        {.colours_of = of, .is_of_keys = is_of_keys, .has_features = true});
}

}  // namespace

AlgorithmComponent declare_algorithms_tensor_product() {
    AlgorithmComponent component;
    component.meaning =
        "kᵢ = Σᵣ aᵣᵢ(x) bᵣ(x) / R, queries and values alike: the vectors of all heads of a token are a sum "
        "of R products of a number for each head and a vector that they share (Zhang et al. 2025, TPA)";
    component.options = {
        word_option("factors", "Factors", {"contextual", "fixed"},
                    "Whether the numbers of the heads follow from each token, or are learned and the same "
                    "for all tokens."),
        flag_option("factored_queries", "Factored queries", true,
                    "Queries are sums of products too, of as many vectors as there are heads; otherwise each "
                    "head has its own, and only what a cache keeps is factored.")};
    component.known_parameters = {
        {"W_factors_q", "[d_q, h h]", "makes what each head takes of each query vector"},
        {"W_factors_k", "[d_k, h h_kv]", "makes what each head takes of each key vector"},
        {"W_factors_v", "[d_k, h h_kv]", "makes what each head takes of each value vector"},
        {"A_q", "[h, h]", "what each head takes of each query vector, for all tokens"},
        {"A_k", "[h, h_kv]", "what each head takes of each key vector, for all tokens"},
        {"A_v", "[h, h_kv]", "what each head takes of each value vector, for all tokens"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const auto add = [&](const std::string& letter, Index tokens, Index rank) {
            if (has_fixed_factors(plan))
                list.add("A_" + letter, {plan.heads, rank});
            else
                list.add("W_factors_" + letter, {tokens, plan.heads * rank});
        };
        if (mixes_queries(plan))
            add("q", plan.tokens.query_width, plan.heads);
        add("k", plan.tokens.key_width, plan.kv_heads);
        add("v", plan.tokens.key_width, plan.kv_heads);
    };
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        declared_factors("query", "Factors of queries", "q", false),
        declared_mixed("query", "Mixed queries", false),
        declared_factors("key", "Factors of keys", "k", true),
        declared_mixed("key", "Mixed keys", true),
        declared_factors("value", "Factors of values", "v", true),
        declared_mixed("value", "Mixed values", true),
        declared_scores_stage(
            {"q · k / √d of the mixed vectors",
             {{"query"}, optional_stage("query_factors", "and"), keys_of("mixed_key", "and")},
             "q · k\n÷ √d\n→"}),
        declared_weights_stage(),
        declared_context_stage("mixed_value", "the sum of each weight times its mixed value")};
    component.define = define_tensor_product;
    return component;
}

}  // namespace headlight
