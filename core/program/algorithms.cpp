#include "core/program/algorithms.h"

#include "core/attention/algorithms/performer.h"
#include "core/attention/options.h"
#include "core/attention/rotation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight {
namespace {

const Options& algorithm_options(const Composer& composer) { return composer.plan.spec.algorithm.options; }

Expression root_of_head_width(const Composer& composer) {
    return root_of(static_cast<double>(composer.plan.head_key_width()));
}

/// Numbers of the pairs that may meet, each row divided by its sum.
Expression shares_of(Composer& composer, const Expression& kernel) {
    const Expression raw =
        composer.let("kernel_values", composer.where_open(kernel, 0), "what takes the place of exp(q · k)");
    const Expression sum = composer.let("kernel_sum", sum_of_columns(raw), "the sum of each row");
    return write_attended_values(
        composer, composer.let("weights", raw / not_zero(sum), "what each query gives to each key"));
}

Expression linear(Composer& composer) {
    const auto feature = [](const Expression& x) { return choose(is_above(x, 0), x + 1, exp_of(x)); };
    const Expression q = composer.let("query_feature", feature(composer.query), "elu(q) + 1");
    const Expression k = composer.let("key_feature", feature(composer.key), "elu(k) + 1");
    return shares_of(composer, product_transposed(q, k));
}

Expression cosformer(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index length =
        std::max({option<Index>(algorithm_options(composer), "length"), plan.queries, plan.keys});
    const Expression q = composer.let("query_feature", relu_of(composer.query));
    const Expression k = composer.let("key_feature", relu_of(composer.key));
    const Expression away = composer.query_places() - composer.key_places();
    return shares_of(composer, product_transposed(q, k) *
                                   cos_of(away * (std::numbers::pi / 2 / static_cast<double>(length))));
}

Expression based(Composer& composer) {
    const Expression s = composer.let("scaled_products", product_transposed(composer.query, composer.key) /
                                                             root_of_head_width(composer));
    return shares_of(composer, 1 + s + s * s / 2);
}

Expression rebased(Composer& composer) {
    const bool normalizes = option<bool>(algorithm_options(composer), "normalize");
    const auto affine = [&](const std::string& name, Expression x, const std::string& suffix) {
        const auto width = static_cast<double>(x.extent().columns);
        constexpr double epsilon = 1e-5;
        if (normalizes) {
            const Expression centred = composer.let("centred_" + name, x - sum_of_columns(x) / width);
            x = centred / root_of(sum_of_columns(centred * centred) / width + epsilon);
        }
        return composer.let(name + "_affine",
                            composer.parameter("gamma_" + suffix) * x + composer.parameter("beta_" + suffix),
                            "γ x + β, feature by feature");
    };
    const Expression q = affine("query", composer.query, "q"), k = affine("key", composer.key, "k");
    const Expression products = composer.let("affine_products", product_transposed(q, k));
    return shares_of(composer, products * products);
}

/// The last key that each query sees: 0 where it sees none.
Index newest_key(const Composer& composer, Index query) {
    return std::max<Index>(composer.plan.allowed.end(query) - 1, 0);
}

Expression retention(Composer& composer) {
    const Plan& plan = composer.plan;
    const double given = option<double>(algorithm_options(composer), "gamma");
    const Expression decay = composer.constant(
        "decays", {composer.heads, plan.queries, plan.keys}, "γ to the power of the steps since the key",
        [&](Index head, Index row, Index column) {
            const double gamma = given > 0 ? given : 1 - std::pow(2.0, -5 - static_cast<double>(head));
            return composer.may_meet(row, column)
                       ? std::pow(gamma, static_cast<double>(newest_key(composer, row) - column))
                       : 0;
        });
    const Expression kept =
        product_transposed(composer.query, composer.key) * scale_of_queries(composer) * decay;
    if (!option<bool>(algorithm_options(composer), "normalize"))
        return write_attended_values(composer, composer.let("weights", kept, "products that fade"));
    const Expression raw = composer.let("faded_products", kept, "products that fade");
    const Expression sum = composer.let("faded_sum", larger_of(absolute_of(sum_of_columns(raw)), 1));
    return write_attended_values(composer,
                                 composer.let("weights", raw / sum, "what each query gives to each key"));
}

/// Products of queries and keys, each key faded by the logarithms [h, m, 1 or d] of the gates after it.
Expression gated(Composer& composer, const std::optional<Expression>& log_gates, const Expression& keys) {
    const Plan& plan = composer.plan;
    std::optional<Expression> products;
    if (log_gates) {
        // A gate of 0 has a logarithm without end, and the difference of two such is no number: a power of
        // this one is 0 as well.
        constexpr double nothing_is_kept = -746;
        const Expression so_far =
            composer.let("log_gates_so_far",
                         transposed(cumulative_sum(transposed(larger_of(*log_gates, nothing_is_kept)))),
                         "logarithms of the gates, added up");
        std::vector<Index> newest;
        for (Index query = 0; query < plan.queries; ++query)
            newest.push_back(newest_key(composer, query));
        const Expression reached = composer.let("log_gates_at_query", some_rows(so_far, newest));
        products = sum_of_pairs(left_row(composer.query) * right_row(keys) *
                                exp_of(left_row(reached) - right_row(so_far)));
    } else {
        products = product_transposed(composer.query, keys);
    }
    return write_attended_values(
        composer, composer.let("weights", composer.where_open(*products * scale_of_queries(composer), 0),
                               "products that fade by the gates"));
}

Expression gated_linear(Composer& composer) {
    const Options& options = algorithm_options(composer);
    if (!option<bool>(options, "forgets"))
        return gated(composer, {}, composer.key);
    const Expression raw = composer.let(
        "gate_numbers",
        split_heads(composer.projected(composer.key_tokens, "W_alpha", "b_alpha"), composer.heads));
    const Expression log_gates =
        composer.let("log_gates", log_sigmoid_of(raw) / option<double>(options, "temperature"),
                     "ln of what each feature of the state keeps");
    return gated(composer, log_gates, composer.key);
}

Expression state_space(Composer& composer) {
    const Options& options = algorithm_options(composer);
    const Expression steps = composer.let(
        "step_sizes",
        softplus_of(split_heads(composer.projected(composer.key_tokens, "W_dt", "b_dt"), composer.heads)),
        "softplus(y W_dt + b_dt)");
    std::optional<Expression> log_gates;
    if (option<bool>(options, "forgets"))
        log_gates = composer.let("log_gates", -exp_of(composer.parameter_of_heads("A_log")) * steps);
    const Expression keys = option<bool>(options, "discretize")
                                ? composer.let("stepped_key", composer.key * steps, "keys times their steps")
                                : composer.key;
    return gated(composer, log_gates, keys);
}

Expression efficient(Composer& composer) {
    const Expression shares = softmax_of(composer, "query_shares", composer.query);
    const Expression powers = composer.let("key_powers", exp_of(composer.key - maximum_of_rows(composer.key)),
                                           "exp(key − largest of its column)");
    const Plan& plan = composer.plan;
    const Expression open = composer.constant(
        "open_pairs", {0, plan.queries, plan.keys}, "1 where a query sees a key",
        [&](Index, Index row, Index column) { return composer.may_meet(row, column) ? 1.0 : 0.0; });
    const Expression sums =
        composer.let("key_sums", product(open, powers), "over the keys that a query sees");
    const Expression of_keys = composer.let("share_of_powers", shares / not_zero(sums));
    return write_attended_values(composer, composer.let("weights", product_transposed(of_keys, powers) * open,
                                                        "what each query gives to each key"));
}

/// Means of neighbouring rows, [count, rows], of the first `size` rows.
Expression means_of_segments(Composer& composer, const std::string& name, Index count, Index size,
                             Index rows) {
    return composer.constant(
        name, {0, count, rows}, "means of neighbours", [=](Index, Index row, Index column) {
            const Index begin = row * size / count, end = (row + 1) * size / count;
            return column >= begin && column < end ? 1 / static_cast<double>(end - begin) : 0.0;
        });
}

Expression linformer(Composer& composer) {
    const Plan& plan = composer.plan;
    const Options& options = algorithm_options(composer);
    const auto real = static_cast<double>(plan.allowed.end(0));
    Expression for_keys = 0, for_values = 0;
    if (option<std::string>(options, "pooling") == "learned") {
        for_keys = composer.parameter("E");
        for_values = composer.parameter("F");
    } else {
        const Index keys = plan.allowed.end(0), rank = std::min(option<Index>(options, "rank"), keys);
        for_keys = for_values = means_of_segments(composer, "segment_means", rank, keys, plan.keys);
    }
    const Expression is_real = composer.constant(
        "real_keys", {0, 1, plan.keys}, "1 for keys that are no padding",
        [=](Index, Index, Index column) { return static_cast<double>(column) < real ? 1.0 : 0.0; });
    const Expression pooled =
        composer.let("pooled_key", product(for_keys * is_real, composer.key), "keys summed up");
    const Expression map =
        softmax_of(composer, "pooled_weights",
                   product_transposed(composer.query, pooled) / root_of_head_width(composer));
    return write_attended_values(
        composer, composer.let("weights", product(map, for_values) * is_real, "weights of the keys"));
}

Expression hopfield(Composer& composer) {
    const Options& options = algorithm_options(composer);
    const double given = option<double>(options, "beta");
    const Expression beta = given > 0 ? Expression(given) : 1 / root_of_head_width(composer);
    Expression state = composer.query;
    std::optional<Expression> weights;
    const Index steps = option<Index>(options, "steps");
    for (Index step = 1; step <= steps; ++step) {
        const Expression scores =
            composer.where_open(product_transposed(state, composer.key) * beta, minus_infinity());
        weights = softmax_of(composer, step == steps ? "weights" : numbered("retrieval_", step), scores);
        if (step < steps)
            state =
                composer.let(numbered("state_", step), product(*weights, composer.key), "what was retrieved");
    }
    return write_attended_values(composer, *weights);
}

Expression external_memory(Composer& composer) {
    const Expression scores =
        composer.let("slot_products", product_transposed(composer.query, composer.parameter("M_k")));
    const Expression powers = composer.let("slot_powers", exp_of(scores - maximum_of_rows(scores)));
    const Expression shares =
        composer.let("slot_shares", powers / sum_of_rows(powers), "softmax of each column");
    const Expression of_slots =
        composer.let("slots_of_token", shares / sum_of_columns(shares), "each row divided by its sum");
    composer.let("weights", product_transposed(of_slots, shares), "through the slots");
    return composer.let("context", product(of_slots, composer.parameter("M_v")), "what the slots hold");
}

Expression differential(Composer& composer) {
    const Options& options = algorithm_options(composer);
    const Index half = composer.plan.head_query_width() / 2;
    const double initial = 0.8 - 0.6 * std::exp(-0.3 * static_cast<double>(option<Index>(options, "layer")));
    const auto map = [&](const char* name, Index first) {
        const Expression q =
            composer.let(std::string("query_of_") + name, some_columns(composer.query, counted(first, half)));
        const Expression k =
            composer.let(std::string("key_of_") + name, some_columns(composer.key, counted(first, half)));
        const Expression scores = product_transposed(q, k) / root_of(static_cast<double>(half));
        return softmax_of(composer, name, composer.where_open(scores, minus_infinity()));
    };
    const auto strength = [&](const char* q, const char* k) {
        return exp_of(sum_of_columns(composer.parameter(q) * composer.parameter(k)));
    };
    const Expression lambda = composer.let(
        "strength", strength("lambda_q1", "lambda_k1") - strength("lambda_q2", "lambda_k2") + initial, "λ");
    const Expression first = map("first_map", 0), second = map("second_map", half);
    const Expression weights = composer.let("weights", first - lambda * second, "one map less the other");
    Expression context = product(weights, composer.value);
    if (option<bool>(options, "norm")) {
        const Expression raw = composer.let("unscaled_context", context);
        constexpr double epsilon = 1e-5;
        const Expression size =
            root_of(sum_of_columns(raw * raw) / static_cast<double>(raw.extent().columns) + epsilon);
        context = raw * composer.parameter("g_head") * (1 - initial) / size;
    }
    return composer.let("context", context, "the values that each query gets");
}

Expression attention_free(Composer& composer) {
    const Plan& plan = composer.plan;
    const Options& options = algorithm_options(composer);
    const std::string& kind = option<std::string>(options, "biases");
    std::optional<Expression> biases;
    if (kind == "local") {
        const Index window = option<Index>(options, "window");
        biases = composer.parameter("position_biases") *
                 composer.constant("is_near", {0, plan.queries, plan.keys}, "1 where a pair is near enough",
                                   [=](Index, Index row, Index column) {
                                       return std::abs(row - column) < window ? 1.0 : 0.0;
                                   });
    } else if (kind != "simple") {
        biases = composer.parameter("position_biases");
    }
    // Each channel is a head of its own: a softmax over the keys, whose scores are the channel of the keys
    // and what the places add to it.
    const Index channels = composer.value.extent().matrices() * plan.head_value_width();
    const auto by_channel = [&](const Expression& x) { return split_heads(join_heads(x), channels); };
    const Expression is_open =
        composer.truth("is_open", {0, plan.queries, plan.keys}, "whether a query sees a key",
                       [&](Index row, Index column) { return composer.may_meet(row, column); });
    const Expression keys =
        composer.let("key_of_channels", transposed(by_channel(composer.key)), "[channel, 1, key]");
    const Expression exponents = composer.let(
        "exponents", choose(is_open, biases ? keys + *biases : keys, minus_infinity()), "of each channel");
    const Expression shares = softmax_of(composer, "channel_shares", exponents);
    const Index heads = std::max<Index>(composer.heads, 1), width = channels / heads;
    const Expression means_of_channels =
        composer.constant("means_of_channels", {0, heads, channels}, "1 / d for the channels of each head",
                          [=](Index, Index row, Index column) {
                              return column / width == row ? 1 / static_cast<double>(width) : 0.0;
                          });
    const Expression means = mix_heads(means_of_channels, shares);
    composer.let("weights", composer.heads > 0 ? means : join_heads(means), "the mean over the channels");
    const Expression mixed = composer.let(
        "means", split_heads(join_heads(product(shares, by_channel(composer.value))), composer.heads),
        "values weighed channel by channel");
    return composer.let("context", sigmoid_of(composer.query) * mixed, "gated by the query");
}

/// Keys and values from a latent that is normalised, and a rotary key that all heads share.
Expression latent(Composer& composer) {
    const Plan& plan = composer.plan;
    constexpr double epsilon = 1e-6;
    const Expression raw =
        composer.let("compressed", composer.projected(composer.key_tokens, "W_latent"), "y W_latent");
    const auto width = static_cast<double>(raw.extent().columns);
    const Expression c = composer.let("normalized_latent",
                                      composer.parameter("g_latent") * raw /
                                          root_of(sum_of_columns(raw * raw) / width + epsilon),
                                      "what is cached of each token");
    const Expression keys = composer.let(
        "key_of_content", split_heads(composer.projected(c, "W_latent_key"), composer.heads), "keys");
    composer.value =
        composer.let("value", split_heads(composer.projected(c, "W_latent_value"), composer.heads), "values");
    const Index content = keys.extent().columns, rotary = plan.head_query_width() - content;
    Expression scores = product_transposed(
        composer.let("query_of_content", some_columns(composer.query, counted(0, content))), keys);
    if (rotary > 0) {
        const double base = option<double>(algorithm_options(composer), "base");
        const Expression q = turned_pairs(
            composer, "query_of_place",
            composer.let("query_to_turn", some_columns(composer.query, counted(content, rotary))), base);
        const Expression k = turned_pairs(
            composer, "key_of_place",
            composer.let("key_to_turn", composer.projected(composer.key_tokens, "W_rotary_key")), base);
        scores = scores + product_transposed(q, k);
    }
    const Expression scaled = scores / root_of(static_cast<double>(plan.head_query_width()));
    return write_attended_values(
        composer, softmax_of(composer, "weights", composer.where_open(scaled, minus_infinity())));
}

/// Through landmarks, with the pseudo-inverse of their map by iteration.
Expression nystrom(Composer& composer) {
    const Plan& plan = composer.plan;
    const Options& options = algorithm_options(composer);
    const Index real = plan.allowed.end(0);
    const Index count = std::min({option<Index>(options, "landmarks"), plan.queries, real});
    const Expression root = root_of_head_width(composer);
    const Expression queries =
        composer.let("landmarks_of_queries",
                     product(means_of_segments(composer, "query_segments", count, plan.queries, plan.queries),
                             composer.query));
    const Expression keys = composer.let(
        "landmarks_of_keys",
        product(means_of_segments(composer, "key_segments", count, real, plan.keys), composer.key));
    const Expression to =
        softmax_of(composer, "towards_landmarks", product_transposed(composer.query, keys) / root);
    const Expression map = softmax_of(composer, "landmark_map", product_transposed(queries, keys) / root);
    const Expression is_real = composer.truth("is_real_key", {0, 1, plan.keys}, "keys that are no padding",
                                              [=](Index, Index column) { return column < real; });
    const Expression from =
        softmax_of(composer, "away_from_landmarks",
                   choose(is_real, product_transposed(queries, composer.key) / root, minus_infinity()));
    const auto identity = [&](double factor) {
        return factor *
               composer.constant("identity", {0, count, count}, "1 on the diagonal",
                                 [](Index, Index row, Index column) { return row == column ? 1.0 : 0.0; });
    };
    const Expression size = maximum_of_rows(sum_of_columns(map)) * maximum_of_columns(sum_of_rows(map));
    const Expression inverse =
        composer.let("inverse", transposed(map) / size, "towards the inverse of the landmarks’ map");
    composer.program.repeat(option<Index>(options, "iterations"), [&] {
        const Expression az = composer.let("az", product(map, inverse));
        const Expression first = composer.let("first_factor", identity(7) - az);
        const Expression second = composer.let("second_factor", identity(15) - product(az, first));
        const Expression third = composer.let("third_factor", identity(13) - product(az, second));
        composer.let("inverse", product(inverse, third) / 4);
    });
    const Expression left = composer.let("left_factor", product(to, inverse));
    return write_attended_values(composer,
                                 composer.let("weights", product(left, from), "through the landmarks"));
}

/// exp(w · x − |x|² / 2) of random directions w, x over the fourth root of its width.
Expression performer(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index features = option<Index>(algorithm_options(composer), "features");
    const Index width = plan.head_query_width();
    const std::vector<double> drawn = performer_directions(plan.seed, features, width);
    const Expression directions = composer.constant(
        "directions", {0, features, width}, "random directions", [&](Index, Index row, Index column) {
            return drawn[static_cast<std::size_t>(row * width + column)];
        });
    const double root = std::sqrt(std::sqrt(static_cast<double>(width)));
    const auto exponents = [&](const std::string& name, const Expression& x) {
        const Expression scaled = composer.let(name + "_over_root", x / root);
        return composer.let(name + "_exponents",
                            product_transposed(scaled, directions) - sum_of_columns(scaled * scaled) / 2,
                            "w · x − |x|² / 2 of each direction");
    };
    // What is taken off is the same in every sum that is divided by.
    const Expression of_query = exponents("query", composer.query), of_key = exponents("key", composer.key);
    const Expression q = composer.let("query_powers", exp_of(of_query - maximum_of_columns(of_query)));
    const Expression largest = composer.let("key_largest", maximum_of_rows(maximum_of_columns(of_key)));
    const Expression k = composer.let("key_powers", exp_of(of_key - largest));
    return shares_of(composer, product_transposed(q, k));
}

}  // namespace

Expression scale_of_queries(Composer& composer) {
    return option<bool>(algorithm_options(composer), "scaled") ? 1 / root_of_head_width(composer) : 1;
}

Expression write_attended_values(Composer& composer, const Expression& weights) {
    return composer.let("context", product(weights, composer.value), "the values that each query gets");
}

std::optional<Expression> write_algorithm(Composer& composer) {
    switch (composer.plan.spec.algorithm.type) {
    case AlgorithmType::composed:
    case AlgorithmType::online_softmax:
    case AlgorithmType::kv_cache:
    case AlgorithmType::parallax:
    case AlgorithmType::non_local:
        return {};
    case AlgorithmType::linear:
        return linear(composer);
    case AlgorithmType::performer:
        return performer(composer);
    case AlgorithmType::cosformer:
        return cosformer(composer);
    case AlgorithmType::based:
        return based(composer);
    case AlgorithmType::rebased:
        return rebased(composer);
    case AlgorithmType::efficient:
        return efficient(composer);
    case AlgorithmType::linformer:
        return linformer(composer);
    case AlgorithmType::nystrom:
        return nystrom(composer);
    case AlgorithmType::latent:
        return latent(composer);
    case AlgorithmType::differential:
        return differential(composer);
    case AlgorithmType::retention:
        return retention(composer);
    case AlgorithmType::gated_linear:
        return gated_linear(composer);
    case AlgorithmType::state_space:
        return state_space(composer);
    case AlgorithmType::rwkv4:
        return write_rwkv4(composer);
    case AlgorithmType::delta:
    case AlgorithmType::gated_delta:
    case AlgorithmType::kimi_delta:
        return write_delta(composer);
    case AlgorithmType::mesa:
        return write_mesa(composer);
    case AlgorithmType::attention_free:
        return attention_free(composer);
    case AlgorithmType::native_sparse:
        return write_native_sparse(composer);
    case AlgorithmType::turing:
        return write_turing(composer);
    case AlgorithmType::hopfield:
        return hopfield(composer);
    case AlgorithmType::external_memory:
        return external_memory(composer);
    case AlgorithmType::squeeze_excitation:
        return write_squeeze_excitation(composer);
    case AlgorithmType::convolutional_block:
        return write_convolutional_block(composer);
    case AlgorithmType::energy_gate:
        return write_energy_gate(composer);
    }
    return {};
}

}  // namespace headlight
