#include "core/attention/algorithms/softmax_heads.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

/// Pairs of a first key and a second one, the first one's in a row: (0, 0), (0, 1), ...
struct KeyPairs {
    std::vector<Index> first, second;
};

Index window_of_second_keys(const Plan& plan) { return plan.algorithm().count("window"); }

/// With a window, second keys are up to so many places before the first ones, which they may be themselves.
KeyPairs key_pairs(const Plan& plan) {
    const Index window = window_of_second_keys(plan);
    KeyPairs pairs;
    for (Index first = 0; first < plan.keys; ++first)
        for (Index second = 0; second < plan.keys; ++second)
            if (window == 0 || (second <= first && first - second < window)) {
                pairs.first.push_back(first);
                pairs.second.push_back(second);
            }
    return pairs;
}

/// Columns of `width` numbers a key head, projected from the tokens of the keys, for each head that reads it.
Expression write_second_vectors(Composer& composer, const std::string& name, const std::string& matrix) {
    const Index kv_heads = composer.plan.kv_heads;
    const Expression made = composer.let(
        name, split_heads(composer.projected(composer.key_tokens, matrix), kv_heads > 1 ? kv_heads : 0),
        "of the second key of a pair");
    const bool is_shared = kv_heads != composer.plan.heads && kv_heads != 1;
    return is_shared ? composer.let(name + "_of_heads", composer.of_query_heads(made)) : made;
}

/// A query looks at pairs of keys. What it gives to a key is what all pairs get of which that is the first.
Expression define_simplicial(Composer& composer) {
    const Plan& plan = composer.plan;
    const KeyPairs pairs = key_pairs(plan);
    const Index count = std::ssize(pairs.first);
    const Expression second_key = write_second_vectors(composer, "second_key", "W_second_key"),
                     second_value = write_second_vectors(composer, "second_value", "W_second_value");
    const Expression keys =
        composer.let("pair_keys", some_rows(composer.key, pairs.first) * some_rows(second_key, pairs.second),
                     "k ∘ k′ of each pair");
    Expression scores =
        composer.let("pair_scores", scaled_products(composer, composer.query, keys), "Σ q k k′ / √d");
    if (composer.mask_excludes()) {
        const Expression open = composer.truth_of_places(
            "pair_is_open", {0, plan.queries, count}, "pairs of which the query sees both keys",
            [pairs, may_meet = composer.may_meet](Place at) {
                const auto pair = static_cast<std::size_t>(at.column);
                return may_meet(at.row, pairs.first[pair]) && may_meet(at.row, pairs.second[pair]);
            });
        scores = choose(open, scores, minus_infinity());
    }
    const Expression of_pairs = softmax_of(composer, "pair_weights", scores);
    const Expression holds =
        composer.of_places("first_keys", {0, count, plan.keys}, "1 for the first key of each pair",
                           [first = pairs.first](Place at) {
                               return first[static_cast<std::size_t>(at.row)] == at.column ? 1.0 : 0.0;
                           });
    composer.let("weights", product(of_pairs, holds), "what all pairs get of which the key is the first");
    const Expression values = composer.let(
        "pair_values", some_rows(composer.value, pairs.first) * some_rows(second_value, pairs.second),
        "v ∘ v′ of each pair");
    return composer.let("context", product(of_pairs, values), "the values of the pairs");
}

}  // namespace

AlgorithmComponent declare_algorithms_simplicial() {
    AlgorithmComponent component;
    component.meaning =
        "softmax over pairs (j, l) of Σ qᵢ kⱼ k′ₗ / √d, times vⱼ ∘ v′ₗ: a query looks at two keys at once "
        "(Clift et al. 2020; Roy et al. 2025)";
    component.options = {count_option(
        "window", "Window", 0, {0, 64},
        "How many places the second key of a pair may be at, from the first one’s backwards. 0: anywhere.",
        "none")};
    component.known_parameters = {{"W_second_key", "[d_k, h_kv d_k]", "makes the second key of a pair"},
                                  {"W_second_value", "[d_k, h_kv d_v]", "makes the second value of a pair"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_second_key", {plan.tokens.key_width, plan.key_width});
        list.add("W_second_value", {plan.tokens.key_width, plan.value_width});
    };
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(plan, "simplicial", "a product of three turned vectors knows no distance");
        // The map of one head is of 256 queries then 130 MB, and so is what adds up its second keys.
        constexpr Index most_pairs = 256 * 256;
        const Index window = window_of_second_keys(plan);
        const Index most_keys = window == 0 ? 256 : most_pairs / window;
        if (plan.keys > most_keys)
            throw Error({"simplicial algorithm", "keys",
                         "at most " + std::to_string(most_keys) + ", for a query looks at pairs of them",
                         std::to_string(plan.keys)});
    };
    component.takes_any_mask = true;
    component.changes_context = always;
    const std::vector<StageOperand> tokens{
        keys_of("tokens"),
        {.stage = "position", .operator_before = "+", .as_keys = true, .is_optional = true}};
    component.declared_stages = {
        made_stage("second_key", "Second keys", {"of the second key of a pair", tokens, "× W_second_key\n→"},
                   {.colours_of = "key", .lights = "pair_weights", .is_of_keys = true, .has_features = true}),
        made_stage("second_value", "Second values",
                   {"of the second key of a pair", tokens, "× W_second_value\n→"},
                   {.colours_of = "value", .lights = "context", .is_of_keys = true, .has_features = true}),
        made_stage("pair_scores", "Scores of pairs",
                   {"Σ q k k′ / √d, the first key’s pairs side by side",
                    {{"query"}, keys_of("key", "and"), keys_of("second_key", "and")},
                    "Σ q k k′\n÷ √d\n→"},
                   {.lights = "pair_weights", .has_features = true, .column = "pair of keys"}),
        declared_softmax_stage("pair_scores", "pair_weights", "Weights of pairs",
                               "softmax over pairs of which both keys are seen",
                               {.lights = "context", .has_features = true, .column = "pair of keys"}),
        made_stage("weights", "Weights",
                   {"what all pairs get of which the key is the first",
                    {{"pair_weights"}},
                    "summed over\nthe second key\n→"},
                   {.lights = "output", .role = StageRole::weights, .is_share = true}),
        declared_own_context_stage(
            {"Σ of each pair’s weight times v ∘ v′",
             {{"pair_weights"}, keys_of("value", "and"), keys_of("second_value", "and")},
             "Σ A v v′\n→"})};
    component.define = define_simplicial;
    return component;
}

}  // namespace headlight
