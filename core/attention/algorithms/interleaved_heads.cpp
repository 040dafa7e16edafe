#include "core/attention/algorithms/softmax_heads.h"
#include "core/attention/positions/product_scores.h"
#include "core/attention/rotary.h"
#include "core/attention/turned_pairs.h"

namespace headlight {
namespace {

Index pseudo_heads(const Plan& plan) { return plan.algorithm().count("pseudo"); }
bool is_strict(const Plan& plan) { return plan.algorithm().flag("strict"); }
bool turns_pseudo_tokens(const Plan& plan) { return plan.algorithm().flag("rotary"); }
bool collapses_all_heads(const Plan& plan) { return plan.algorithm().word("collapse") == "all"; }

/// Numbers [h, h] times vectors [h, tokens, d]: each head gets a mixture of all.
Expression mixture_of_heads(const Expression& mixing, const Expression& vectors) {
    return vectors.extent().heads > 0 ? mix_heads(mixing, vectors) : mixing * vectors;
}

/// The vectors of the pseudo-tokens, [h, tokens P, d]: those that are made of one token stand one after
/// another.
Expression write_pseudo_vectors(Composer& composer, const std::string& of, const std::string& parameter,
                                const Expression& vectors) {
    const Index pseudo = pseudo_heads(composer.plan), heads = composer.plan.heads;
    const Index tokens = vectors.extent().rows;
    std::vector<Expression> parts;
    for (Index p = 0; p < pseudo; ++p)
        parts.push_back(composer.let(
            of + "_mixture_" + std::to_string(p + 1),
            mixture_of_heads(some_rows(composer.parameter(parameter), counted(p * heads, heads)), vectors),
            "of all heads"));
    std::vector<Index> rows;
    for (Index row = 0; row < tokens * pseudo; ++row)
        rows.push_back(row % pseudo * tokens + row / pseudo);
    const std::string name = "pseudo_" + of;
    Expression result = pseudo > 1 ? some_rows(join_rows(parts), rows) : parts.front();
    if (turns_pseudo_tokens(composer.plan) && of != "value") {
        const double base = composer.plan.algorithm().number("base");
        result = turned_by(composer, {rotary_frequencies(result.extent().columns, base), true}, name,
                           composer.let("unturned_" + name, result, "each token’s one after another"));
    }
    return composer.let(name, result, "as many for each token as there are pseudo-heads");
}

/// Which pseudo-tokens may meet.
Expression write_open_pairs(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index pseudo = pseudo_heads(plan);
    return composer.truth_of_places("pseudo_tokens_may_meet", {0, plan.queries * pseudo, plan.keys * pseudo},
                                    "those of tokens that may meet",
                                    [pseudo, strict = is_strict(plan), excludes = composer.mask_excludes(),
                                     may_meet = composer.may_meet](Place at) {
                                        const Index query = at.row / pseudo, key = at.column / pseudo;
                                        const bool is_later =
                                            strict && query == key && at.column % pseudo > at.row % pseudo;
                                        return !is_later && (!excludes || may_meet(query, key));
                                    });
}

/// The pseudo-tokens that are number `p` of their token.
std::vector<Index> numbered_alike(Index tokens, Index pseudo, Index p) {
    std::vector<Index> places;
    for (Index token = 0; token < tokens; ++token)
        places.push_back(token * pseudo + p);
    return places;
}

/// The sum of what `term` makes of each pseudo-head.
template <class Term>
Expression sum_of_pseudo_heads(const Plan& plan, const Term& term) {
    Expression sum = term(0);
    for (Index p = 1; p < pseudo_heads(plan); ++p)
        sum = sum + term(p);
    return sum;
}

/// What a query gives to each key: the mean over its pseudo-queries of what all pseudo-keys of the key get.
Expression write_weights_of_tokens(Composer& composer, const Expression& shares) {
    const Plan& plan = composer.plan;
    const Index pseudo = pseudo_heads(plan);
    const auto of_queries = [&](Index p) {
        return some_rows(shares, numbered_alike(plan.queries, pseudo, p));
    };
    const Expression means = composer.let("weights_of_pseudo_keys",
                                          sum_of_pseudo_heads(plan, of_queries) / static_cast<double>(pseudo),
                                          "the mean of each token’s pseudo-queries");
    const auto of_keys = [&](Index p) { return some_columns(means, numbered_alike(plan.keys, pseudo, p)); };
    return composer.let("weights", sum_of_pseudo_heads(plan, of_keys),
                        "the sum over each token’s pseudo-keys");
}

/// What the pseudo-tokens found becomes one vector of each token again, [h, n, d_v].
Expression write_collapsed(Composer& composer, const Expression& found) {
    const Plan& plan = composer.plan;
    const Index pseudo = pseudo_heads(plan);
    const Expression numbers = composer.parameter("R_collapse");
    const auto times_number = [&](Index p) {
        const Expression of_pseudo_head = some_rows(found, numbered_alike(plan.queries, pseudo, p));
        if (!collapses_all_heads(plan))
            return some_columns(split_rows(numbers, composer.heads), {p}) * of_pseudo_head;
        return mixture_of_heads(some_columns(numbers, numbered_alike(plan.heads, pseudo, p)), of_pseudo_head);
    };
    return composer.let("context", sum_of_pseudo_heads(plan, times_number),
                        "the sum of what was found, each times its number");
}

/// Every token becomes P tokens of a longer text, whose vectors are mixtures of those of all heads; each head
/// attends within that, and what was found is put together again (Duvvuri et al. 2026).
Expression define_interleaved_heads(Composer& composer) {
    const Expression query = write_pseudo_vectors(composer, "query", "M_pseudo_query", composer.query);
    const Expression key = write_pseudo_vectors(composer, "key", "M_pseudo_key", composer.key);
    const Expression value = write_pseudo_vectors(composer, "value", "M_pseudo_value", composer.value);
    const Expression scores =
        composer.let("pseudo_scores", scaled_products(composer, query, key), "q · k / √d of pseudo-tokens");
    const bool has_closed = composer.mask_excludes() || is_strict(composer.plan);
    const Expression shares =
        softmax_of(composer, "pseudo_weights",
                   has_closed ? choose(write_open_pairs(composer), scores, minus_infinity()) : scores);
    write_weights_of_tokens(composer, shares);
    return write_collapsed(
        composer, composer.let("pseudo_context", product(shares, value), "what each pseudo-query gets"));
}

void check_interleaved_heads(const Plan& plan) {
    const std::string what = "interleaved_heads algorithm";
    require_own_heads(plan, what, "the keys of all heads are mixed into those of each");
    if (is_strict(plan))
        require_one_sequence(plan, what, "with \"strict\" the pseudo-tokens of one text have an order");
    if (turns_pseudo_tokens(plan))
        refuse_turned_vectors(plan, what, "pseudo-tokens have places of their own");
}

DeclaredStage declared_pseudo_vectors(const std::string& of, const std::string& title, bool is_of_keys) {
    return made_stage(
        "pseudo_" + of, title,
        {"mixtures of those of all heads",
         {{.stage = of, .as_keys = is_of_keys}},
         "heads mixed,\ninterleaved\n→"},
        {.colours_of = of, .is_of_features = true, .has_features = true, .row = "pseudo-token"});
}

}  // namespace

AlgorithmComponent declare_algorithms_interleaved_heads() {
    AlgorithmComponent component;
    component.meaning =
        "q̃ₕₚ = Σ_g α_hpg q_g, keys and values alike: each token becomes P tokens of a longer text, mixtures "
        "of all heads, which attend to one another; Σₚ Rₕₚ õₕₚ puts together what they found (Duvvuri et al. "
        "2026, IHA)";
    component.options = {
        count_option(
            "pseudo", "Pseudo-heads P", 2, {1, 16},
            "How many pseudo-tokens each token becomes in each head; the paper has as many as heads."),
        word_option("collapse", "Put together", {"own", "all"},
                    "Whether a head puts together what its own pseudo-heads found, as the paper’s algorithm "
                    "1 has it, or what those of all heads found, as its definition 3."),
        flag_option("strict", "Strict order", false,
                    "Whether a pseudo-query sees, of the pseudo-keys of its own token, only those up to its "
                    "own number, as a causal mask over the longer text has it; otherwise all of them."),
        flag_option("rotary", "Rotary places", false,
                    "Whether the vectors of pseudo-tokens are turned by their places in the longer text."),
        base_option("Pair i turns by place / base^(2i / width); read with rotary places alone.")};
    component.known_parameters = {
        {"M_pseudo_query", "[P h, h]",
         "what each head of each pseudo-head takes of the queries of all heads"},
        {"M_pseudo_key", "[P h, h]", "what each head of each pseudo-head takes of the keys of all heads"},
        {"M_pseudo_value", "[P h, h]", "what each head of each pseudo-head takes of the values of all heads"},
        {"R_collapse", "[h, P], or [h, h P] with those of all heads",
         "how much of what each pseudo-head found a head takes"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index pseudo = pseudo_heads(plan);
        list.add("M_pseudo_query", {pseudo * plan.heads, plan.heads});
        list.add("M_pseudo_key", {pseudo * plan.heads, plan.heads});
        list.add("M_pseudo_value", {pseudo * plan.heads, plan.heads});
        list.add("R_collapse", {plan.heads, collapses_all_heads(plan) ? plan.heads * pseudo : pseudo});
    };
    component.check = check_interleaved_heads;
    component.paired = {{.why = "features are turned in pairs", .count = [](const Plan& plan) -> Index {
                             return turns_pseudo_tokens(plan) ? plan.head_query_width() : 0;
                         }}};
    component.takes_any_mask = true;
    component.changes_context = always;
    component.reads_one_sequence = [](const AttentionSpec& spec) -> const char* {
        return spec.algorithm.options.flag("strict") ? "the pseudo-tokens of one text have an order"
                                                     : nullptr;
    };
    component.declared_stages = {
        declared_pseudo_vectors("query", "Queries of pseudo-tokens", false),
        declared_pseudo_vectors("key", "Keys of pseudo-tokens", true),
        declared_pseudo_vectors("value", "Values of pseudo-tokens", true),
        made_stage("pseudo_scores", "Scores of pseudo-tokens",
                   {"q · k / √d",
                    {{"pseudo_query"}, {.stage = "pseudo_key", .operator_before = "×", .transposed = true}},
                    "÷ √d\n→"},
                   between_parts("pseudo-token", "pseudo-token", {.lights = "pseudo_weights"})),
        declared_softmax_stage("pseudo_scores", "pseudo_weights", "Weights of pseudo-tokens",
                               "softmax over those that are seen",
                               between_parts("pseudo-token", "pseudo-token", {.lights = "weights"})),
        made_stage("weights", "Weights",
                   {"the mean of a token’s pseudo-queries, summed over pseudo-keys",
                    {{"pseudo_weights"}},
                    "mean and sum\n→"},
                   {.lights = "output", .role = StageRole::weights, .is_share = true}),
        made_stage("pseudo_context", "Contexts of pseudo-tokens",
                   {"what each pseudo-query gets", {{"pseudo_weights"}, {"pseudo_value", "×"}}, "="},
                   {.colours_of = "value",
                    .lights = "context",
                    .is_of_features = true,
                    .has_features = true,
                    .row = "pseudo-token"}),
        declared_own_context_stage(
            {"what the pseudo-heads found, put together", {{"pseudo_context"}}, "× R,\nsummed\n→"})};
    component.define = define_interleaved_heads;
    return component;
}

}  // namespace headlight
