#include "core/attention/algorithms/pooled_rows.h"

namespace headlight {
namespace {

Index hops_of(const Plan& plan) { return plan.algorithm().count("hops"); }
bool has_layer_wise_hops(const Plan& plan) { return plan.algorithm().word("tying") == "layer_wise"; }

/// The values that hop `hop` of 2, 3, ... reads; its keys are those that the hop before it has read.
Expression write_hop_values(Composer& composer, Index hop) {
    const Index width = composer.plan.tokens.key_width;
    const Expression matrix = some_rows(composer.parameter("C_hops"), counted((hop - 2) * width, width));
    return composer.let(numbered("hop_values_", hop),
                        read_by_heads(composer, product(composer.key_tokens, matrix)),
                        "what this hop reads, and the next one compares");
}

/// u ← u + o, o = softmax(u · m) c, hop by hop (Sukhbaatar et al. 2015, section 2.2).
Expression define_memory_hops(Composer& composer) {
    const Index hops = hops_of(composer.plan);
    Expression state = composer.query, keys = composer.key, values = composer.value;
    std::vector<Expression> all_weights;
    for (Index hop = 1;; ++hop) {
        const bool is_last = hop == hops;
        const auto named = [&](const char* name) {
            return is_last ? std::string(name) : numbered((std::string(name) + '_').c_str(), hop);
        };
        const Expression scores = composer.let(
            named("scores"), product_transposed(state, keys) * scale_of_queries(composer), "u · m");
        const Expression weights = softmax_of_open(composer, named("weights"), scores);
        all_weights.push_back(weights);
        const Expression found = composer.let(named("attended"), product(weights, values), "what was found");
        const Expression kept = has_layer_wise_hops(composer.plan)
                                    ? composer.let(named("mapped_state"), composer.projected(state, "H_hops"),
                                                   "what was asked, changed")
                                    : state;
        if (is_last) {
            if (hops > 1)
                composer.let("hop_weights", join_columns(all_weights), "of all hops, side by side");
            return composer.let("context", kept + found, "what was asked last, and what was found");
        }
        state = composer.let(numbered("hop_state_", hop + 1), kept + found, "what is asked next");
        if (!has_layer_wise_hops(composer.plan)) {
            keys = values;
            values = write_hop_values(composer, hop + 1);
        }
    }
}

}  // namespace

AlgorithmComponent declare_algorithms_memory_hops() {
    AlgorithmComponent component;
    component.meaning =
        "u ← u + Σ softmax(u · m) c, several times: what was found is added to the question, which is asked "
        "again (end-to-end memory network, Sukhbaatar et al. 2015)";
    component.options = {
        count_option(
            "hops", "Hops", 3, {1, 20},
            "How often the memory is asked; with 1 it is attention that adds the query to its answer."),
        word_option("tying", "Tied matrices", {"adjacent", "layer_wise"},
                    "Adjacent: a hop compares with what the one before has read, and reads through a matrix "
                    "of its own. Layer-wise: all hops have the same keys and values, and the question goes "
                    "through a matrix H, u H + o."),
        flag_option("scaled", "Scaled", false, "Divides the products by √d; the paper does not.")};
    component.known_parameters = {
        {"C_hops", "[(hops − 1) d_k, h_kv d_v]",
         "projects the keys’ token vectors to the values of each hop but the first, hop below hop"},
        {"H_hops", "[d_k, d_v] per head, shared by the heads", "what the question becomes between hops"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (has_layer_wise_hops(plan))
            list.add("H_hops", {plan.head_query_width(), plan.head_value_width()});
        else if (hops_of(plan) > 1)
            list.add("C_hops", {(hops_of(plan) - 1) * plan.tokens.key_width, plan.value_width});
    };
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(plan, "memory_hops", "an answer, which has no place, is added to the query");
        if (plan.head_query_width() != plan.head_value_width())
            throw Error({"memory_hops", "values",
                         "vectors of " + std::to_string(plan.head_query_width()) +
                             " features, which are added to the query",
                         std::to_string(plan.head_value_width())});
    };
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        declared_scores_stage({"of the last hop", {{"query"}, keys_of("key", "and")}, "hop by hop\n→"}),
        declared_weights_stage(),
        made_stage("attended", "Weighted values", {"what the last hop has found", {{"weights"}}, "× C\n→"},
                   {.colours_of = "value", .lights = "context"}),
        made_stage("hop_weights", "Weights of all hops",
                   {"the first hop’s columns first", {{"query"}, keys_of("key", "and")}, "hop by hop\n→"},
                   {.lights = "weights", .has_features = true, .column = "key", .is_share = true}),
        declared_own_context_stage(
            {"what was asked last, and what was found", {{"attended"}}, "+ question\n→"})};
    component.define = define_memory_hops;
    return component;
}

}  // namespace headlight
