#include "core/attention/algorithms/faded_columns.h"
#include "core/attention/component.h"

#include <algorithm>

namespace headlight {
namespace {

Index slots_of_memory(const Plan& plan) { return plan.algorithm().count("slots"); }

bool routes_tokens(const Plan& plan) { return plan.algorithm().word("writing") == "routed"; }

/// How much of each token each slot gets, [h, m, s]: shares of the slots for which the router has the largest
/// numbers, 0 for the others.
Expression write_slot_routes(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression numbers = composer.let("route_numbers", numbers_of_tokens(composer, "route"),
                                            "what the router makes of each token");
    const Index active = std::min(plan.algorithm().count("active"), slots_of_memory(plan));
    // Sigmoids over their sum are the softmax of their logarithms, which none is too small for.
    return softmax_of(composer, "slot_routes",
                      choose(is_above(static_cast<double>(active), rank_of(numbers)), log_sigmoid_of(numbers),
                             minus_infinity()));
}

/// How many of the newest keys stand beside the slots, in one softmax with them.
Index window_beside_slots(const Plan& plan) { return plan.algorithm().count("window"); }

FadedColumns write_slots(Composer& composer) {
    const Index delay = composer.plan.algorithm().flag("overlap") ? 0 : window_beside_slots(composer.plan);
    const Expression raw = numbers_of_tokens(composer, "slots");
    const Options& options = composer.plan.algorithm();
    if (options.word("writing") == "shares")
        return write_column_shares(
            composer, composer.let("slot_numbers", raw, "how much each token would be in each slot"), delay);
    const Expression logs = log_sigmoid_of(raw) / options.number("temperature");
    const Expression log_gates = composer.let(
        "slot_log_gates", routes_tokens(composer.plan) ? write_slot_routes(composer) * logs : logs,
        "ln of what each slot keeps");
    const Expression gates = composer.let("gates", exp_of(log_gates), "what each slot keeps");
    return write_gated_columns(
        composer, log_gates, composer.let("slot_writes", 1 - gates, "what it takes of the new token"), delay);
}

/// The softmax over slots and newest keys together (Du et al. 2026): its part of the slots and, as
/// `window_shares`, of the keys.
Expression write_weights_beside_keys(Composer& composer, const Expression& of_slots,
                                     const Expression& scores) {
    const Plan& plan = composer.plan;
    const Expression is_new =
        composer.truth("is_new", {0, plan.queries, plan.keys}, "the newest keys that a query sees",
                       [window = window_beside_slots(plan), &plan](Index query, Index key) {
                           return key < plan.allowed.end(query) && key + window >= plan.allowed.end(query);
                       });
    const Expression of_both = softmax_of(composer, "shares_of_both",
                                          join_columns({of_slots, choose(is_new, scores, minus_infinity())}));
    const Index slots = slots_of_memory(plan);
    const Expression weights =
        composer.let("slot_weights", some_columns(of_both, counted(0, slots)), "of the slots");
    composer.let("window_shares", some_columns(of_both, counted(slots, plan.keys)), "of the newest keys");
    return weights;
}

/// Neither the keys of the slots nor their values are formed: a slot's score is the sum of its writes times
/// the scores of what was written, and the map is what the softmax over the slots gets of each write.
Expression define_gated_slots(Composer& composer) {
    const Expression scores = write_scaled_products(composer);
    const FadedColumns slots = write_slots(composer);
    const Expression found = composer.let("slot_scores", sums_over_keys(composer, scores, slots),
                                          "q · k̃ / √d of each slot’s key k̃");
    const bool has_window = window_beside_slots(composer.plan) > 0;
    const Expression weights = has_window ? write_weights_beside_keys(composer, found, scores)
                                          : softmax_of(composer, "slot_weights", found);
    const Expression of_slots = sums_over_columns(composer, weights, slots);
    return write_attended_values(
        composer,
        composer.let("weights", has_window ? of_slots + composer.program.tensor("window_shares") : of_slots,
                     "what each query gets of each key, by all slots"));
}

}  // namespace

AlgorithmComponent declare_algorithms_gated_slots() {
    AlgorithmComponent component;
    component.meaning =
        "K̃ ← diag(α) K̃ + (1 − α) k, Ṽ ← diag(α) Ṽ + (1 − α) v, o = softmax(q K̃ᵀ / √d) Ṽ, α = σ(y W_slots + "
        "b_slots)^(1/τ): softmax attention to a few slots, each a fading mean of what was written to it "
        "(Zhang et al. 2024); with shares exp(s) / Σ exp(s) of the numbers s = y W_slots + b_slots so far in "
        "the place of gates, ABC (Peng et al. 2022); with α^m in the place of α, m the shares of the slots "
        "that a router chooses for the token, else 0, Raven; with a window, one softmax over the slots and "
        "the newest keys (native hybrid attention, Du et al. 2026)";
    component.options = {
        count_option("slots", "Slots", 8, logarithmic_range(1, 64),
                     "How many keys and values each head keeps, however long the text is."),
        word_option("writing", "Writing", {"gates", "shares", "routed"},
                    "Whether a slot keeps α of what it holds and takes 1 − α of the new token, or each token "
                    "has a share in it, by a softmax over the tokens so far; routed: as with gates, but only "
                    "a few slots take the token, the others keep all."),
        count_option(
            "active", "Slots that take a token", 2, {1, 64},
            "How many slots the router chooses for a token, of all at most. Only where tokens are routed."),
        number_option("temperature", "Gate temperature τ", 8.0, logarithmic_range(0.1, 1000),
                      "The root that is taken of every gate: the larger, the nearer to 1. Shares have none."),
        count_option("window", "Newest keys", 0, logarithmic_range(0, 65536),
                     "How many of the newest keys stand beside the slots, in one softmax with them.", "none"),
        flag_option("overlap", "Slots have them too", false,
                    "Whether the slots hold the newest keys as well; otherwise a token is written to them "
                    "when it leaves the window. Only with a window.")};
    component.known_parameters = {
        {"W_slots", "[d, h s]", "projects the keys’ token vectors to a number for each slot of each head"},
        {"b_slots", "[h s]", "is added to the numbers of the slots"},
        {"W_route", "[d, h s]", "asks the keys’ token vectors for the slots that take them"},
        {"b_route", "[h s]", "is added to what the router says"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.heads * slots_of_memory(plan);
        list.add_with_bias("W_slots", {plan.tokens.key_width, width});
        if (!routes_tokens(plan))
            return;
        list.add_with_bias("W_route", {plan.tokens.key_width, width});
    };
    component.declared_stages = {
        declared_scores_stage({"q · k / √d", {{"query"}, times_keys_of("key")}, "÷ √d\n→"},
                              {.lights = "slot_scores"}),
        made_stage("slot_routes", "Routes to the slots",
                   {"how much of each token each slot gets", token_operands(),
                    "× W_route,\nthe largest,\nσ over sum\n→"},
                   {.lights = "gates",
                    .is_of_keys = true,
                    .has_features = true,
                    .column = "slot",
                    .is_share = true}),
        made_stage("gates", "Gates",
                   {"what each slot keeps when this token is written",
                    {{"tokens"}, optional_stage("position", "+"), optional_stage("slot_routes", "and")},
                    "× W_slots,\nsigmoid,\nroot\n→"},
                   {.is_of_keys = true, .has_features = true, .column = "slot", .is_share = true}),
        made_stage("slot_writes", "Writes to the slots",
                   {"what each slot takes of the new token", {{"gates"}}, "1 −\n→"},
                   {.lights = "gates",
                    .is_of_keys = true,
                    .has_features = true,
                    .column = "slot",
                    .is_share = true}),
        made_stage("slot_numbers", "Numbers of the slots",
                   {"ln of the share that each token has in each slot, but for a sum", token_operands(),
                    "× W_slots\n→"},
                   {.lights = "weights", .is_of_keys = true, .has_features = true, .column = "slot"}),
        made_stage("slot_scores", "Scores of the slots",
                   {"the scores of what each slot holds, added up",
                    {{"scores"}, optional_stage("gates", "and"), optional_stage("slot_numbers", "and")},
                    "added up\nin slots\n→"},
                   {.lights = "slot_weights", .has_features = true, .column = "slot"}),
        made_stage("slot_weights", "Weights of the slots",
                   {"what each query takes from each slot", {{"slot_scores"}}, "softmax\n→"},
                   {.lights = "weights", .has_features = true, .column = "slot", .is_share = true}),
        declared_shares_stage("window_shares", "Weights of the newest keys",
                              {"softmax over them and the slots",
                               {{"scores"}, {"slot_scores", "and"}},
                               "newest keys\nand slots,\nsoftmax\n→"}),
        declared_weights_stage({"what each query gets of each key, by all slots",
                                {{"slot_weights"},
                                 optional_stage("window_shares", "and"),
                                 optional_stage("gates", "and"),
                                 optional_stage("slot_numbers", "and")},
                                "what slots\nhold\n→"},
                               {.is_share = true}),
    };
    component.define = define_gated_slots;
    return component;
}

}  // namespace headlight
