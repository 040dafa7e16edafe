#include "core/attention/algorithms/softmax_heads.h"

#include <algorithm>

namespace headlight {
namespace {

/// How many heads every token has, how many it chooses among, and how many of these it gets.
struct ChosenHeads {
    Index shared, routed, active;
};

ChosenHeads chosen_heads(const Plan& plan) {
    const Options& options = plan.algorithm();
    const Index shared = std::min(options.count("shared"), plan.heads - 1);
    const Index routed = plan.heads - shared;
    return {shared, routed, std::min(options.count("active"), routed)};
}

bool counts_gates(const Plan& plan) { return plan.algorithm().flag("renormalized"); }

Expression gate_scores(Composer& composer, const std::string& name, const std::string& matrix) {
    return composer.let(name + "_scores", composer.projected(composer.query_tokens, matrix),
                        "what the router makes of each token");
}

Expression gate_shares(Composer& composer, const std::string& name, const std::string& matrix) {
    return softmax_of(composer, name, gate_scores(composer, name, matrix));
}

/// The gates of the heads that a token may choose, [n, routed]: 0 for those that it does not.
Expression write_routed_gates(Composer& composer, const ChosenHeads& heads) {
    // By the order of the scores: shares of small ones are equal.
    const Expression scores = gate_scores(composer, "routed_shares", "W_routed");
    const Expression shares = softmax_of(composer, "routed_shares", scores);
    const Expression kept = composer.let(
        "chosen_shares", choose(is_above(static_cast<double>(heads.active), rank_of(scores)), shares, 0),
        "of the largest ones");
    if (!counts_gates(composer.plan))
        return kept;
    return composer.let("routed_gates", kept / sum_of_columns(kept) * static_cast<double>(heads.active),
                        "1 each where all are equal");
}

/// The gates of all heads, [n, h]: first those that every token has.
Expression write_gates(Composer& composer) {
    const ChosenHeads heads = chosen_heads(composer.plan);
    const Expression routed = write_routed_gates(composer, heads);
    if (heads.shared == 0)
        return routed;
    Expression shared = gate_shares(composer, "shared_shares", "W_shared"),
               kinds = gate_shares(composer, "kind_shares", "W_kinds");
    if (counts_gates(composer.plan)) {
        shared = shared * static_cast<double>(heads.shared);
        kinds = composer.let("kind_gates", 2 * kinds, "1 each where both are equal");
    }
    return composer.let("gates",
                        join_columns({some_columns(kinds, {0}) * shared, some_columns(kinds, {1}) * routed}),
                        "of the heads that every token has, then of those that it chooses");
}

Expression define_head_mixture(Composer& composer) {
    const Expression gates = composer.let("head_gates", split_heads(write_gates(composer), composer.heads),
                                          "what each token lets through of each head");
    return composer.let("context", gates * write_attended_by_softmax(composer),
                        "what each head found, times its gate");
}

}  // namespace

AlgorithmComponent declare_algorithms_head_mixture() {
    AlgorithmComponent component;
    component.meaning =
        "o = Σ gₕ(x) Oₕ Wₕ, g the softmax of x W_r where it is among the largest, else 0: each token chooses "
        "the heads that it gets, beside some that all have (Jin et al. 2024, MoH)";
    component.options = {
        count_option("active", "Chosen heads", 2, {1, 64},
                     "How many heads each token chooses, at most all that it may choose among."),
        count_option("shared", "Shared heads", 1, {0, 63},
                     "How many heads every token has, the first ones; at most all but one."),
        flag_option("renormalized", "Gates around 1", false,
                    "As in the authors’ code: the gates of the chosen heads are divided by their sum, and "
                    "each kind is multiplied by how many there are, so that equal ones are 1.")};
    component.known_parameters = {
        {"W_routed", "[d_q, h − shared]", "asks a token vector for the heads that it chooses"},
        {"W_shared", "[d_q, shared]", "asks a token vector for its gates of the shared heads"},
        {"W_kinds", "[d_q, 2]", "weighs the shared heads against the chosen ones"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const ChosenHeads heads = chosen_heads(plan);
        const Index tokens = plan.tokens.query_width;
        list.add("W_routed", {tokens, heads.routed});
        if (heads.shared == 0)
            return;
        list.add("W_shared", {tokens, heads.shared});
        list.add("W_kinds", {tokens, 2});
    };
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("head_gates", "Gates of the heads",
                   {"what each token lets through of each head", token_operands(), "router\n→"},
                   {.lights = "context"}),
        declared_scores_stage(), declared_weights_stage(), declared_attended_stage(),
        declared_changed_context("what each head found, times its gate", {"head_gates", "∘"}, "→")};
    component.define = define_head_mixture;
    return component;
}

}  // namespace headlight
