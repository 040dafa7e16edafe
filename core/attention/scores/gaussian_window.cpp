#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <cmath>
#include <numbers>

namespace headlight {
namespace {

/// The exponential of a larger number would only send a bell off any text, or leave the range of a double.
constexpr double largest_logarithm = 100;
/// A bell narrower than this would divide by next to nothing.
constexpr double least_deviation = 1e-5;

Index bells_of(const Plan& plan) { return plan.score().count("bells"); }
bool has_densities(const Plan& plan) { return plan.score().word("form") == "density"; }

/// Heights and precisions of each query's bells, [h, n, K] both: h e^(−p x²) is what a bell is at a distance.
struct Bells {
    Expression heights, precisions;
};

Bells define_exponential_bells(Composer& composer, const Expression& heights, const Expression& precisions) {
    return {composer.let("window_heights", exp_of(heights), "e^â: how much each bell of a query counts"),
            composer.let("window_precisions", exp_of(precisions), "e^b̂: how narrow each bell is")};
}

/// Shares of normal densities: over a long text each row sums to 1.
Bells define_densities(Composer& composer, const Expression& heights, const Expression& deviations) {
    const Expression shares = softmax_of(composer, "bell_shares", heights);
    const Expression deviation = composer.let(
        "bell_deviations", larger_of(softplus_of(deviations), least_deviation), "σ: how wide each bell is");
    return {composer.let("window_heights", shares / (std::sqrt(2 * std::numbers::pi) * deviation),
                         "its share over √(2π) σ: how high each bell of a query is"),
            composer.let("window_precisions", 1 / (2 * deviation * deviation), "1 / (2σ²)")};
}

Expression define_gaussian_window(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index count = bells_of(plan);
    const Expression numbers = composer.let(
        "window_numbers",
        smaller_of(product(composer.query, composer.parameter("W_window")) + composer.parameter("b_window"),
                   largest_logarithm),
        "what a query says of heights, widths and steps");
    const auto part = [&](Index first) { return some_columns(numbers, counted(first * count, count)); };
    const bool densities = has_densities(plan);
    const Bells bells = densities ? define_densities(composer, part(0), part(1))
                                  : define_exponential_bells(composer, part(0), part(1));
    const Expression steps = composer.let("window_steps", densities ? softplus_of(part(2)) : exp_of(part(2)),
                                          "how far each bell goes on from where the query before left it");
    const Expression centres =
        composer.let("window_centres", summed_so_far(steps), "where each bell stands: its steps so far");
    const Expression places =
        composer.of_places("window_places", {0, plan.keys, count}, "the place of each key, from 1",
                           [](Place at) { return static_cast<double>(at.row + 1); });
    const Expression distance = left_row(centres) - right_row(places);
    return sum_of_pairs(left_row(bells.heights) * exp_of(-left_row(bells.precisions) * distance * distance));
}

DeclaredStage stage_of_bells(const std::string& name, const std::string& title, const std::string& subtitle) {
    return made_stage(name, title, {subtitle}, {.lights = "scores", .has_features = true});
}

}  // namespace

ScoreComponent declare_scores_gaussian_window() {
    ScoreComponent component;
    component.meaning =
        "Σ_k a_k exp(−b_k (κ_k − j)²), κ the steps of the queries so far, all from the queries alone (Graves "
        "2013, equations 46 to 51); densities: those of GMM attention v2 (Battenberg et al. 2020)";
    component.compares_widths = false;
    component.options = {
        word_option("form", "Bells", {"exponential", "density"},
                    "exponential: heights e^â, precisions e^b̂ and steps e^κ̂. density: normal densities of σ "
                    "= softplus(b̂), weighed by a softmax of â, with steps softplus(κ̂)."),
        count_option("bells", "Number of bells K", 3, {1, 64},
                     "How many bells a window is the sum of, each of which walks by itself.")};
    component.known_parameters = {
        {"W_window", "[d_q, 3 K]", "what a query says of the heights, widths and steps of the K bells"},
        {"b_window", "[3 K]", "is added to heights, widths and steps before their exponential"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index numbers = 3 * bells_of(plan);
        list.add_with_bias("W_window", {plan.head_query_width(), numbers});
    };
    component.declared_stages = {
        stage_of_bells("window_heights", "Heights of the bells", "a row for each query, a column for a bell"),
        stage_of_bells("window_precisions", "Precisions of the bells", "the larger, the narrower"),
        stage_of_bells("window_steps", "Steps of the bells", "never below 0"),
        made_stage("window_centres", "Centres of the bells",
                   {"the steps so far: places of the keys, from 1", {{"window_steps"}}, "added up\n→"},
                   {.lights = "scores", .has_features = true})};
    component.multiply_adds = [](const Plan& plan) {
        const auto queries = static_cast<double>(plan.heads * plan.queries);
        const auto bells = static_cast<double>(bells_of(plan));
        return queries * bells *
               (3 * static_cast<double>(plan.head_query_width()) + static_cast<double>(plan.keys));
    };
    component.define = define_gaussian_window;
    return component;
}

}  // namespace headlight
