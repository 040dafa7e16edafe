#include "core/attention/algorithms/channel_maps.h"
#include "core/attention/component.h"

namespace headlight {
namespace {

/// Every channel has a map of its own: the states that read and write are those of the queries and keys, how
/// fast they fade is the channel's.
Expression define_selective_scan(Composer& composer) {
    const FadingChannels fading = write_fading_channels(composer);
    const Expression read =
        sum_of_pairs(left_row(for_channels(composer, composer.query)) *
                     right_row(for_channels(composer, composer.key)) * fading.left_between_tokens());
    const Expression maps =
        composer.let("channel_maps", composer.where_open(read * transposed(fading.steps), 0),
                     "[channel, query, key]: the map of each channel");
    write_mean_of_channels(composer, maps);
    return write_mixed_channels(composer, maps, composer.value);
}

}  // namespace

AlgorithmComponent declare_algorithms_selective_scan() {
    AlgorithmComponent component;
    component.meaning =
        "s ← exp(Δ_c A_c) ∘ s + Δ_c k v_c, o_c = q · s for each channel c of the values, A = −exp(A_log), "
        "Δ = softplus(y W_dt + b_dt): the state space of Mamba, with a map for each channel (Gu and Dao "
        "2024; Ali et al. 2025); the weights shown are the mean over the channels";
    component.known_parameters = {
        {"W_dt", "[d, h d_v]", "projects the keys’ token vectors to a step for each channel"},
        {"b_dt", "[h d_v]", "is added to the steps before their softplus"},
        {"A_log", "[h d_v, d_k]",
         "logarithm of the rate at which each state of each channel forgets, channel below channel"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index channels = channels_of_values(plan);
        list.add_with_bias("W_dt", {plan.tokens.key_width, channels});
        list.add("A_log", {channels, plan.head_query_width()});
    };
    component.changes_context = always;
    component.declared_stages = {
        declared_channel_steps("weights"),
        declared_mean_of_channels({{"query"}, times_keys_of("key"), {"channel_steps", "and"}},
                                  "each channel\nfades, mean\n→"),
        declared_mixed_channels("channel_steps")};
    component.define = define_selective_scan;
    return component;
}

}  // namespace headlight
