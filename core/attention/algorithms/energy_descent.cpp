#include "core/attention/algorithms/row_norms.h"
#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

Index patterns_of(const Plan& plan) { return plan.algorithm().count("patterns"); }

/// What the tokens are on one step, and what they have to do with one another then.
struct EnergyStep {
    Expression asking, telling, scores_of_others, hits, energy;
};

/// E = −1/β Σ_h Σ_i ln Σ_{j≠i} exp(β k_j · q_i) − ½ Σ relu(ξ · g)², each token's share of it (Hoover et al.
/// 2023, equations 3 and 5).
EnergyStep write_energy(Composer& composer, const Expression& state, const Expression& beta, Index step,
                        bool is_last_look) {
    const auto named = [step](const char* name) { return numbered(name, step); };
    const bool is_normed = composer.plan.algorithm().flag("norm");
    const Expression normed = is_normed ? layer_normalized(composer, named("normed_"), state) : state;
    const auto of_heads = [&](const char* name, const char* matrix) {
        return composer.let(named(name), composer.projected_by_heads(normed, matrix));
    };
    const Expression asking = of_heads("asking_", "W_ask"), telling = of_heads("telling_", "W_tell");
    const Index n = composer.plan.queries;
    const Expression is_other = composer.truth(
        "is_other", {0, n, n}, "pairs of a token and another",
        [](Index query, Index key) { return query != key; }, "i != j");
    const Expression scores = composer.let(is_last_look ? "scores" : named("scores_of_step_"),
                                           product_transposed(asking, telling) * beta, "β q · k");
    const Expression of_others =
        composer.let(named("scores_of_others_"), choose(is_other, scores, minus_infinity()));
    const Expression largest =
        composer.let(named("largest_"), finite_maximum(maximum_of_columns(of_others)), "of each row");
    const Expression sums =
        composer.let(named("sums_"), not_zero(sum_of_columns(exp_of(of_others - largest))), "of each row");
    Expression energy = -sum_of_heads(composer, (largest + log_of(sums)) / beta);
    Expression hits = normed;
    if (patterns_of(composer.plan) > 0) {
        hits = composer.let(named("hits_"),
                            relu_of(product_transposed(normed, composer.parameter("energy_patterns"))),
                            "what each token has of each pattern, above 0");
        energy = energy - sum_of_columns(hits * hits) / 2;
    }
    return {asking, telling, of_others, hits, composer.let(named("energy_"), energy, "of each token")};
}

/// All tokens together go down their energy, step by step: x ← x − η ∂E/∂g, g the norm of x.
Expression define_energy_descent(Composer& composer) {
    const Options& options = composer.plan.algorithm();
    const Index steps = options.count("steps");
    const double given = options.number("beta");
    const Expression beta = given > 0 ? Expression(given) : 1 / root_of_head_width(composer);
    Expression state = join_heads(composer.query);
    std::vector<Expression> energies;
    for (Index step = 1; step <= steps; ++step) {
        const EnergyStep now = write_energy(composer, state, beta, step, step == steps);
        energies.push_back(now.energy);
        const Expression looks =
            softmax_of(composer, step == steps ? "weights" : numbered("looks_", step), now.scores_of_others);
        const Expression drawn =
            product_transposed(join_heads(product(looks, now.telling)), composer.parameter("W_ask"));
        const Expression draws = product_transposed(join_heads(product(transposed(looks), now.asking)),
                                                    composer.parameter("W_tell"));
        Expression down = composer.let(numbered("drawn_", step), drawn, "towards those that it looks at") +
                          composer.let(numbered("draws_", step), draws, "towards those that look at it");
        if (patterns_of(composer.plan) > 0)
            down = down + composer.projected(now.hits, "energy_patterns");
        state = composer.let(numbered("state_", step), state + options.number("rate") * down,
                             "a step down the energy");
    }
    energies.push_back(write_energy(composer, state, beta, steps + 1, false).energy);
    composer.let("energies", join_columns(energies), "of each token, before each step and after the last");
    return composer.let("context", split_heads(state, composer.heads), "what the tokens have become");
}

}  // namespace

AlgorithmComponent declare_algorithms_energy_descent() {
    AlgorithmComponent component;
    component.meaning =
        "x ← x − η ∂E/∂g again and again, E = −1/β Σ_h Σ_i ln Σ_{j≠i} exp(β k_j · q_i) − ½ Σ relu(ξ · g)², g "
        "the norm of x, q = g W_ask, k = g W_tell: attention and a memory of patterns as one energy that all "
        "tokens go down (Energy Transformer, Hoover et al. 2023)";
    component.options = {
        count_option("steps", "Steps", 4, {1, 32}, "How often all tokens go a little down their energy."),
        number_option("rate", "Step size η", 0.1, logarithmic_range(0.001, 10),
                      "How far they go each time; where it is too large the energy may rise."),
        number_option("beta", "Inverse temperature β", 0.0, {0, 100},
                      "What the products are multiplied by. 0: 1/√d.", "automatic"),
        count_option("patterns", "Patterns", 8, {0, 4096},
                     "How many learned patterns each token is drawn to by itself, in the place of a "
                     "feed-forward layer.",
                     "none"),
        flag_option("norm", "Norm", true,
                    "Whether queries and keys are made of tokens without their mean and over their standard "
                    "deviation.")};
    component.known_parameters = {
        {"W_ask", "[h d_k, h d_k]", "makes what tokens look with, of their norms"},
        {"W_tell", "[h d_k, h d_k]", "makes what tokens are looked at by, of their norms"},
        {"energy_patterns", "[patterns, h d_k]", "what each token is drawn to"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.query_width;
        list.add("W_ask", {width, width});
        list.add("W_tell", {width, width});
        if (const Index patterns = patterns_of(plan); patterns > 0)
            list.add("energy_patterns", {patterns, width});
    };
    component.check = [](const Plan& plan) {
        const std::string what = "energy_descent algorithm";
        require_one_sequence(plan, what, "every token both looks and is looked at");
        refuse_mask(plan, what, "a token is drawn to those that look at it as well");
        refuse_shared_heads(plan, what, "queries and keys are made of what the tokens have become");
        refuse_turned_vectors(plan, what, "queries and keys are made anew on each step");
        require_values_of_query_width(plan, what);
    };
    component.makes_keys_and_values = true;
    component.declared_stages = {
        declared_scores_stage(
            {"β q · k of the last step", {{"query"}}, "steps down\nthe energy,\nβ q · k\n→"}),
        declared_weights_stage({"softmax over the other tokens", {{"scores"}}, "others,\nsoftmax\n→"},
                               {.is_share = true}),
        made_stage(
            "energies", "Energies",
            {"of each token, before each step and after the last", {{"scores"}}, "− ln Σ exp,\nall steps\n→"},
            {.lights = "context", .has_features = true, .column = "step"}),
        declared_own_context_stage(
            {"what the tokens have become", {{"query"}, {"weights", "and"}}, "all steps\n→"})};
    component.define = define_energy_descent;
    return component;
}

}  // namespace headlight
