#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/tensor/random.h"

#include <cmath>

namespace headlight {
namespace {

bool has_recency_gate(const Plan& plan) { return plan.algorithm().flag("gated"); }

/// Normal directions of each head, each feature times its σ, all over τ: [h, D, d].
Expression write_fourier_directions(Composer& composer) {
    const Plan& plan = composer.plan;
    const Options& options = plan.algorithm();
    const Index count = options.count("features"), width = plan.head_query_width();
    const std::uint64_t stream = substream(plan.seed, "fourier_directions");
    const Expression drawn = composer.constant(
        "drawn_directions", {composer.heads, count, width}, "normal numbers",
        [=](Index head, Index row, Index column) {
            return standard_normal(stream, static_cast<std::uint64_t>((head * count + row) * width + column));
        });
    return composer.let(
        "directions", drawn * composer.parameter_of_heads("direction_scales") / options.number("temperature"),
        "w: random directions");
}

/// Sines and cosines of w · x̂ of each direction w over the root of their number, x̂ of length 1: the products
/// of two such are, on average, e^(−|x̂ − ŷ|² / 2τ²), which for vectors of one length is e^(x̂ · ŷ / τ²) but
/// for a factor (Rahimi and Recht 2007).
Expression write_fourier_features(Composer& composer, const std::string& name, const Expression& x,
                                  const Expression& directions) {
    const Expression angles =
        composer.let(name + "_angles", product_transposed(direction_of(composer, name, x), directions),
                     "w · x of the vector at length 1");
    const Expression root = root_of(static_cast<double>(directions.extent().rows));
    return composer.let(name + "_features", join_columns({sin_of(angles), cos_of(angles)}) / root, "φ(x)");
}

/// What the gates let through of each key at each query, (1 − g_j) Π g, over the largest of the row:
/// [h, n, m]. The shares stay those of the products themselves, of which all might vanish.
Expression write_recency(Composer& composer) {
    const Expression numbers = numbers_of_tokens(composer, "recency");
    composer.let("gates", sigmoid_of(numbers), "g: what the state keeps");
    const Expression so_far =
        write_summed_gates(composer, "log_gates_so_far", of_seen_keys(composer, log_sigmoid_of(numbers)));
    const Expression reached = composer.let("log_gates_at_query", rows_of_newest_keys(composer, so_far));
    const Expression exponents =
        composer.let("recency_exponents",
                     composer.open_or_forbidden(reached + transposed(log_sigmoid_of(-numbers) - so_far)),
                     "ln of (1 − g) of the key and of all gates after it");
    const Expression largest = composer.let("recency_maximum", finite_maximum(maximum_of_columns(exponents)));
    return composer.let("recency", exp_of(exponents - largest), "over the largest of the row");
}

Expression define_fourier_features(Composer& composer) {
    const Expression directions = write_fourier_directions(composer);
    const Expression query = write_fourier_features(composer, "query", composer.query, directions),
                     key = write_fourier_features(composer, "key", composer.key, directions);
    const Expression products = product_transposed(query, key);
    return write_shares_of_similarities(
        composer, has_recency_gate(composer.plan) ? products * write_recency(composer) : products);
}

}  // namespace

AlgorithmComponent declare_algorithms_fourier_features() {
    AlgorithmComponent component;
    component.meaning =
        "A ∝ φ(q) · φ(k), φ(x) the sines and cosines of w · x / |x| of normal w: on average the exponential "
        "of the cosine of both; gated: times (1 − g) of the key and the gates g = σ(y W_recency + b_recency) "
        "of all keys after it (Peng et al. 2021, RFA)";
    component.options = {
        count_option(
            "features", "Random directions", 32, logarithmic_range(1, 1024),
            "How many directions the exponential is estimated from: each gives a sine and a cosine."),
        number_option("temperature", "Temperature τ", 1.0, logarithmic_range(0.25, 10),
                      "What the directions are divided by: the exponential is that of the cosine over τ². "
                      "The smaller, the sharper, and the less exact."),
        flag_option("gated", "Recency gate", false,
                    "Whether each token fades what is there by a gate g, and is written with 1 − g.")};
    component.known_parameters = {
        {"direction_scales", "[h d_k]", "σ, stretches the random directions of each head"},
        {"W_recency", "[d, h]", "projects the keys’ token vectors to a gate for each head"},
        {"b_recency", "[h]", "is added to these gates before their sigmoid"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("direction_scales", {plan.heads * plan.head_query_width()}, 1.0);
        if (!has_recency_gate(plan))
            return;
        list.add_with_bias("W_recency", {plan.tokens.key_width, plan.heads});
    };
    component.takes_any_mask = true;
    component.declared_stages = {
        made_stage("query_features", "Features of the queries",
                   {"sines and cosines of random directions", {{"query"}}, "÷ |q|,\nsin, cos\n→"},
                   {.lights = "similarities", .has_features = true}),
        made_stage("key_features", "Features of the keys",
                   {"sines and cosines of random directions", {keys_of("key")}, "÷ |k|,\nsin, cos\n→"},
                   {.colours_of = "query_features",
                    .lights = "similarities",
                    .is_of_keys = true,
                    .has_features = true}),
        made_stage("gates", "Gates",
                   {"what the state keeps when this token is written", token_operands(),
                    "× W_recency\n+ b_recency,\nσ\n→"},
                   {.lights = "weights", .is_of_keys = true, .is_share = true}),
        made_stage(
            "recency", "Recency",
            {"what the gates let through of each key, over the largest of the row",
             {{"gates"}},
             "1 − g, times\nthe gates after\n→"},
            {.lights = "weights", .role = StageRole::weights, .is_share = true, .leaves_out_masked = true}),
        made_stage("similarities", "Similarities",
                   {"products of features",
                    {{"query_features"}, times_keys_of("key_features"), optional_stage("recency", "∘")},
                    "where they\nmay meet\n→"},
                   {.lights = "weights", .role = StageRole::scores, .leaves_out_masked = true}),
        made_stage("row_sum", "Row sum", {}, {.lights = "weights", .role = StageRole::row}),
        declared_weights_stage({"each row over its sum", {{"similarities"}}, "÷ row sum\n→"})};
    component.define = define_fourier_features;
    return component;
}

}  // namespace headlight
