#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

Index memory_slots(const Plan& plan) { return plan.algorithm().count("slots"); }

/// One softmax over the slots, which no mask hides, and the keys that the query may see.
Expression define_persistent_memory(Composer& composer) {
    const Index slots = memory_slots(composer.plan);
    const Expression scores = write_scaled_products(composer);
    const Expression slot_keys = composer.let("memory_keys", parameter_of_key_heads(composer, "K_memory"));
    const Expression memory_scores =
        composer.let("memory_scores", scaled_products(composer, composer.query, slot_keys),
                     "what each query asks of each slot");
    const Expression joined = softmax_of(composer, "joined_weights",
                                         join_columns({memory_scores, composer.open_or_forbidden(scores)}));
    const Expression memory_weights = composer.let("memory_weights", some_columns(joined, counted(0, slots)),
                                                   "what each query gives to each slot");
    const Expression weights = composer.let(
        "weights", some_columns(joined, counted(slots, composer.plan.keys)), "what is left for the keys");
    const Expression slot_values =
        composer.let("memory_values", parameter_of_key_heads(composer, "V_memory"));
    return composer.let("context", product(memory_weights, slot_values) + product(weights, composer.value),
                        "the values of slots and keys");
}

}  // namespace

AlgorithmComponent declare_algorithms_persistent_memory() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(Q [M_K; K]ᵀ / √d) [M_V; V]: learned keys and values beside those of the tokens, the same "
        "for every text and open to every query (Sukhbaatar et al. 2019)";
    component.options = {
        count_option("slots", "Slots", 4, logarithmic_range(1, 4096),
                     "How many learned keys and values there are beside those of the tokens.")};
    component.known_parameters = {{"K_memory", "[slots, h_kv d_k]", "the keys of the slots, head by head"},
                                  {"V_memory", "[slots, h_kv d_v]", "the values of the slots, head by head"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("K_memory", {memory_slots(plan), plan.key_width});
        list.add("V_memory", {memory_slots(plan), plan.value_width});
    };
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(plan, "persistent_memory", "slots have no place to be turned by");
    };
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        declared_scores_stage(),
        made_stage("memory_scores", "Scores of the slots", {"q · M_K / √d", {{"query"}}, "× M_Kᵀ,\n÷ √d\n→"},
                   {.lights = "memory_weights", .has_features = true, .column = "memory slot"}),
        made_stage("memory_weights", "Weights of the slots",
                   {"what no token gets", {{"memory_scores"}, {"scores", "and"}}, "softmax\nof both\n→"},
                   {.lights = "context", .has_features = true, .column = "memory slot", .is_share = true}),
        declared_weights_stage({"what the slots leave for the tokens",
                                {{"memory_scores"}, {"scores", "and"}},
                                "softmax\nof both\n→"},
                               {.is_share = true}),
        declared_context_stage("value", "the values of the tokens and of the slots", "+ slots\n→")};
    component.define = define_persistent_memory;
    return component;
}

}  // namespace headlight
