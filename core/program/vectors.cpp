#include "core/attention/options.h"
#include "core/attention/positions/alibi.h"
#include "core/attention/rotary.h"
#include "core/attention/widths.h"
#include "core/attention/composer.h"

#include <cmath>

namespace headlight {
namespace {

/// Token vectors as given. Padding may hold anything: zeros where a number is none, as the engine has it.
Expression given_tokens(Composer& composer, const std::string& name, const Tensor& tokens,
                        const std::string& note) {
    GivenTensor tensor{name, GivenTensor::Kind::input, {0, tokens.rows(), tokens.cols()}, {}, note};
    for (Index row = 0; row < tokens.rows(); ++row) {
        bool is_finite = true;
        for (const double number : tokens.row(row))
            is_finite = is_finite && std::isfinite(number);
        for (const double number : tokens.row(row))
            tensor.numbers.push_back(is_finite ? number : 0);
    }
    return composer.program.give(std::move(tensor));
}

/// What the position adds to token vectors [tokens, width].
Expression token_position(Composer& composer, const std::string& name, Index tokens, Index width) {
    if (composer.plan.spec.position.type == PositionType::learned)
        return composer.let(name, some_rows(composer.parameter("E_pos"), counted(0, tokens)),
                            "a learned vector for each place");
    const std::string of = name == "position" ? "" : name + "_";
    const Expression places =
        composer.constant(of + "places", {0, tokens, 1}, "places of the tokens, from 0",
                          [](Index, Index row, Index) { return static_cast<double>(row); });
    const Expression turns =
        composer.constant(of + "frequencies", {0, 1, width}, "radians from one place to the next",
                          [=](Index, Index, Index column) { return pair_frequency(column / 2, width); });
    const Expression is_even =
        composer.truth(of + "is_even", {0, 1, width}, "columns that hold sines, the others cosines",
                       [](Index, Index column) { return column % 2 == 0; });
    return composer.let(name, choose(is_even, sin_of(places * turns), cos_of(places * turns)),
                        "sines and cosines of each place");
}

Expression placed(Composer& composer, const Expression& tokens, const std::string& name,
                  const std::string& position) {
    const PositionType type = composer.plan.spec.position.type;
    if (type != PositionType::sinusoidal && type != PositionType::learned)
        return tokens;
    const Extent& extent = tokens.extent();
    return composer.let(name, tokens + token_position(composer, position, extent.rows, extent.columns),
                        "token vectors with their places");
}

Expression normed(Composer& composer, const std::string& name, const Expression& x, const std::string& gain) {
    const auto width = static_cast<double>(x.extent().columns);
    constexpr double epsilon = 1e-6;
    switch (composer.plan.spec.score.vector_norm) {
    case VectorNorm::none:
        return x;
    case VectorNorm::l2: {
        const Expression length = composer.let(name + "_norm", root_of(sum_of_columns(x * x)));
        return composer.let("normalized_" + name, x / choose(is_above(length, 0), length, 1),
                            "each row divided by its length");
    }
    case VectorNorm::layer: {
        const Expression centred =
            composer.let("centred_" + name, x - sum_of_columns(x) / width, "each row without its mean");
        return composer.let("normalized_" + name,
                            composer.parameter(gain) * centred /
                                root_of(sum_of_columns(centred * centred) / width + epsilon),
                            "divided by the standard deviation of its row");
    }
    case VectorNorm::rms:
        return composer.let("normalized_" + name,
                            composer.parameter(gain) * x / root_of(sum_of_columns(x * x) / width + epsilon),
                            "divided by the root mean square of its row");
    }
    return x;
}

/// How rotary positions turn a head's vectors.
struct Turns {
    std::vector<double> frequencies;  ///< of each pair
    bool is_interleaved = false;
    std::function<double(Index token, Index pair, bool is_key)> length;
    bool has_length = false;

    Index pairs() const { return std::ssize(frequencies); }
    bool is_turned(Index column) const { return column < 2 * pairs(); }
    Index pair(Index column) const { return is_interleaved ? column / 2 : column % pairs(); }
    bool is_first(Index column) const { return is_interleaved ? column % 2 == 0 : column < pairs(); }
    Index partner(Index column) const {
        if (!is_turned(column))
            return column;
        const Index step = is_interleaved ? 1 : pairs();
        return is_first(column) ? column + step : column - step;
    }
};

std::optional<Turns> turns_of(const Plan& plan) {
    const Options& options = plan.spec.position.options;
    const Index width = plan.head_query_width();
    if (plan.spec.position.type == PositionType::rope) {
        const Index given = option<Index>(options, "dimensions");
        const Rotary rotary =
            scaled_rotary(options, given > 0 ? given : width, std::max(plan.queries, plan.keys));
        return Turns{rotary.frequencies, option<std::string>(options, "layout") == "interleaved",
                     [=](Index, Index, bool) { return rotary.magnitude; }, rotary.magnitude != 1};
    }
    if (plan.spec.position.type == PositionType::xpos) {
        const double scale_base = option<double>(options, "scale_base");
        const auto growth = [=](Index token, Index pair, bool is_key) {
            const double zeta = (2 * static_cast<double>(pair) / static_cast<double>(width) + 0.4) / 1.4;
            return std::pow(zeta, (is_key ? -1 : 1) * static_cast<double>(token) / scale_base);
        };
        return Turns{rotary_frequencies(width, option<double>(options, "base")),
                     option<std::string>(options, "layout") == "interleaved", growth, true};
    }
    return {};
}

/// x cos + partner sin, feature by feature.
Expression turned(Composer& composer, const Turns& turns, const std::string& name, const Expression& x,
                  bool is_key) {
    const Extent& extent = x.extent();
    const Index width = extent.columns;
    const Expression places =
        composer.constant(name + "_rows", {0, extent.rows, 1}, "places of the tokens, from 0",
                          [](Index, Index row, Index) { return static_cast<double>(row); });
    const Expression speeds = composer.constant(
        "turns", {0, 1, width}, "radians by which a feature turns from one place to the next",
        [&](Index, Index, Index column) {
            return turns.is_turned(column) ? turns.frequencies[static_cast<std::size_t>(turns.pair(column))]
                                           : 0;
        });
    const Expression signs = composer.constant(
        "turn_signs", {0, 1, width}, "how the partner of a feature counts", [&](Index, Index, Index column) {
            return !turns.is_turned(column) ? 0 : turns.is_first(column) ? -1 : 1;
        });
    std::vector<Index> partners;
    for (Index column = 0; column < width; ++column)
        partners.push_back(turns.partner(column));
    const Expression angles = composer.let(name + "_angles", places * speeds, "place × turn");
    const Expression partner =
        composer.let(name + "_partners", some_columns(x, partners), "the other feature of each pair");
    const Expression rotated = x * cos_of(angles) + partner * signs * sin_of(angles);
    if (!turns.has_length)
        return composer.let("rotated_" + name, rotated, "every pair of features turned by its angle");
    const Expression lengths = composer.constant(
        name + "_lengths", {0, extent.rows, width}, "what the turned features are multiplied by",
        [&](Index, Index row, Index column) {
            return turns.is_turned(column) ? turns.length(row, turns.pair(column), is_key) : 1;
        });
    return composer.let("rotated_" + name, rotated * lengths, "every pair of features turned by its angle");
}

}  // namespace

Expression turned_pairs(Composer& composer, const std::string& name, const Expression& x, double base) {
    const Turns turns{rotary_frequencies(x.extent().columns, base), true, {}, false};
    return turned(composer, turns, name, x, false);
}

void write_vectors(Composer& composer) {
    const Plan& plan = composer.plan;
    const AttentionSpec& spec = plan.spec;
    const Inputs& inputs = plan.inputs;
    const Sharing sharing = spec.heads.sharing;
    const auto bias = [&](const char* name) { return spec.projections.bias ? std::string(name) : ""; };

    const Expression tokens = given_tokens(composer, "tokens", inputs.query, "token vectors");
    const Expression keys =
        inputs.key ? given_tokens(composer, "key_tokens", *inputs.key, "token vectors of the keys") : tokens;
    const Expression values =
        inputs.value ? given_tokens(composer, "value_tokens", *inputs.value, "token vectors of the values")
                     : keys;
    composer.query_tokens = placed(composer, tokens, "placed_tokens", "position");
    composer.key_tokens =
        inputs.key ? placed(composer, keys, "placed_key_tokens", "key_position") : composer.query_tokens;
    const Expression value_tokens = inputs.value
                                        ? placed(composer, values, "placed_value_tokens", "value_position")
                                        : composer.key_tokens;

    Expression all_queries = composer.query_tokens, all_keys = composer.key_tokens, all_values = value_tokens;
    if (projects_queries(spec)) {
        all_queries = composer.projected(all_queries, "W_q", bias("b_q"));
        if (!makes_keys_and_values(spec))
            all_keys = sharing == Sharing::query_key ? composer.projected(all_keys, "W_q", bias("b_q"))
                                                     : composer.projected(all_keys, "W_k", bias("b_k"));
    }
    const Index kv_heads = plan.heads > 1 ? plan.kv_heads : 0;
    composer.plain_query = composer.let("query", split_heads(all_queries, composer.heads), "queries");
    composer.query = composer.plain_query;
    if (makes_keys_and_values(spec))
        return;
    composer.key = composer.let("key", split_heads(all_keys, kv_heads), "keys");
    if (sharing == Sharing::key_value)
        composer.value = composer.let("value", composer.key, "values, which are the keys");
    else {
        if (projects_values(spec))
            all_values = composer.projected(all_values, "W_v", bias("b_v"));
        composer.value = composer.let("value", split_heads(all_values, kv_heads), "values");
    }

    composer.query = normed(composer, "query", composer.query, "g_q");
    composer.key = normed(composer, "key", composer.key, "g_k");
    if (const auto turns = turns_of(plan)) {
        composer.query = turned(composer, *turns, "query", composer.query, false);
        composer.key = turned(composer, *turns, "key", composer.key, true);
    }
    const bool is_shared = plan.kv_heads != plan.heads && plan.kv_heads != 1;
    if (is_shared) {
        composer.key = composer.let("key_of_heads", composer.of_query_heads(composer.key),
                                    "the keys that each head reads");
        composer.value = composer.let("value_of_heads", composer.of_query_heads(composer.value),
                                      "the values that each head reads");
    }
}

}  // namespace headlight
