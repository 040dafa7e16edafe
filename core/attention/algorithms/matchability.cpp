#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

/// How likely each token has a partner at all, whoever that is: [h, tokens, 1].
Expression write_matchability(Composer& composer, const std::string& name, const Expression& tokens) {
    return composer.let(name,
                        sigmoid_of(composer.projected_by_heads(tokens, "W_matchability", "b_matchability")),
                        "how likely each token has a partner at all");
}

/// σ_i σ_j times what the normaliser gives of each pair (Lindenberger et al. 2023).
Expression define_matchability(Composer& composer) {
    const Expression scores = scores_of_kept_keys(composer, write_scaled_products(composer));
    const bool leaves_out_pairs = scores->operation != Operation::tensor;
    const Expression shares = normalized_of(
        composer, "pair_shares",
        leaves_out_pairs ? composer.let("masked_scores", scores, "of pairs that may meet") : scores);
    const Expression of_queries = write_matchability(composer, "query_matchability", composer.query_tokens),
                     of_keys = of_seen_keys(
                         composer, write_matchability(composer, "key_matchability", composer.key_tokens));
    return write_attended_values(composer, composer.let("weights", of_queries * transposed(of_keys) * shares,
                                                        "shares of pairs of which both have a partner"));
}

void check_matchability(const Plan& plan) {
    const Index of_queries = plan.tokens.query_width, of_keys = plan.tokens.key_width;
    if (of_queries != of_keys)
        throw Error({"matchability algorithm", "key",
                     "tokens of as many numbers as those that ask, " + std::to_string(of_queries) +
                         ": one matrix says of both how likely they have a partner",
                     std::to_string(of_keys)});
}

DeclaredStage declared_matchability(const std::string& name, const std::string& title,
                                    const StageOperand& tokens) {
    return made_stage(name, title,
                      {"σ(x W + b): how likely each has a partner at all", {tokens}, "× W, + b,\nsigmoid\n→"},
                      {.lights = "weights", .is_share = true});
}

}  // namespace

AlgorithmComponent declare_algorithms_matchability() {
    AlgorithmComponent component;
    component.meaning =
        "σ(x_i W + b) σ(y_j W + b) A_ij in the place of A_ij: a pair counts as far as both have a partner at "
        "all, whoever it is (Lindenberger et al. 2023, LightGlue)";
    component.known_parameters = {
        {"W_matchability", "[d, h]", "makes of a token vector how likely it has a partner, for each head"},
        {"b_matchability", "[h]", "is added to that"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add_with_bias("W_matchability", {plan.tokens.query_width, plan.heads});
    };
    component.takes_any_mask = true;
    component.takes_normalizer = true;
    component.takes_selection = true;
    component.check = check_matchability;
    component.declared_stages = {
        declared_scores_stage(),
        declared_softmax_stage("scores", "pair_shares", "Shares of pairs", "as if each had a partner",
                               {.colours_of = "weights",
                                .lights = "weights",
                                .role = StageRole::weights,
                                .leaves_out_masked = true}),
        declared_matchability("query_matchability", "Matchability of the queries", {"tokens"}),
        declared_matchability("key_matchability", "Matchability of the keys", keys_of("key_tokens")),
        declared_weights_stage({"shares of pairs of which both have a partner",
                                {{"pair_shares"}, {"query_matchability", "and"}, {"key_matchability", "and"}},
                                "× both\n→"})};
    component.declared_stages[3].is_of_keys = true;
    component.define = define_matchability;
    return component;
}

}  // namespace headlight
