#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <cmath>

namespace headlight {
namespace {

Index parameter_tokens_of(const Plan& plan) { return plan.algorithm().count("tokens"); }

/// What tokens `x` [n, d] take of so many parameter tokens K and V of their own: Θ(x Kᵀ) V, for all heads
/// (Wang et al. 2025, equations 3 and 4).
Expression attend_to_parameters(Composer& composer, const std::string& side, const Expression& x) {
    const double root = std::sqrt(static_cast<double>(parameter_tokens_of(composer.plan)));
    const std::string name = side + "_parameter_weights";
    const Expression scores =
        composer.let(side + "_parameter_scores", product_transposed(x, composer.parameter("K_of_" + side)),
                     "each token and each parameter token");
    const bool is_normed_first = composer.plan.algorithm().word("order") == "norm_first";
    const Expression weights = composer.let(
        name,
        is_normed_first
            ? exact_gelu_of(root * direction_of(composer, side, scores))
            : root * direction_of(composer, side,
                                  composer.let(side + "_gelu", exact_gelu_of(scores), "GELU of each score")),
        "in place of a softmax: rows are brought to one length");
    return composer.let(side + "_vectors", composer.projected_by_heads(weights, "V_of_" + side),
                        "what the parameter tokens hold for it");
}

Expression define_token_parameters(Composer& composer) {
    const Expression query = attend_to_parameters(composer, "queries", join_heads(composer.query));
    const Expression key = attend_to_parameters(composer, "keys", composer.key_tokens);
    const Expression value = attend_to_parameters(composer, "values", value_tokens_of(composer));
    Expression scores = composer.let("scores", scaled_products(composer, query, key), "q · k / √d");
    if (composer.mask_excludes())
        scores =
            composer.let("masked_scores", composer.open_or_forbidden(scores), "of the pairs that may meet");
    const Expression weights = normalized_of(composer, "weights", scores);
    return composer.let("context", product(weights, value), "the values that each query gets");
}

std::vector<DeclaredStage> declared_stages_of_side(const std::string& side, const std::string& said,
                                                   const std::string& title, bool is_of_keys) {
    return {made_stage(side + "_parameter_weights", title + " by parameter tokens",
                       {"what each token takes of the parameter tokens for its " + said, token_operands(),
                        "× K_of_" + side + "ᵀ,\nlength √s, GELU\n→"},
                       {.lights = side + "_vectors",
                        .is_of_keys = is_of_keys,
                        .has_features = true,
                        .column = "parameter token"}),
            made_stage(side + "_vectors", title + " from parameter tokens",
                       {"parameter tokens’ values in the place of x W",
                        {{side + "_parameter_weights"}},
                        "× V_of_" + side + "\n→"},
                       {.colours_of = said, .lights = "scores", .is_of_keys = is_of_keys})};
}

}  // namespace

AlgorithmComponent declare_algorithms_token_parameters() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(Q Kᵀ / √d) V with Q, K, V = Θ(X K_Pᵀ) V_P in the place of X W: tokens attend to learned "
        "parameter tokens, Θ(s) = GELU(√s_n s / |s|) (TokenFormer, Wang et al. 2025)";
    component.options = {
        count_option(
            "tokens", "Parameter tokens", 8, logarithmic_range(1, 4096),
            "How many learned pairs of a key and a value each projection has in its matrix’s place."),
        word_option("order", "Order", {"norm_first", "gelu_first"},
                    "Whether a row of scores is brought to one length before GELU, as the paper writes it, "
                    "or GELU comes first, as the authors’ code also has it.")};
    component.known_parameters = {
        {"K_of_queries", "[tokens, h d_k]",
         "keys of the parameter tokens that make queries, of x or of x W_q"},
        {"V_of_queries", "[tokens, h d_k]", "is what queries are made of"},
        {"K_of_keys", "[tokens, d_k]", "keys of the parameter tokens that make keys"},
        {"V_of_keys", "[tokens, h d_k]", "is what keys are made of"},
        {"K_of_values", "[tokens, d_v]", "keys of the parameter tokens that make values"},
        {"V_of_values", "[tokens, h d_v]", "is what values are made of"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index tokens = parameter_tokens_of(plan), width = plan.query_width;
        list.add("K_of_queries", {tokens, width});
        list.add("V_of_queries", {tokens, width});
        list.add("K_of_keys", {tokens, plan.tokens.key_width});
        list.add("V_of_keys", {tokens, width});
        list.add("K_of_values", {tokens, plan.tokens.value_width});
        list.add("V_of_values", {tokens, plan.value_width});
    };
    component.check = [](const Plan& plan) {
        const std::string what = "token_parameters algorithm";
        refuse_shared_heads(plan, what, "each head has its columns of the parameter tokens’ values");
        refuse_turned_vectors(plan, what, "queries and keys come from parameter tokens");
    };
    component.takes_any_mask = true;
    component.takes_normalizer = true;
    component.makes_keys_and_values = true;
    component.declared_stages = declared_stages_of_side("queries", "query", "Queries", false);
    append(component.declared_stages, declared_stages_of_side("keys", "key", "Keys", true));
    append(component.declared_stages, declared_stages_of_side("values", "value", "Values", true));
    append(component.declared_stages,
           {declared_scores_stage(
                {"q · k / √d", {{"queries_vectors"}, times_keys_of("keys_vectors")}, "÷ √d\n→"}),
            declared_weights_stage(), declared_context_stage("values_vectors")});
    component.define = define_token_parameters;
    return component;
}

}  // namespace headlight
