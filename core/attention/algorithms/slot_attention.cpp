#include "core/attention/algorithms/gated_image.h"
#include "core/attention/algorithms/pooled_rows.h"
#include "core/attention/defined_rows.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

Index slot_rounds(const Plan& plan) { return plan.algorithm().count("rounds"); }
bool has_slot_part(const AttentionSpec& spec, const char* name) { return spec.algorithm.options.flag(name); }

/// The gated recurrent unit of Cho et al. 2014 as torch has it, of what was found and of what the slots were.
Expression write_slot_cell(Composer& composer, const Expression& found, const Expression& slots,
                           const std::string& suffix) {
    const Index width = slots.extent().columns;
    const Expression input = composer.let("cell_input" + suffix,
                                          composer.projected(found, "W_cell", "b_cell"), "of what was found");
    const Expression state =
        composer.let("cell_state" + suffix, composer.projected(slots, "U_cell", "c_cell"), "of the slots");
    const auto part = [&](const Expression& of, Index number) {
        return some_columns(of, counted(number * width, width));
    };
    const Expression reset = composer.let("reset_gate" + suffix, sigmoid_of(part(input, 0) + part(state, 0)),
                                          "how much of the slot counts for what is new");
    const Expression keep = composer.let("update_gate" + suffix, sigmoid_of(part(input, 1) + part(state, 1)),
                                         "how much of the slot stays");
    const Expression candidate = composer.let(
        "candidate" + suffix, tanh_of(part(input, 2) + reset * part(state, 2)), "what it may become");
    return composer.let("gated_slots" + suffix, (1 - keep) * candidate + keep * slots, "what it becomes");
}

/// Slots, the queries' tokens, compete for keys, change by what they find, and ask again (Locatello et al.
/// 2020, algorithm 1).
Expression define_slot_attention(Composer& composer) {
    const AttentionSpec& spec = composer.plan.spec;
    const Index rounds = slot_rounds(composer.plan);
    Expression slots = composer.query_tokens;
    std::vector<Expression> all_weights;
    for (Index round = 1; round <= rounds; ++round) {
        const bool is_last = round == rounds;
        const std::string number = numbered("_", round), suffix = is_last ? "" : number;
        Expression queries = composer.query;
        if (round > 1 || has_slot_part(spec, "norm")) {
            const Expression asking = has_slot_part(spec, "norm")
                                          ? layer_normalized(composer, "normalized_slots" + number, slots)
                                          : slots;
            queries = composer.let("slot_queries" + number, queries_of_rows(composer, asking),
                                   "what the slots ask");
        }
        const Expression scores =
            composer.let("scores" + suffix, scaled_products(composer, queries, composer.key), "q · k / √d");
        DefinedRows rows(composer, composer.open_or_forbidden(scores), number);
        const Expression weights =
            composer.let("weights" + suffix, component_of(NormalizerType::slot)->define(rows),
                         "softmax of each column, rows ÷ sums");
        all_weights.push_back(weights);
        const Expression found =
            composer.let("attended" + suffix, product(weights, composer.value), "what each slot has found");
        slots = has_slot_part(spec, "cell") ? write_slot_cell(composer, join_heads(found), slots, number)
                                            : join_heads(found);
        if (has_slot_part(spec, "layer")) {
            const Expression hidden = composer.let(
                "slot_hidden" + number,
                relu_of(composer.projected(layer_normalized(composer, "layer_input" + number, slots),
                                           "W_slot_hidden", "b_slot_hidden")),
                "a layer of each slot");
            slots = composer.let("layered_slots" + number,
                                 slots + composer.projected(hidden, "W_slot", "b_slot"), "beside the slot");
        }
    }
    if (rounds > 1)
        composer.let("round_weights", join_columns(all_weights), "of all rounds, side by side");
    return composer.let("context", split_heads(slots, composer.heads), "the slots after the last round");
}

void add_slot_parameters(const Plan& plan, ParameterList& list) {
    const Index width = plan.tokens.query_width, found = plan.context_width();
    if (has_slot_part(plan.spec, "cell")) {
        list.add_with_bias("W_cell", {found, 3 * width});
        list.add("U_cell", {width, 3 * width});
        list.add("c_cell", {3 * width}, 0.0);
    }
    if (has_slot_part(plan.spec, "layer")) {
        list.add_with_bias("W_slot_hidden", {width, 2 * width});
        list.add_with_bias("W_slot", {2 * width, width});
    }
}

}  // namespace

AlgorithmComponent declare_algorithms_slot_attention() {
    AlgorithmComponent component;
    component.meaning = "slots ← GRU(softmax over the slots, rows ÷ sums, times V; slots), several times: "
                        "queries compete for "
                        "keys, change by what they find, and ask again (Locatello et al. 2020)";
    component.options = {
        count_option("rounds", "Rounds", 3, {1, 20}, "How often the slots ask and change."),
        flag_option("cell", "Recurrent cell", true,
                    "A gated recurrent unit makes the new slot of what was found and of the old one; without "
                    "it a slot becomes what it has found."),
        flag_option("layer", "Layer of each slot", true,
                    "Adds to each slot, after each round, two layers of it with a relu between them."),
        flag_option("norm", "Norm", true,
                    "Slots are normalised, each by its mean and deviation, before they ask.")};
    component.known_parameters = {
        {"W_cell", "[h d_v, 3 d]", "what was found, for the reset gate, the update gate and the new slot"},
        {"b_cell", "[3 d]", "is added to it"},
        {"U_cell", "[d, 3 d]", "the slots, for the reset gate, the update gate and the new slot"},
        {"c_cell", "[3 d]", "is added to it"},
        {"W_slot_hidden", "[d, 2 d]", "first layer of each slot"},
        {"b_slot_hidden", "[2 d]", "is added before its relu"},
        {"W_slot", "[2 d, d]", "second layer of each slot"},
        {"b_slot", "[d]", "is added to it"}};
    component.parameters = add_slot_parameters;
    component.needs_one_end = true;
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(plan, "slot_attention",
                              "slots have no place, and are projected anew each round");
        if (plan.context_width() != plan.tokens.query_width)
            throw Error({"slot_attention", "values",
                         "as many features over all heads as a slot has, " +
                             std::to_string(plan.tokens.query_width) + ", for it is made of them",
                         std::to_string(plan.context_width())});
    };
    component.changes_context = [](const AttentionSpec& spec) {
        return has_slot_part(spec, "cell") || has_slot_part(spec, "layer");
    };
    component.declared_stages = {
        declared_scores_stage(
            {"of the last round", {{"query"}, keys_of("key", "and")}, "round by\nround\n→"}),
        declared_weights_stage(
            {"softmax of each column, rows ÷ sums", {{"scores"}}, "softmax of\neach column,\nrows ÷ sums\n→"},
            {.is_share = true}),
        declared_attended_stage(),
        made_stage(
            "round_weights", "Weights of all rounds",
            {"the first round’s columns first", {{"query"}, keys_of("key", "and")}, "round by\nround\n→"},
            {.lights = "weights", .has_features = true, .column = "key", .is_share = true}),
        declared_own_context_stage({"the slots after the last round", {{"attended"}}, "cell, layer\n→"})};
    component.define = define_slot_attention;
    return component;
}

}  // namespace headlight
