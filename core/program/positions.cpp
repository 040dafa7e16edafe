#include "core/attention/options.h"
#include "core/attention/positions/alibi.h"
#include "core/attention/positions/t5_buckets.h"
#include "core/attention/rotation.h"
#include "core/attention/composer.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

const Options& position_options(const Composer& composer) { return composer.plan.spec.position.options; }

Places places(Index rows, Index columns, const std::function<Index(Index row, Index column)>& place) {
    Places made{rows, columns, {}};
    for (Index row = 0; row < rows; ++row)
        for (Index column = 0; column < columns; ++column)
            made.numbers.push_back(place(row, column));
    return made;
}

/// In the place (i, j) what row i of `x` has in column `column(i, j)`.
Expression by_distance(const Composer& composer, const Expression& x,
                       const std::function<Index(Index query, Index key)>& column) {
    const Index n = composer.plan.queries, m = composer.plan.keys;
    return pick(x, {n, 1, counted(0, n)}, places(n, m, column));
}

Index clipped_distance(Index query, Index key, Index most) {
    return std::clamp(key - query, -most, most) + most;
}

Expression with_shaw(Composer& composer, const Expression& scores) {
    const Expression a = composer.parameter("a_K");
    const Index most = (a.extent().rows - 1) / 2;
    const Expression relative = composer.let("distance_scores", product_transposed(composer.query, a),
                                             "what each query asks of each distance");
    return scores + by_distance(composer, relative,
                                [&](Index query, Index key) { return clipped_distance(query, key, most); });
}

Expression with_transformer_xl(Composer& composer, const Expression& scores) {
    const Plan& plan = composer.plan;
    const Index distances = plan.queries + plan.keys - 1;
    const Expression W_r = composer.parameter("W_r");
    const Index width = W_r.extent().rows;
    const Expression sinusoids =
        composer.constant("distance_sinusoids", {0, distances, width}, "sines and cosines of each distance",
                          [&](Index, Index row, Index column) {
                              return sinusoid(static_cast<double>(plan.queries - 1 - row), column, width);
                          });
    const Expression table =
        composer.let("distance_keys", split_heads(product(sinusoids, W_r), composer.heads), "R W_r");
    const Expression u = composer.let("u", split_rows(composer.parameter("u_content"), composer.heads));
    const Expression asking =
        composer.let("query_of_place",
                     composer.query + split_rows(composer.parameter("u_position"), composer.heads), "q + v");
    const Expression of_place =
        composer.let("distance_scores", product_transposed(asking, table), "(q + v) · R for each distance");
    return scores + product_transposed(u, composer.key) +
           by_distance(composer, of_place,
                       [&](Index query, Index key) { return plan.queries - 1 - query + key; });
}

Expression with_deberta(Composer& composer, Expression scores) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, m = plan.keys;
    const Expression P = composer.parameter("P_relative");
    const Index k = P.extent().rows / 2;
    const std::string& terms = option<std::string>(position_options(composer), "terms");
    const bool as_released = option<std::string>(position_options(composer), "p2c") == "released";
    const auto delta = [&](Index from, Index to) { return std::clamp(from - to + k, Index(0), 2 * k - 1); };
    if (terms != "position_to_content") {
        const Expression keys = composer.let(
            "distance_keys", split_heads(product(P, composer.parameter("W_kr")), composer.heads), "P W_kr");
        const Expression asked =
            composer.let("answers_of_keys", product_transposed(composer.query, keys), "of each distance");
        scores = scores + by_distance(composer, asked, delta);
    }
    if (terms != "content_to_position") {
        const Expression queries =
            composer.let("distance_queries",
                         split_heads(product(P, composer.parameter("W_qr")), composer.heads), "P W_qr");
        const Expression asked =
            composer.let("answers_of_queries", product_transposed(composer.key, queries), "of each distance");
        scores = scores + pick(asked, {1, m, counted(0, m)}, places(n, m, [&](Index query, Index key) {
                                   return as_released ? delta(query, key) : delta(key, query);
                               }));
    }
    return scores;
}

/// k · q, the query reflected at every token on the way.
Expression path_scores(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries;
    const double strength = option<double>(position_options(composer), "strength");
    const Expression w = direction_of(
        composer, "path",
        composer.let("path", split_heads(composer.projected(composer.key_tokens, "W_path"), composer.heads),
                     "directions of the reflections"));
    const Expression beta = composer.let(
        "path_strength",
        strength * 2 *
            sigmoid_of(split_heads(composer.projected(composer.key_tokens, "W_beta"), composer.heads)),
        "strengths of the reflections");
    std::vector<Expression> products;
    std::vector<Index> starts;
    Index total = 0;
    const auto meet = [&](const std::string& suffix, const Expression& walker, Index first_key) {
        const Index rows = walker.extent().rows;
        const Expression keys =
            composer.let("key" + suffix, some_rows(composer.key, counted(first_key, rows)));
        products.push_back(composer.let("path_product" + suffix, sum_of_columns(walker * keys),
                                        "queries that have come this far, times their key"));
        starts.push_back(total);
        total += rows;
    };
    const auto reflect = [&](const std::string& suffix, const Expression& walker, Index first_token) {
        const std::vector<Index> tokens = counted(first_token, walker.extent().rows);
        const Expression along = composer.let("direction" + suffix, some_rows(w, tokens));
        const Expression by = composer.let("strength" + suffix, some_rows(beta, tokens));
        return composer.let("reflected" + suffix, walker - by * along * sum_of_columns(walker * along));
    };
    Expression walker = composer.query;
    for (Index step = 0; step < n; ++step) {
        const std::string suffix = numbered("_back_", step);
        meet(suffix, walker, 0);
        if (step + 1 == n)
            break;
        // Row r stands at query step + r and at token r; the next token is the one before.
        const Expression reflected = reflect(suffix, walker, 0);
        walker = composer.let("walker" + suffix, some_rows(reflected, counted(1, n - step - 1)));
    }
    walker = composer.query;
    for (Index step = 1; step < n; ++step) {
        const std::string suffix = numbered("_ahead_", step);
        const Expression rest = composer.let("walker" + suffix, some_rows(walker, counted(0, n - step)));
        walker = reflect(suffix, rest, step);
        meet(suffix, walker, step);
    }
    const Expression all = composer.let("path_products", join_rows(products));
    return pick(all,
                places(n, n,
                       [&](Index query, Index key) {
                           return key <= query
                                      ? starts[static_cast<std::size_t>(query - key)] + key
                                      : starts[static_cast<std::size_t>(n - 1 + key - query)] + query;
                       }),
                {1, 1, {0}});
}

Expression distance_of_places(Composer& composer) {
    return absolute_of(composer.query_places() - composer.key_places());
}

Expression alibi(Composer& composer) {
    const Options& options = position_options(composer);
    const double slope = option<double>(options, "slope");
    const std::string& form = option<std::string>(options, "form");
    const Expression slopes = composer.constant(
        "slopes", {composer.heads, 1, 1}, "how steeply each head falls",
        [&](Index head, Index, Index) { return slope > 0 ? slope : alibi_slope(head, composer.plan.heads); });
    if (form == "key_only")
        return slopes * (composer.key_places() + 0 * composer.query_places());
    const Expression distance =
        form == "absolute" ? distance_of_places(composer) : composer.query_places() - composer.key_places();
    return -slopes * distance;
}

Expression t5(Composer& composer) {
    const Options& options = position_options(composer);
    const T5Buckets bucket{option<Index>(options, "buckets"), option<Index>(options, "max_distance"),
                           option<bool>(options, "bidirectional")};
    const Expression table = composer.let(
        "bias_of_buckets", split_rows(transposed(composer.parameter("relative_bias")), composer.heads),
        "a number for each bucket of distances");
    const Index n = composer.plan.queries, m = composer.plan.keys;
    return pick(table, {1, 1, {0}},
                places(n, m, [&](Index query, Index key) { return bucket(key - query); }));
}

Expression kerple(Composer& composer) {
    const Options& options = position_options(composer);
    const auto number = [&](const std::string& name) -> Expression {
        const double given = option<double>(options, name);
        return given > 0 ? Expression(given) : absolute_of(composer.parameter_of_heads(name));
    };
    const Expression distance = distance_of_places(composer), r_1 = number("r_1"), r_2 = number("r_2");
    return option<std::string>(options, "form") == "power" ? -r_1 * power_of(distance, r_2)
                                                           : -r_1 * log_of(1 + r_2 * distance);
}

Expression sandwich(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index pairs = option<Index>(position_options(composer), "width") / 2;
    const auto angle = [&](Index, Index row, Index column) {
        return static_cast<double>(row) * pair_frequency(column, 2 * pairs);
    };
    const Expression of_query =
        composer.constant("query_angles", {0, plan.queries, pairs}, "angles of the queries’ places", angle);
    const Expression of_key =
        composer.constant("key_angles", {0, plan.keys, pairs}, "angles of the keys’ places", angle);
    const Expression flatness = composer.constant(
        "flatness", {composer.heads, 1, 1}, "what each head divides by", [&](Index head, Index, Index) {
            return 8 * static_cast<double>(head + 1) / static_cast<double>(plan.heads);
        });
    return sum_of_pairs(cos_of(left_row(of_query) - right_row(of_key))) / flatness;
}

Expression fire(Composer& composer) {
    const Plan& plan = composer.plan;
    const Options& options = position_options(composer);
    const Index n = plan.queries, m = plan.keys;
    const double c = option<double>(options, "c"), L = option<double>(options, "L");
    const Expression near = composer.constant(
        "pair_distances", {0, n * m, 1}, "|i − j| of each pair, one below another",
        [&](Index, Index row, Index) { return static_cast<double>(std::abs(row / m - row % m)); });
    const Expression far = composer.constant("pair_lengths", {0, n * m, 1}, "max(i, L) of each pair",
                                             [&](Index, Index row, Index) {
                                                 const Index i = row / m;
                                                 return std::max(static_cast<double>(i), L);
                                             });
    const Expression share =
        composer.let("pair_shares", log_of(c * near + 1) / log_of(c * far + 1), "ψ(|i − j|) / ψ(max(i, L))");
    const Expression hidden = composer.let(
        "pair_hidden", relu_of(share * composer.parameter("W_fire_1") + composer.parameter("b_fire_1")),
        "the hidden layer of each pair");
    const Expression biases = composer.let("pair_biases", composer.projected(hidden, "W_fire_2", "b_fire_2"),
                                           "a number for each head");
    const Expression by_head = composer.let("bias_of_pairs", split_rows(transposed(biases), composer.heads));
    return pick(by_head, {1, 1, {0}}, places(n, m, [&](Index query, Index key) { return query * m + key; }));
}

Expression forgetting(Composer& composer) {
    const Index n = composer.plan.queries;
    const Expression raw =
        composer.let("gate_numbers", composer.projected(composer.key_tokens, "W_f", "b_f"));
    const Expression logs =
        composer.let("log_gates", split_rows(transposed(log_sigmoid_of(raw)), composer.heads),
                     "ln of what each token keeps");
    const Expression sums = composer.let("log_gates_so_far", cumulative_sum(logs));
    const Expression of_query =
        composer.let("forgotten_until_query", transposed(some_columns(sums, counted(0, n))));
    return -absolute_of(of_query - sums);
}

/// Places that the scores count, between two of the table's.
Expression cope(Composer& composer, const Expression& scaled_scores) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, m = plan.keys;
    const Expression e = composer.parameter("e_p");
    const Index positions = e.extent().columns;
    const Expression gates =
        composer.let("counts_as_place", composer.where_open(sigmoid_of(scaled_scores), 0),
                     "whether a key counts as a place");
    const Expression later =
        composer.constant("from_here", {0, m, m}, "1 for each key from this one on",
                          [](Index, Index row, Index column) { return row >= column ? 1.0 : 0.0; });
    const Expression counts =
        composer.let("counted_places", smaller_of(product(gates, later), static_cast<double>(positions - 1)),
                     "places from the key to the query");
    const Expression asked =
        composer.let("place_scores", product(composer.query, e), "what each query asks of each place");
    std::vector<Index> rows, columns;
    for (Index pair = 0; pair < n * m; ++pair) {
        rows.push_back(pair / m);
        columns.push_back(pair % m);
    }
    const Expression of_pair = composer.let(
        "place_of_pair", pick(counts, {n * m, 1, rows}, {n * m, 1, columns}), "one pair below another");
    const Expression answers = composer.let("scores_of_pair", some_rows(asked, rows));
    const Expression numbers =
        composer.constant("place_numbers", {0, 1, positions}, "0, 1, 2, ...",
                          [](Index, Index, Index column) { return static_cast<double>(column); });
    const Expression between =
        composer.let("bias_of_pair", sum_of_columns(relu_of(1 - absolute_of(of_pair - numbers)) * answers),
                     "between the two nearest places");
    return pick(between, {n, m, counted(0, n * m)}, {1, 1, {0}});
}

}  // namespace

Expression with_position_scores(Composer& composer, const Expression& scores) {
    switch (composer.plan.spec.position.type) {
    case PositionType::shaw:
        return with_shaw(composer, scores);
    case PositionType::transformer_xl:
        return with_transformer_xl(composer, scores);
    case PositionType::deberta:
        return with_deberta(composer, scores);
    case PositionType::path:
        return path_scores(composer);
    default:
        return scores;
    }
}

std::optional<Expression> write_position_bias(Composer& composer, const Expression& scaled_scores) {
    switch (composer.plan.spec.position.type) {
    case PositionType::alibi:
        return alibi(composer);
    case PositionType::t5:
        return t5(composer);
    case PositionType::kerple:
        return kerple(composer);
    case PositionType::sandwich:
        return sandwich(composer);
    case PositionType::fire:
        return fire(composer);
    case PositionType::forgetting:
        return forgetting(composer);
    case PositionType::cope:
        return cope(composer, scaled_scores);
    case PositionType::none:
    case PositionType::sinusoidal:
    case PositionType::learned:
    case PositionType::rope:
    case PositionType::xpos:
    case PositionType::shaw:
    case PositionType::transformer_xl:
    case PositionType::deberta:
    case PositionType::path:
        return {};
    }
    return {};
}

Expression with_position_context(Composer& composer, const Expression& weights, const Expression& context) {
    const Plan& plan = composer.plan;
    if (plan.spec.position.type != PositionType::shaw || !option<bool>(position_options(composer), "values"))
        return context;
    const Expression a = composer.parameter("a_V");
    const Index most = (a.extent().rows - 1) / 2;
    std::vector<Expression> rows;
    for (Index query = 0; query < plan.queries; ++query) {
        const std::string number = std::to_string(query + 1);
        std::vector<Index> distances;
        for (Index key = 0; key < plan.keys; ++key)
            distances.push_back(clipped_distance(query, key, most));
        const Expression own = composer.let("weights_of_query_" + number, some_rows(weights, {query}));
        const Expression vectors = composer.let("distances_of_query_" + number, some_rows(a, distances));
        rows.push_back(composer.let("distance_context_" + number, product(own, vectors)));
    }
    return context + join_rows(rows);
}

}  // namespace headlight
