#include "core/attention/algorithms/row_norms.h"
#include "core/attention/algorithms/softmax_heads.h"

namespace headlight {
namespace {

constexpr double smallest_mixing_variance = 1e-6;  // as the authors' code has it

Index mixing_rank(const Plan& plan) { return plan.algorithm().count("rank"); }
/// Units that the maps of heads are made from: as many as the authors' code has.
Index mixing_units(const Plan& plan) { return 4 * plan.heads; }
bool keys_mix(const Plan& plan) { return plan.algorithm().word("sides") == "both"; }

/// Calls visit("scores_q"), ... for each map that is mixed and each side that says how.
template <class Visit>
void for_each_mixing(const Plan& plan, const Visit& visit) {
    for (const char* map : {"scores", "weights"}) {
        visit(std::string(map) + "_q", false);
        if (keys_mix(plan))
            visit(std::string(map) + "_k", true);
    }
}

/// What the tokens of one side add to maps [h, n, m]: a few sums over the heads, each given back to all heads
/// in other shares, and a share of each head’s own.
Expression added_by_side(Composer& composer, const std::string& site, bool is_key, const Expression& maps) {
    const Plan& plan = composer.plan;
    const Index heads = plan.heads, rank = mixing_rank(plan);
    const Expression& tokens = is_key ? composer.key_tokens : composer.query_tokens;
    const auto of_pairs = [&](const Expression& numbers) {  // [tokens, h]
        const Expression split = split_heads(numbers, composer.heads);
        return is_key ? transposed(split) : split;
    };
    const Expression all = composer.constant("one_of_each_head", {0, 1, heads}, "1 for each head",
                                             [](Index, Index, Index) { return 1.0; });
    const Expression hidden =
        composer.let("hidden_" + site, gelu_of(composer.projected(tokens, "W_hidden_" + site)));
    const Expression mixing = composer.let("mixing_" + site, composer.projected(hidden, "W_mixing_" + site),
                                           "what is read of the heads, then what is written to them");
    Expression added =
        maps * of_pairs(composer.let("own_" + site, tanh_of(composer.projected(tokens, "W_own_" + site)),
                                     "what each head gets of itself"));
    for (Index r = 0; r < rank; ++r) {
        const std::string number = std::to_string(r + 1);
        const Expression read = over_root_mean_square(
            composer, "read_" + site + "_" + number, some_columns(mixing, counted(r * heads, heads)),
            smallest_mixing_variance, "what is read of each head, over its root mean square");
        const Expression sum = composer.let("sum_" + site + "_" + number,
                                            mix_heads(all, maps * of_pairs(read)), "over the heads");
        added = added + sum * of_pairs(some_columns(mixing, counted((rank + r) * heads, heads)));
    }
    return composer.let("added_" + site, added, "what the tokens of this side add");
}

Expression write_composed_maps(Composer& composer, const std::string& of, const Expression& maps) {
    const Expression by_queries = added_by_side(composer, of + "_q", false, maps);
    return keys_mix(composer.plan) ? maps + by_queries + added_by_side(composer, of + "_k", true, maps)
                                   : maps + by_queries;
}

Expression define_dynamically_composed(Composer& composer) {
    const Expression scores = composer.let(
        "composed_scores", write_composed_maps(composer, "scores", write_scaled_products(composer)),
        "of all heads");
    const Expression soft = softmax_of_open(composer, "weights_of_heads", scores);
    return write_attended_values(
        composer, composer.let("weights", write_composed_maps(composer, "weights", soft), "of all heads"));
}

}  // namespace

AlgorithmComponent declare_algorithms_dynamically_composed() {
    AlgorithmComponent component;
    component.meaning =
        "S′ = S + Σᵣ (Σₕ Sₕ w¹ᵣₕ(xᵢ)) w²ᵣ(xᵢ) + S ∘ tanh(xᵢ W), the same by xⱼ, and again after the softmax: "
        "each pair of tokens mixes the maps of the heads in its own way (Xiao et al. 2024, DCMHA)";
    component.options = {
        count_option("rank", "Rank", 2, {1, 8},
                     "How many sums over the heads each side of a pair makes and gives back."),
        word_option("sides", "Sides", {"both", "queries"},
                    "Who says how the heads are mixed: the tokens of the query and of the key, or the "
                    "query’s alone.")};
    for (const char* map : {"scores", "weights"})
        for (const char* side : {"q", "k"}) {
            const std::string site = std::string(map) + "_" + side;
            append(component.known_parameters,
                   {{"W_hidden_" + site, "[d, 4 h]",
                     "projects a token vector to the units that mix the " + std::string(map)},
                    {"W_mixing_" + site, "[4 h, 2 rank h]",
                     "makes what is read of the heads’ " + std::string(map) + ", and what is written"},
                    {"W_own_" + site, "[d, h]", "makes what each head gets of its own " + std::string(map)}});
        }
    component.parameters = [](const Plan& plan, ParameterList& list) {
        for_each_mixing(plan, [&](const std::string& site, bool is_key) {
            const Index tokens = is_key ? plan.tokens.key_width : plan.tokens.query_width;
            list.add("W_hidden_" + site, {tokens, mixing_units(plan)});
            list.add("W_mixing_" + site, {mixing_units(plan), 2 * mixing_rank(plan) * plan.heads});
            list.add("W_own_" + site, {tokens, plan.heads});
        });
    };
    component.takes_any_mask = true;
    component.declared_stages = {
        declared_scores_stage(),
        made_stage("composed_scores", "Composed scores",
                   {"mixed over the heads, each pair in its own way", {{"scores"}}, "mixed\n→"},
                   {.lights = "weights_of_heads", .role = StageRole::scores}),
        declared_softmax_stage("composed_scores", "weights_of_heads", "Weights of the heads",
                               "softmax of each row",
                               {.colours_of = "weights",
                                .lights = "weights",
                                .role = StageRole::weights,
                                .leaves_out_masked = true}),
        made_stage("weights", "Weights",
                   {"mixed over the heads, each pair in its own way", {{"weights_of_heads"}}, "mixed\n→"},
                   {.lights = "output", .role = StageRole::weights})};
    component.define = define_dynamically_composed;
    return component;
}

}  // namespace headlight
