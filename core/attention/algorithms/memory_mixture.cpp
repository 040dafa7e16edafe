#include "core/attention/algorithms/channel_maps.h"
#include "core/attention/algorithms/delta_states.h"

#include <algorithm>

namespace headlight {
namespace {

// States with a gated delta rule each, of which a router chooses a few for every token: these alone fade, are
// written to and are read; for the others the token is not there (Du et al. 2026). All states of a head are
// computed as if each were a head: [h c, n, ...], the states of one head beside one another.

bool has_shared_memory(const Plan& plan) { return plan.algorithm().flag("shared"); }
Index routed_memories(const Plan& plan) { return plan.algorithm().count("memories"); }
/// The one that takes every token, where there is one, comes first.
Index memories_of_head(const Plan& plan) { return routed_memories(plan) + (has_shared_memory(plan) ? 1 : 0); }
bool memories_project(const Plan& plan) {
    return plan.algorithm().flag("own_keys") && memories_of_head(plan) > 1;
}
/// How many gates and strengths each head makes of a token.
Index gates_of_head(const Plan& plan) { return memories_project(plan) ? memories_of_head(plan) : 1; }

/// For each memory of each head a number: `number(head, memory)`.
template <class Number>
std::vector<Index> of_memories(const Plan& plan, const Number& number) {
    std::vector<Index> result;
    for (Index head = 0; head < plan.heads; ++head)
        for (Index memory = 0; memory < memories_of_head(plan); ++memory)
            result.push_back(number(head, memory));
    return result;
}

/// [h, n, d] to [h c, n, d]: what all memories of a head have in common.
Expression for_memories(const Composer& composer, const Expression& x) {
    return take_heads(of_all_heads(composer, x),
                      of_memories(composer.plan, [](Index head, Index) { return head; }));
}

/// [h, n, c d] to [h c, n, d]: what each memory has of its own.
Expression heads_of_memories(const Composer& composer, const Expression& x) {
    return split_heads(join_heads(x), composer.plan.heads * memories_of_head(composer.plan));
}

/// [h c, n, k] to [h, n, k] of one memory of each head.
Expression of_one_memory(const Composer& composer, const Expression& x, Index memory) {
    std::vector<Index> taken;
    for (Index head = 0; head < composer.plan.heads; ++head)
        taken.push_back(head * memories_of_head(composer.plan) + memory);
    const Expression result = take_heads(x, taken);
    return composer.heads > 0 ? result : join_heads(result);
}

/// What every memory has of each token, and whether it takes it, both [h c, n, 1].
struct MemoryRoutes {
    Expression shares, taken;
};

/// The router is that of all heads. A memory that takes every token has the share 1.
MemoryRoutes write_memory_routes(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression numbers =
        composer.let("route_numbers", composer.projected(composer.key_tokens, "W_memory_route"),
                     "what the router makes of each token");
    const Index active = std::min(plan.algorithm().count("active"), routed_memories(plan));
    const Expression is_chosen = is_above(static_cast<double>(active), rank_of(numbers));
    Expression shares = softmax_of(composer, "routed_shares", choose(is_chosen, numbers, minus_infinity()));
    Expression taken = as_number(is_chosen);
    if (has_shared_memory(plan)) {
        const Expression all =
            composer.constant("all_tokens", {0, plan.keys, 1}, "the shared memory takes every token",
                              [](Index, Index, Index) { return 1.0; });
        shares = join_columns({all, shares});
        taken = join_columns({all, taken});
    }
    composer.let("memory_routes", of_all_heads(composer, shares), "how much each token asks each memory");
    const auto as_heads = [&](const Expression& x) {
        return take_heads(split_heads(x, memories_of_head(plan)),
                          of_memories(plan, [](Index, Index memory) { return memory; }));
    };
    return {composer.let("route_shares", as_heads(shares)), composer.let("taken_tokens", as_heads(taken))};
}

/// The head's own vectors for the first memory, and those that a matrix makes for the others, or the own ones
/// for all: [h c, n, d].
Expression vectors_of_memories(Composer& composer, const std::string& name, const Expression& own,
                               const std::string& matrix, const std::string& note) {
    if (!memories_project(composer.plan))
        return for_memories(composer, own);
    const Expression further = composer.projected_by_heads(composer.key_tokens, matrix);
    return composer.let(name, heads_of_memories(composer, join_columns({own, further})), note);
}

/// Gates or strengths [h, n, 1 or c] as [h c, n, 1].
Expression numbers_of_memories(const Composer& composer, const Expression& numbers) {
    return memories_project(composer.plan) ? heads_of_memories(composer, numbers)
                                           : for_memories(composer, numbers);
}

Expression define_memory_mixture(Composer& composer) {
    const Plan& plan = composer.plan;
    const MemoryRoutes routes = write_memory_routes(composer);
    std::optional<SummedGates> gates;
    if (const std::optional<Expression> logs = log_forget_gates(composer, "dt"))
        gates = write_state_gates(
            composer, composer.let("log_gates",
                                   choose(is_above(routes.taken, 0), numbers_of_memories(composer, *logs), 0),
                                   "ln of what each memory keeps, all where it does not take the token"));
    const Expression strengths = composer.let(
        "strengths_of_memories",
        routes.taken * numbers_of_memories(composer, sigmoid_of(numbers_of_tokens(composer, "beta"))),
        "β, 0 where the memory does not take the token");
    const Expression unit = direction_of(
        composer, "unit_key",
        vectors_of_memories(composer, "key_of_memories", composer.key, "W_k_memories", "k of each memory"));
    const Expression written = composer.let("written_key", strengths * unit, "β k: along what is written");
    const Expression read = write_read_products(composer, "read_products",
                                                for_memories(composer, composer.query), written, gates);
    const Expression inverse = write_inverse_of_asked(
        composer, write_asked_products(composer, "asked_products", unit, written, gates));
    const Expression maps = composer.let("maps_of_memories", routes.shares * product(read, inverse),
                                         "what each query gets of each token by each memory");
    std::vector<Expression> beside;
    for (Index memory = 0; memory < memories_of_head(plan); ++memory)
        beside.push_back(of_one_memory(composer, maps, memory));
    composer.let("weights_of_memories", beside.size() > 1 ? join_columns(beside) : beside.front(),
                 "the maps of the memories side by side");
    Expression sum = beside.front();
    for (std::size_t memory = 1; memory < beside.size(); ++memory)
        sum = sum + beside[memory];
    const Expression weights = composer.let("weights", sum, "the weights of all memories");
    if (!memories_project(plan))
        return write_attended_values(composer, weights);
    const Expression values = vectors_of_memories(composer, "value_of_memories", composer.value,
                                                  "W_v_memories", "v of each memory");
    const Expression found = composer.let("found_in_memories", product(maps, values),
                                          "the values that each query gets of each memory");
    Expression context = of_one_memory(composer, found, 0);
    for (Index memory = 1; memory < memories_of_head(plan); ++memory)
        context = context + of_one_memory(composer, found, memory);
    return composer.let("context", context, "those of all memories");
}

void check_memory_mixture(const Plan& plan) {
    require_one_sequence(plan, "memory_mixture", why_state_is_of_one_sequence);
    if (!memories_project(plan))
        return;
    refuse_turned_vectors(plan, "memory_mixture",
                          "the keys of the further memories would not be turned with the first");
    refuse_shared_heads(plan, "memory_mixture", "each head makes the keys and values of its memories");
}

}  // namespace

AlgorithmComponent declare_algorithms_memory_mixture() {
    AlgorithmComponent component;
    component.meaning =
        "o = Σₘ rₘ(x) Sₘᵀ q, r the softmax of x W_memory_route where it is among the largest, else 0: each "
        "token fades, writes and reads a few of several states by the rule of gated_delta, and leaves the "
        "others as they are; one more may take every token; causal whatever the mask (Du et al. 2026, MoM)";
    component.options = {count_option("memories", "Memories", 4, {1, 8},
                                      "How many states of each head a token is sent to a few of."),
                         count_option("active", "Memories that take a token", 2, {1, 8},
                                      "How many of them the router chooses for a token, at most all."),
                         flag_option("shared", "Shared memory", true,
                                     "Whether there is one more memory that takes every token."),
                         flag_option("own_keys", "Own keys and values", true,
                                     "Whether each memory makes keys, values, gates and strengths of its own "
                                     "of a token; otherwise all have the same."),
                         forgets_option(),
                         scaled_option(true)};
    component.known_parameters = {
        {"W_memory_route", "[d, memories]", "asks a token vector for the memories that take it"},
        {"W_dt", "[d, h c]", "projects token vectors to a step for each of the c memories of each head"},
        {"b_dt", "[h c]", "is added to the steps of the memories before their softplus"},
        {"W_beta", "[d, h c]", "projects token vectors to a write strength for each memory of each head"},
        {"b_beta", "[h c]", "is added to the write strengths of the memories before their sigmoid"},
        {"W_k_memories", "[d, h (c − 1) d_k]", "makes the keys of all memories but the first"},
        {"W_v_memories", "[d, h (c − 1) d_v]", "makes the values of all memories but the first"}};
    add_rate_name(component.known_parameters);
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index tokens = plan.tokens.key_width, numbers = plan.heads * gates_of_head(plan);
        list.add("W_memory_route", {tokens, routed_memories(plan)});
        if (state_forgets(plan)) {
            list.add_with_bias("W_dt", {tokens, numbers});
            add_rate_parameter(plan, list);
        }
        list.add_with_bias("W_beta", {tokens, numbers});
        if (!memories_project(plan))
            return;
        const Index further = memories_of_head(plan) - 1;
        list.add("W_k_memories", {tokens, further * plan.heads * plan.head_query_width()});
        list.add("W_v_memories", {tokens, further * plan.context_width()});
    };
    component.check = check_memory_mixture;
    component.changes_context = [](const AttentionSpec& spec) {
        const Options& options = spec.algorithm.options;
        return options.flag("own_keys") && (options.flag("shared") || options.count("memories") > 1);
    };
    component.declared_stages = {
        made_stage("memory_routes", "Routes to the memories",
                   {"which memories take each token, and how much it reads of them", token_operands(),
                    "× W_memory_route,\nthe largest,\nsoftmax\n→"},
                   {.is_of_keys = true, .has_features = true, .column = "memory", .is_share = true}),
        made_stage("weights_of_memories", "Weights of the memories",
                   {"the maps of the memories side by side",
                    {{"query"}, keys_of("key", "and"), {"memory_routes", "and"}},
                    "a delta rule\nin each\n→"},
                   {.lights = "weights", .has_features = true, .column = "key"}),
        made_stage("weights", "Weights", {"of all memories", {{"weights_of_memories"}}, "added up\n→"},
                   {.lights = "output", .role = StageRole::weights}),
        declared_own_context_stage(
            {"", {optional_stage("weights_of_memories")}, "× values of\nthe memories\n→"})};
    component.define = define_memory_mixture;
    return component;
}

}  // namespace headlight
