#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/attention/options.h"

#include <cmath>

namespace headlight {
namespace {

const Options& score_options(const Composer& composer) { return composer.plan.spec.score.options; }

double root_of_width(const Composer& composer) {
    return std::sqrt(static_cast<double>(composer.plan.head_key_width()));
}

/// The two halves of an energy, query side [h, n, d_a] with the bias in it, and key side [h, m, d_a].
struct EnergyHalves {
    Expression query, key;
};

EnergyHalves energy_halves(Composer& composer, const Expression& for_query, const Expression& for_key,
                           bool has_bias) {
    const Expression query = product(composer.query, for_query);
    return {composer.let("query_energy", has_bias ? query + composer.parameter("b") : query,
                         "the query’s part of the energy"),
            composer.let("key_energy", product(composer.key, for_key), "the key’s part of the energy")};
}

EnergyHalves energy_halves(Composer& composer, bool has_bias) {
    return energy_halves(composer, composer.parameter("W_1"), composer.parameter("W_2"), has_bias);
}

Expression energy_of(const EnergyHalves& halves) { return left_row(halves.query) + right_row(halves.key); }

Expression leaky(const Expression& x, double slope) { return choose(is_above(x, 0), x, slope * x); }

/// What w adds for each query [h, n, 1] and for each key [h, 1, m], and b.
Expression linear_sum(Composer& composer) {
    const Index width = composer.plan.head_query_width();
    const Expression w = composer.parameter("w");
    const Expression of_query =
        composer.let("w_query", some_columns(w, counted(0, width)), "the part of w that meets the query");
    const Expression of_key =
        composer.let("w_key", some_columns(w, counted(width, composer.plan.head_key_width())),
                     "the part of w that meets the key");
    const Expression sum =
        product_transposed(composer.query, of_query) + product_transposed(of_key, composer.key);
    return composer.plan.spec.score.bias ? sum + composer.parameter("b") : sum;
}

/// All pairs one below another, [h, n m, features], to a map [h, n, m].
Expression map_of_pairs(const Composer& composer, const Expression& pairs) {
    const Index n = composer.plan.queries, m = composer.plan.keys;
    return pick(pairs, {n, m, counted(0, n * m)}, {1, 1, {0}});
}

/// Queries or keys, each as often as it meets another: [h, n m, d].
Expression rows_of_pairs(Composer& composer, const std::string& name, const Expression& x, bool is_key) {
    const Index n = composer.plan.queries, m = composer.plan.keys;
    std::vector<Index> rows;
    for (Index pair = 0; pair < n * m; ++pair)
        rows.push_back(is_key ? pair % m : pair / m);
    return composer.let(name, some_rows(x, rows), "one row for each pair");
}

Expression network_scores(Composer& composer) {
    const Options& options = score_options(composer);
    const Score& score = composer.plan.spec.score;
    const Expression q = rows_of_pairs(composer, "query_of_pair", composer.query, false);
    const std::vector<Index> shared_key(static_cast<std::size_t>(composer.plan.heads), 0);
    const bool is_shared = composer.plan.kv_heads == 1 && composer.heads > 1;
    const Expression key = is_shared ? take_heads(composer.key, shared_key) : composer.key;
    const Expression k = rows_of_pairs(composer, "key_of_pair", key, true);
    std::vector<Expression> features{q, k};
    if (option<std::string>(options, "features") == "all") {
        features.push_back(composer.let("difference_of_pair", q - k));
        features.push_back(composer.let("product_of_pair", q * k));
    }
    const Expression seen = composer.let("features_of_pair", join_columns(features), "what the network sees");
    const Expression first = product(seen, composer.parameter("W"));
    Expression hidden = composer.let(
        "hidden_1", activated(score.activation, score.bias ? first + composer.parameter("b") : first),
        "the first hidden layer");
    const Index units = hidden.extent().columns;
    for (Index layer = 1; layer < option<Index>(options, "layers"); ++layer) {
        const std::string number = std::to_string(layer + 1);
        const Expression weights =
            composer.let("W_hidden_" + number,
                         some_rows(composer.parameter("W_deep"), counted((layer - 1) * units, units)));
        hidden = composer.let("hidden_" + number, activated(score.activation, product(hidden, weights)),
                              "another hidden layer");
    }
    const Expression scores = composer.let(
        "score_of_pair", product_transposed(hidden, composer.parameter("v")), "one number for each pair");
    return map_of_pairs(composer, scores);
}

/// Kernels theta over the scores of neighbouring queries and keys.
Expression multi_token_scores(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, m = plan.keys;
    const Index rows = option<Index>(score_options(composer), "query_width");
    const Expression raw = product_transposed(composer.query, composer.key) / root_of_width(composer);
    const Expression alone = composer.let("token_scores", composer.where_open(raw, 0),
                                          "q · k / √d, 0 where the mask forbids the pair");
    const Expression theta =
        composer.let("kernel", split_rows(composer.parameter("theta"), composer.heads), "θ of each head");
    const Index width = theta.extent().columns, half = width / 2;
    std::optional<Expression> sum;
    for (Index back = 0; back < std::min(rows, n); ++back) {
        const std::string number = std::to_string(back);
        std::optional<Expression> kernel;
        for (Index at = 0; at < width; ++at) {
            const Expression shift = composer.constant(
                numbered("shift_", at), {0, m, m}, "1 where a key is read for another",
                [&](Index, Index key, Index to) { return key == to + half - at ? 1.0 : 0.0; });
            const Expression term = pick(theta, {1, 1, {back}}, {1, 1, {at}}) * shift;
            kernel = kernel ? *kernel + term : term;
        }
        const Expression across = composer.let("kernel_" + number, *kernel, "θ as a matrix of keys");
        const Expression down = composer.constant(
            "queries_back_" + number, {0, n, n}, "1 where a query reads one " + number + " places back",
            [&](Index, Index row, Index column) { return row - column == back ? 1.0 : 0.0; });
        const Expression shifted = composer.let("scores_back_" + number, product(down, alone));
        const Expression term = product(shifted, across);
        sum = sum ? *sum + term : term;
    }
    return *sum;
}

/// Scores less what the queries before erased.
Expression selective_scores(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression content = composer.let(
        "products_of_pairs", product_transposed(composer.query, composer.key) / root_of_width(composer),
        "q · k / √d");
    const Expression erases = composer.constant(
        "erases", {0, plan.queries, plan.keys}, "1 where a query may erase a key for those after it",
        [&](Index, Index row, Index column) {
            return column != 0 && column != row &&
                           (!composer.mask_excludes() || composer.may_meet(row, column))
                       ? 1.0
                       : 0.0;
        });
    const Expression first = composer.let("erased_keys", relu_of(take_heads(content, {0})) * erases,
                                          "what each query erases: positive scores of the first head");
    const Expression before = composer.constant(
        "queries_before", {0, plan.queries, plan.queries}, "1 for each query before this one",
        [](Index, Index row, Index column) { return column < row ? 1.0 : 0.0; });
    const Expression lost = composer.let("erased_before", product(before, first));
    return content - lost;
}

}  // namespace

std::optional<Expression> write_scores(Composer& composer) {
    const Plan& plan = composer.plan;
    const Score& score = plan.spec.score;
    const Options& options = score.options;
    const Expression &q = composer.query, &k = composer.key;
    switch (score.type) {
    case ScoreType::dot:
    case ScoreType::scaled_dot:
    case ScoreType::learned_scale:
    case ScoreType::self_similarity:
        return product_transposed(q, k);
    case ScoreType::general:
        return product_transposed(
            composer.let("transformed_query", product(q, composer.parameter("W")), "queries times W"), k);
    case ScoreType::concat: {
        const Expression W = composer.parameter("W");
        const Expression upper = composer.let("W_upper", some_rows(W, counted(0, plan.head_query_width())),
                                              "the rows that meet q");
        const Expression lower =
            composer.let("W_lower", some_rows(W, counted(plan.head_query_width(), plan.head_key_width())),
                         "the rows that meet k");
        return sum_of_pairs(
            composer.parameter("v") *
            activated(score.activation, energy_of(energy_halves(composer, upper, lower, score.bias))));
    }
    case ScoreType::additive:
        return sum_of_pairs(composer.parameter("v") *
                            activated(score.activation, energy_of(energy_halves(composer, score.bias))));
    case ScoreType::normalized_additive:
        return sum_of_pairs(direction_of(composer, "v", composer.parameter("v")) *
                            activated(score.activation, energy_of(energy_halves(composer, true))));
    case ScoreType::dynamic_graph: {
        const Expression energy = energy_of(energy_halves(composer, score.bias));
        return sum_of_pairs(composer.parameter("v") * leaky(energy, option<double>(options, "slope")));
    }
    case ScoreType::elementwise_additive:
        return sum_of_pairs(composer.parameter("v") *
                            activated(score.activation, left_row(q) + right_row(k)));
    case ScoreType::elementwise_concat:
        return sum_of_pairs(
            activated(score.activation, composer.parameter("s") * (left_row(q) + right_row(k))));
    case ScoreType::cosine:
    case ScoreType::scaled_cosine:
        return product_transposed(direction_of(composer, "query", q), direction_of(composer, "key", k));
    case ScoreType::gaussian:
    case ScoreType::euclidean: {
        const Expression difference = left_row(q) - right_row(k);
        return -sum_of_pairs(difference * difference);
    }
    case ScoreType::linear:
        return linear_sum(composer);
    case ScoreType::trilinear: {
        const Expression of_product =
            composer.let("w_product",
                         some_columns(composer.parameter("w"),
                                      counted(2 * plan.head_query_width(), plan.head_query_width())),
                         "the part of w that meets q ∘ k");
        const Expression weighted = composer.let("weighted_query", q * of_product);
        return linear_sum(composer) + product_transposed(weighted, k);
    }
    case ScoreType::graph:
        return leaky(composer.let("linear_scores", linear_sum(composer), "w · [q; k] + b"),
                     option<double>(options, "slope"));
    case ScoreType::mlp:
        return network_scores(composer);
    case ScoreType::location:
        return product(q, composer.parameter("W_slots"));
    case ScoreType::dense_synthesizer: {
        const Expression inside = product(q, composer.parameter("W_1"));
        const Expression hidden =
            composer.let("hidden", relu_of(score.bias ? inside + composer.parameter("b") : inside));
        return product(hidden, composer.parameter("W_slots"));
    }
    case ScoreType::random_synthesizer:
        if (option<Index>(options, "rank") == 0)
            return split_rows(composer.parameter("R"), composer.heads);
        return product_transposed(
            composer.let("R_queries", split_rows(composer.parameter("R_1"), composer.heads)),
            composer.let("R_keys", split_rows(composer.parameter("R_2"), composer.heads)));
    case ScoreType::multi_token:
        return multi_token_scores(composer);
    case ScoreType::selective:
        return selective_scores(composer);
    case ScoreType::location_aware:
    case ScoreType::coverage:
        return {};
    }
    return {};
}

namespace {

/// Returns the scale of the score alone.
Expression own_scale(Composer& composer) {
    const Score& score = composer.plan.spec.score;
    const Options& options = score.options;
    const Expression width = static_cast<double>(composer.plan.head_key_width());
    switch (score.type) {
    case ScoreType::scaled_dot:
    case ScoreType::euclidean:
        return 1 / root_of(width);
    case ScoreType::learned_scale:
    case ScoreType::normalized_additive:
    case ScoreType::elementwise_concat:
        return composer.parameter("g");
    case ScoreType::cosine:
        return option<double>(options, "beta");
    case ScoreType::scaled_cosine:
        return composer.let("sharpness", smaller_of(exp_of(composer.parameter_of_heads("log_tau")), 100),
                            "of each head, at most 100");
    case ScoreType::gaussian:
        return 0.5 / std::pow(option<double>(options, "sigma"), 2);
    case ScoreType::location_aware:
        return option<double>(options, "sharpening");
    default:
        return 1;
    }
}

}  // namespace

Expression scale_of_scores(Composer& composer) {
    const Expression scale = own_scale(composer);
    const PositionComponent* position = component_of(composer.plan.spec.position.type);
    return position && position->define_scale ? position->define_scale(composer, scale) : scale;
}

Expression write_weights_row_by_row(Composer& composer) {
    const Plan& plan = composer.plan;
    const Score& score = plan.spec.score;
    const Index m = plan.keys;
    const EnergyHalves halves = energy_halves(composer, score.bias);
    const bool is_coverage = score.type == ScoreType::coverage;
    const bool is_cumulative = is_coverage || option<bool>(score.options, "cumulative");
    const Expression v = composer.parameter("v");

    /// What the rows so far add to the inside of the energy, [h, m, d_a].
    const auto inside = [&](const std::string& suffix, const Expression& seen) -> Expression {
        if (is_coverage)
            return composer.let("coverage_energy" + suffix,
                                product(transposed(seen), composer.parameter("w_c")),
                                "what the coverage adds to the energy");
        const Expression F = composer.parameter("F");
        const Index width = F.extent().columns, centre = (width - 1) / 2;
        std::vector<Expression> near;
        for (Index at = 0; at < width; ++at) {
            const Expression shift = composer.constant(
                numbered("neighbour_", at), {0, m, m}, "1 where a filter reads a neighbour of a key",
                [&](Index, Index from, Index to) { return from - to + centre == at ? 1.0 : 0.0; });
            near.push_back(transposed(composer.let(numbered("seen_", at) + suffix, product(seen, shift))));
        }
        const Expression neighbours =
            composer.let("neighbours" + suffix, join_columns(near), "the weights before around each key");
        const Expression found =
            composer.let("found" + suffix, product_transposed(neighbours, F), "what the filters find");
        return composer.let("location_energy" + suffix, product(found, composer.parameter("U")),
                            "what the filters add to the energy");
    };
    /// Before the first query: nothing is covered; filters see a uniform row, or the sum of no rows.
    const auto start = [&](Index, Index, Index column) {
        if (is_cumulative)
            return 0.0;
        const auto open = plan.allowed.row(0);
        Index count = 0;
        for (const std::uint8_t each : open)
            count += plan.spec.mask_value || each;
        const bool is_open = plan.spec.mask_value || open[static_cast<std::size_t>(column)];
        return is_open && count > 0 ? 1 / static_cast<double>(count) : 0.0;
    };
    Expression seen =
        composer.constant("seen_before", {composer.heads, 1, m}, "weights before the first query", start);
    std::vector<Expression> rows;
    for (Index query = 0; query < plan.queries; ++query) {
        const std::string suffix = numbered("_", query + 1);
        const Expression more = inside(suffix, seen);
        const Expression own = composer.let("query_energy" + suffix, some_rows(halves.query, {query}));
        const Expression raw = sum_of_pairs(
            v * activated(score.activation, left_row(own) + right_row(halves.key) + right_row(more)));
        const Expression scores = write_final_scores(composer, raw, query, suffix);
        const Expression row = write_weights(composer, scores, "weights" + suffix, suffix);
        rows.push_back(row);
        if (query + 1 < plan.queries)
            seen = is_cumulative && query > 0
                       ? composer.let("seen" + suffix, seen + row, "the sum of the rows so far")
                       : row;
    }
    return join_rows(rows);
}

}  // namespace headlight
