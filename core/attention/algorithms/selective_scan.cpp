#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <algorithm>
#include <vector>

namespace headlight {
namespace {

/// Channels of the values of all heads.
Index scanned_channels(const Plan& plan) { return plan.heads * plan.head_value_width(); }

/// [h, rows, d] of the keys or the values, with a head for each of the queries where they share one.
Expression of_all_heads(const Composer& composer, const Expression& x) {
    const bool is_shared = x.extent().heads != composer.heads;
    return is_shared ? take_heads(x, std::vector<Index>(static_cast<std::size_t>(composer.heads), 0)) : x;
}

/// Every channel has a map of its own: the states that read and write are those of the queries and keys, how
/// fast they fade is the channel's.
Expression define_selective_scan(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index channels = scanned_channels(plan), width = plan.head_value_width();
    const auto by_channel = [&](const Expression& x) { return split_heads(join_heads(x), channels); };
    std::vector<Index> head_of_channel;
    for (Index channel = 0; channel < channels; ++channel)
        head_of_channel.push_back(channel / width);
    const auto for_channels = [&](const Expression& x) {
        return take_heads(of_all_heads(composer, x), head_of_channel);
    };
    const Expression steps =
        composer.let("channel_steps", of_seen_keys(composer, softplus_of(numbers_of_tokens(composer, "dt"))),
                     "Δ of each channel");
    const Expression of_channel = composer.let("step_of_channel", by_channel(steps), "[channel, key, 1]");
    const Expression rates =
        composer.let("state_rates", split_rows(exp_of(composer.parameter("A_log")), channels),
                     "−A, a rate for each state of each channel");
    const Expression so_far = write_summed_gates(composer, "log_gates_so_far", -rates * of_channel);
    const Expression reached = composer.let("log_gates_at_query", rows_of_newest_keys(composer, so_far));
    const Expression read =
        sum_of_pairs(left_row(for_channels(composer.query)) * right_row(for_channels(composer.key)) *
                     left_between(left_row(reached), right_row(so_far)));
    const Expression maps =
        composer.let("channel_maps", composer.where_open(read * transposed(of_channel), 0),
                     "[channel, query, key]: the map of each channel");
    const Index heads = std::max<Index>(composer.heads, 1);
    const Expression means = mix_heads(
        composer.constant("means_of_channels", {0, heads, channels}, "1 / d for the channels of each head",
                          [=](Index, Index row, Index column) {
                              return column / width == row ? 1 / static_cast<double>(width) : 0.0;
                          }),
        maps);
    composer.let("weights", composer.heads > 0 ? means : join_heads(means), "the mean over the channels");
    const Expression mixed = product(maps, by_channel(of_all_heads(composer, composer.value)));
    return composer.let("context", split_heads(join_heads(mixed), composer.heads),
                        "each channel by its own map");
}

}  // namespace

AlgorithmComponent declare_algorithms_selective_scan() {
    AlgorithmComponent component;
    component.type = AlgorithmType::selective_scan;
    component.word = "selective_scan";
    component.meaning =
        "s ← exp(Δ_c A_c) ∘ s + Δ_c k v_c, o_c = q · s for each channel c of the values, A = −exp(A_log), "
        "Δ = softplus(y W_dt + b_dt): the state space of Mamba, with a map for each channel (Gu and Dao "
        "2024; Ali et al. 2025); the weights shown are the mean over the channels";
    component.known_parameters = {
        {"W_dt", {}, "[d, h d_v]: projects the keys’ token vectors to a step for each channel"},
        {"b_dt", {}, "[h d_v]: is added to the steps before their softplus"},
        {"A_log",
         {},
         "[h d_v, d_k]: logarithm of the rate at which each state of each channel forgets, channel below "
         "channel"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index channels = scanned_channels(plan);
        list.add("W_dt", {plan.tokens.key_width, channels},
                 "projects token vectors to a step for each channel");
        list.add("b_dt", {channels}, "is added to the steps before their softplus", 0.0);
        list.add("A_log", {channels, plan.head_query_width()},
                 "logarithm of the rate at which each state of each channel forgets");
    };
    component.changes_context = [](const AttentionSpec&) { return true; };
    component.declared_stages = {
        {.name = "channel_steps",
         .title = "Steps of the channels",
         .subtitle = "Δ: how much each channel takes of a token, and how far it fades",
         .operands = {{.stage = "tokens", .as_keys = true},
                      {.stage = "position", .operator_before = "+", .is_optional = true}},
         .operation = "× W_dt + b_dt,\nsoftplus\n→",
         .lights = "weights",
         .is_of_keys = true,
         .has_features = true},
        {.name = "weights",
         .title = "Weights",
         .subtitle = "the mean over the channels’ maps",
         .operands = {{"query"},
                      {.stage = "key", .operator_before = "×", .transposed = true, .as_keys = true},
                      {"channel_steps", "and"}},
         .operation = "each channel\nfades, mean\n→",
         .lights = "output",
         .role = StageRole::weights,
         .leaves_out_masked = true},
        {.name = "context",
         .title = "Context",
         .subtitle = "each channel by a map of its own",
         .operands = {{.stage = "value", .as_keys = true}, {"channel_steps", "and"}},
         .operation = "by the map\nof each channel\n→",
         .colours_of = "value",
         .lights = "output"}};
    component.define = define_selective_scan;
    return component;
}

}  // namespace headlight
