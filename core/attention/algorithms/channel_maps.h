#pragma once

#include "core/attention/defined_algorithms.h"

#include <algorithm>

namespace headlight {

// What mechanisms share that mix each channel, a feature of a head's values, by a map of its own: maps of all
// channels are [h d_v, n, m], as if each channel were a head.

/// Channels of the values of all heads.
inline Index channels_of_values(const Plan& plan) { return plan.heads * plan.head_value_width(); }

/// [h, rows, d] of the keys or the values, with a head for each of the queries where they share one.
inline Expression of_all_heads(const Composer& composer, const Expression& x) {
    const bool is_shared = x.extent().heads != composer.heads;
    return is_shared ? take_heads(x, std::vector<Index>(static_cast<std::size_t>(composer.heads), 0)) : x;
}

/// [h, rows, d_v] to [h d_v, rows, 1].
inline Expression as_channels(const Composer& composer, const Expression& x) {
    return split_heads(join_heads(of_all_heads(composer, x)), channels_of_values(composer.plan));
}

/// [h, rows, d] to [h d_v, rows, d]: for each channel what its head has.
inline Expression for_channels(const Composer& composer, const Expression& x) {
    std::vector<Index> head_of_channel;
    for (Index channel = 0; channel < channels_of_values(composer.plan); ++channel)
        head_of_channel.push_back(channel / composer.plan.head_value_width());
    return take_heads(of_all_heads(composer, x), head_of_channel);
}

/// [h d_v, rows, 1] to [h, rows, d_v].
inline Expression heads_of_channels(const Composer& composer, const Expression& x) {
    return split_heads(join_heads(x), composer.heads);
}

/// How the states of each channel fade, at rates of its own and by the steps of the tokens (Gu and Dao 2024).
struct FadingChannels {
    Expression steps;    ///< [h d_v, m, 1]
    Expression so_far;   ///< [h d_v, m, states]: logarithms of what is left, added up to each key
    Expression reached;  ///< [h d_v, n, states]: the same at the newest key of each query

    /// What is left of each write where a query reads, in a sum of pairs.
    Expression left_between_tokens() const { return left_between(left_row(reached), right_row(so_far)); }
};

/// Assigns the steps, from W_dt and b_dt, the rates, from A_log [h d_v, states], and what is left by them.
inline FadingChannels write_fading_channels(Composer& composer) {
    const Expression steps =
        composer.let("channel_steps", of_seen_keys(composer, softplus_of(numbers_of_tokens(composer, "dt"))),
                     "Δ of each channel");
    const Expression of_channel =
        composer.let("step_of_channel", as_channels(composer, steps), "[channel, key, 1]");
    const Expression rates = composer.let(
        "state_rates", split_rows(exp_of(composer.parameter("A_log")), channels_of_values(composer.plan)),
        "−A, a rate for each state of each channel");
    const Expression so_far = write_summed_gates(composer, "log_gates_so_far", -rates * of_channel);
    const Expression reached = composer.let("log_gates_at_query", rows_of_newest_keys(composer, so_far));
    return {of_channel, so_far, reached};
}

/// The mean [h, n, m] of the maps over the channels of each head.
inline Expression mean_of_channels(Composer& composer, const Expression& maps) {
    const Index heads = std::max<Index>(composer.heads, 1), width = composer.plan.head_value_width();
    const Expression means =
        mix_heads(composer.constant("means_of_channels", {0, heads, heads * width},
                                    "1 / d for the channels of each head",
                                    [=](Index, Index row, Index column) {
                                        return column / width == row ? 1 / static_cast<double>(width) : 0.0;
                                    }),
                  maps);
    return composer.heads > 0 ? means : join_heads(means);
}

/// Assigns it as `weights`.
inline void write_mean_of_channels(Composer& composer, const Expression& maps) {
    composer.let("weights", mean_of_channels(composer, maps), "the mean over the channels");
}

/// Assigns `context`, what the maps make of the channels of `values` [h, m, d_v].
inline Expression write_mixed_channels(Composer& composer, const Expression& maps, const Expression& values) {
    return composer.let("context", heads_of_channels(composer, product(maps, as_channels(composer, values))),
                        "each channel by its own map");
}

/// The stage of these steps; `lights` is that which they are for.
inline DeclaredStage declared_channel_steps(std::string lights) {
    return made_stage("channel_steps", "Steps of the channels",
                      {"Δ: how much each channel takes of a token, and how far it fades",
                       {keys_of("tokens"), optional_stage("position", "+")},
                       "× W_dt + b_dt,\nsoftplus\n→"},
                      {.lights = std::move(lights), .is_of_keys = true, .has_features = true});
}

/// The stage of these `weights`, made from `operands` by `operation`.
inline DeclaredStage declared_mean_of_channels(std::vector<StageOperand> operands,
                                               const std::string& operation) {
    return declared_weights_stage({"the mean over the channels’ maps", std::move(operands), operation});
}

/// The stage of this `context`; `maps_from` is that of which the maps are made.
inline DeclaredStage declared_mixed_channels(const std::string& maps_from) {
    return declared_own_context_stage({"each channel by a map of its own",
                                       {keys_of("value"), {maps_from, "and"}},
                                       "by the map\nof each channel\n→"});
}

}  // namespace headlight
