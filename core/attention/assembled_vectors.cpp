#include "core/attention/assembly.h"
#include "core/attention/component.h"
#include "core/attention/position.h"
#include "core/attention/rotation.h"
#include "core/attention/widths.h"

#include <cmath>

namespace headlight {
namespace {

/// Token vectors as given. Padding may hold anything: zeros where a number is none, as the engine has it.
Expression given_tokens(Composer& composer, const std::string& name, const Tensor& tokens,
                        const std::string& note) {
    std::vector<double> numbers;
    numbers.reserve(static_cast<std::size_t>(tokens.size()));
    for (Index row = 0; row < tokens.rows(); ++row) {
        bool is_finite = true;
        for (const double number : tokens.row(row))
            is_finite = is_finite && std::isfinite(number);
        for (const double number : tokens.row(row))
            numbers.push_back(is_finite ? number : 0);
    }
    return composer.program.give(
        {name, GivenTensor::Kind::input, {0, tokens.rows(), tokens.cols()}, std::move(numbers), note});
}

/// Sinusoidal positions [tokens, width].
Expression define_sinusoids(Composer& composer, const std::string& name, Index tokens, Index width) {
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
    const AttentionSpec& spec = composer.plan.spec;
    if (!adds_to_tokens(spec))
        return tokens;
    if (const PositionComponent* around = position_with(spec, &PositionComponent::define_term_of_tokens))
        return composer.let(name, tokens + around->define_term_of_tokens(composer, position, tokens),
                            "token vectors with what stands around them");
    const PositionComponent* component = position_with(spec, &PositionComponent::define_token_term);
    const auto define_term = component ? component->define_token_term : define_sinusoids;
    const Extent& extent = tokens.extent();
    return composer.let(name, tokens + define_term(composer, position, extent.rows, extent.columns),
                        "token vectors with their places");
}

Expression normed(Composer& composer, const std::string& name, const Expression& x, const std::string& gain) {
    const auto over_root_mean_square = [&](const Expression& vectors) {
        constexpr double epsilon = 1e-6, large = 1e100;
        const Expression largest = largest_amount(vectors);
        const Expression unit =
            composer.let(name + "_unit", choose(is_above(largest, large), largest, 1),
                         "1, or the largest number of a row whose squares would overflow");
        const Expression in_units = composer.let(name + "_in_units", vectors / unit);
        return in_units / root_of(mean_of_columns(in_units * in_units) + epsilon / (unit * unit));
    };
    switch (composer.plan.spec.score.vector_norm) {
    case VectorNorm::none:
        return x;
    case VectorNorm::l2: {
        const Expression direction =
            composer.let(name + "_over_largest", over_largest(x),
                         "each row over its largest number, so that no square overflows");
        const Expression length =
            composer.let(name + "_norm", root_of(sum_of_columns(direction * direction)));
        return composer.let("normalized_" + name, direction / choose(is_above(length, 0), length, 1),
                            "each row divided by its length");
    }
    case VectorNorm::layer: {
        const Expression centred =
            composer.let("centred_" + name, x - mean_of_columns(x), "each row without its mean");
        return composer.let("normalized_" + name, composer.parameter(gain) * over_root_mean_square(centred),
                            "divided by the standard deviation of its row");
    }
    case VectorNorm::rms:
        return composer.let("normalized_" + name, composer.parameter(gain) * over_root_mean_square(x),
                            "divided by the root mean square of its row");
    }
    return x;
}

}  // namespace

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
    const auto own_value_tokens = [&] {
        return values_are_unplaced(plan) ? values
                                         : placed(composer, values, "placed_value_tokens", "value_position");
    };
    const Expression value_tokens = inputs.value ? own_value_tokens() : composer.key_tokens;

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
    if (const PositionComponent* position = position_with(spec, &PositionComponent::define_turn)) {
        composer.query = position->define_turn(composer, "query", composer.query, false);
        composer.key = position->define_turn(composer, "key", composer.key, true);
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
