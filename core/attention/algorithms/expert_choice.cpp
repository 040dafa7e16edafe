#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

/// Each head chooses the tokens that fit it best, which look at one another alone, and what a token gets is
/// multiplied by how well it fits (Piękos et al. 2025).
Expression define_expert_choice(Composer& composer) {
    const Plan& plan = composer.plan;
    const Options& options = composer.plan.algorithm();
    const Expression numbers = composer.let(
        "choice_numbers",
        split_rows(transposed(composer.projected(composer.query_tokens, "W_choice")), composer.heads),
        "how well each token fits each head");
    // Tokens that no query sees are padding.
    const Index real = plan.queries > 0 ? plan.allowed.end(plan.queries - 1) : 0;
    Expression order = numbers;
    if (options.flag("first"))
        order = choose(composer.truth("is_first", {0, 1, plan.keys}, "the first token",
                                      [](Index, Index token) { return token == 0; }),
                       maximum_of_columns(numbers) + 1, order);
    if (real < plan.keys)
        order = choose(composer.truth("is_real", {0, 1, plan.keys}, "tokens that are no padding",
                                      [real](Index, Index token) { return token < real; }),
                       order, minus_infinity());
    const Expression chosen =
        composer.let("chosen",
                     as_number(both_of(is_above(static_cast<double>(options.count("chosen")), rank_of(order)),
                                       is_above(order, minus_infinity()))),
                     "1 for the tokens that the head chooses");
    const Expression scores = write_scaled_products(composer);
    const Expression shares =
        softmax_of_open(composer, "chosen_weights",
                        choose(is_above(transposed(chosen) * chosen, 0), scores, minus_infinity()));
    const Expression gates =
        composer.let("choice_gates", transposed(sigmoid_of(numbers)), "what its output is multiplied by");
    return write_attended_values(composer, composer.let("weights", gates * shares, "σ(r) of each row"));
}

}  // namespace

AlgorithmComponent declare_algorithms_expert_choice() {
    AlgorithmComponent component;
    component.meaning = "σ(r_i) softmax(q · k / √d) V among the k tokens of the text with the largest r = x "
                        "w_h, for each head "
                        "others; rows of all other tokens are 0 (MoSA, Piękos et al. 2025)";
    component.options = {
        count_option("chosen", "Tokens chosen k", 4, token_counts,
                     "How many tokens of the text each head chooses."),
        flag_option("first", "First token", false,
                    "Whether every head chooses the first token, whatever it is, as one of them.")};
    component.known_parameters = {{"W_choice", "[d_q, h]", "says how well a token fits each head"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_choice", {plan.tokens.query_width, plan.heads});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "expert_choice", "a token that is chosen both looks and is looked at");
    };
    component.declared_stages = {
        declared_scores_stage(),
        made_stage("chosen", "Tokens that each head chooses",
                   {"1 for those with the largest r = x w_h", token_operands(), "× W_choice,\nk largest\n→"},
                   {.lights = "chosen_weights", .is_of_features = true, .column = "token", .is_share = true}),
        declared_shares_stage("chosen_weights", "Softmax of the chosen",
                              {"among the tokens that are chosen",
                               {{"scores"}, {"chosen", "and"}},
                               "chosen pairs,\nsoftmax\n→"}),
        declared_weights_stage({"times σ(r) of the row", {{"chosen_weights"}}, "× σ(r)\n→"},
                               {.is_share = true})};
    component.define = define_expert_choice;
    return component;
}

}  // namespace headlight
