#include "core/attention/algorithms/channel_maps.h"
#include "core/attention/algorithms/pointwise.h"
#include "core/attention/algorithms/row_norms.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

constexpr double added_square_of_hybrid = 1e-6;  // as the authors' model has it

Index states_beside_heads(const Plan& plan) { return plan.algorithm().count("states"); }

bool norms_each_head(const Plan& plan) { return plan.algorithm().word("norm") == "heads"; }

bool learns_mix(const Plan& plan) { return plan.algorithm().word("mix") == "learned"; }

/// y W of the tokens of the keys, 0 where these are padding.
Expression of_key_tokens(Composer& composer, const std::string& matrix) {
    return of_seen_keys(composer, composer.projected(composer.key_tokens, matrix));
}

/// What the states give to each query, [h, n, d_v]: a map for each channel, as of selective_scan, with reads
/// and writes that all channels share (Gu and Dao 2024).
Expression write_found_by_states(Composer& composer) {
    const Index channels = channels_of_values(composer.plan);
    const FadingChannels fading = write_fading_channels(composer);
    const Expression reads = composer.let(
        "state_reads", composer.projected(composer.query_tokens, "W_state_read"), "C: how states are read");
    const Expression writes =
        composer.let("state_writes", of_key_tokens(composer, "W_state_write"), "B: how they are written to");
    const Expression read = sum_of_pairs(left_row(reads) * right_row(writes) * fading.left_between_tokens());
    const Expression written = read * transposed(fading.steps);
    const Expression maps = composer.let(
        "channel_maps", composer.is_forbidden_anywhere() ? composer.where_allowed(written, 0) : written,
        "[channel, query, key]: the map of each channel");
    composer.let("state_weights", mean_of_channels(composer, maps), "the mean over the channels");
    const Expression values = split_heads(
        composer.let("state_values", of_key_tokens(composer, "W_state"), "what is written"), channels);
    const Expression opening =
        composer.let("state_gate_input", composer.projected(composer.query_tokens, "W_state_gate"),
                     "what the gate is made of");
    const Expression gate = composer.let("state_gate", split_heads(through_silu(opening), composer.heads),
                                         "what each feature is multiplied by");
    return composer.let("state_found", heads_of_channels(composer, product(maps, values)) * gate,
                        "each channel by its own map, times its gate");
}

/// g x / √(mean x²), of all heads together or each by itself.
Expression normed_beside(Composer& composer, const std::string& name, const Expression& x,
                         const std::string& gain) {
    const std::string note = "over the root of the mean of its squares";
    const std::string raw = name + "_over_root";
    const Expression normed =
        norms_each_head(composer.plan)
            ? over_root_mean_square(composer, raw, x, added_square_of_hybrid, note)
            : split_heads(over_root_mean_square(composer, raw, composer.let(name + "_joined", join_heads(x)),
                                                added_square_of_hybrid, note),
                          composer.heads);
    return composer.let(name, normed * composer.parameter_of_heads(gain), "times a gain");
}

Expression define_hybrid_heads(Composer& composer, const Expression& attended) {
    const Expression attention = normed_beside(composer, "normed_attended", attended, "g_attended");
    const Expression states =
        normed_beside(composer, "normed_state", write_found_by_states(composer), "g_state");
    if (!learns_mix(composer.plan))
        return (attention + states) / 2;
    const Expression share =
        composer.let("state_share", sigmoid_of(composer.projected_by_heads(composer.query_tokens, "W_mix")),
                     "how much the states count");
    return attention + share * (states - attention);
}

void list_hybrid_parameters(const Plan& plan, ParameterList& list) {
    const Index channels = channels_of_values(plan), states = states_beside_heads(plan);
    const Index of_queries = plan.tokens.query_width, of_keys = plan.tokens.key_width;
    list.add("W_state", {of_keys, channels});
    list.add("W_state_write", {of_keys, states});
    list.add("W_state_read", {of_queries, states});
    list.add("W_state_gate", {of_queries, channels});
    list.add_with_bias("W_dt", {of_keys, channels});
    list.add("A_log", {channels, states});
    list.add("g_attended", {channels}, 1.0);
    list.add("g_state", {channels}, 1.0);
    if (learns_mix(plan))
        list.add("W_mix", {of_queries, plan.heads});
}

std::vector<DeclaredStage> hybrid_stages() {
    const DeclaredStage normed =
        made_stage("normed_attended", "Weighted values, normalised",
                   {"over the root mean square, times a gain", {{"attended"}}, "÷ rms, × g\n→"},
                   {.colours_of = "value", .lights = "context"});
    DeclaredStage normed_states = normed;
    normed_states.name = "normed_state";
    normed_states.title = "What the states give, normalised";
    normed_states.operands = {{"state_found"}};
    return {declared_attended_stage(),
            declared_channel_steps("state_weights"),
            made_stage("state_weights", "Weights of the states",
                       {"the mean over the channels’ maps",
                        {{"tokens"}, {"channel_steps", "and"}},
                        "written,\nfaded, read\n→"},
                       {.lights = "context", .role = StageRole::weights, .leaves_out_masked = true}),
            made_stage("state_gate", "Gate of the states",
                       {"silu of what the token makes of itself", {{"tokens"}}, "× W,\nsilu\n→"},
                       {.lights = "state_found", .has_features = true}),
            made_stage("state_found", "What the states give",
                       {"each channel by a map of its own, times its gate",
                        {keys_of("tokens"), {"channel_steps", "and"}, {"state_gate", "and"}},
                        "by the map\nof each channel,\n∘ gate\n→"},
                       {.colours_of = "value", .lights = "context"}),
            normed,
            normed_states,
            made_stage("state_share", "Share of the states", {"σ of what the token makes for each head"},
                       {.lights = "context", .role = StageRole::row}),
            declared_own_context_stage({"of attention and of states, by halves or by shares of the token",
                                        {{"normed_attended"}, {"normed_state", "and"}},
                                        "halves or\nshares,\nadded\n→"})};
}

}  // namespace

AlgorithmComponent declare_algorithms_hybrid_heads() {
    AlgorithmComponent component;
    component.meaning =
        "o = ½ (g₁ ∘ norm(A v) + g₂ ∘ norm(silu(x W_g) ∘ states)), states those of Mamba with values, writes "
        "and reads of their own, norm over the root mean square: heads of attention and of states side by "
        "side in one layer (Dong et al. 2025); or with a learned share of each head in the place of the half";
    component.options = {
        count_option("states", "States of a channel", 4, {1, 64},
                     "How many numbers each channel keeps of the text."),
        word_option("norm", "Norm over", {"all", "heads"},
                    "What is divided by its root mean square before the two are added: all heads together, "
                    "or each head by itself."),
        word_option("mix", "Mix", {"mean", "learned"},
                    "Half of each, or a share of the states that each token makes for each head.")};
    component.known_parameters = {
        {"W_state", "[d, h d_v]", "projects token vectors to what the states are given"},
        {"W_state_write", "[d, states]",
         "projects token vectors to how they are written to the states of all channels"},
        {"W_state_read", "[d_q, states]",
         "projects token vectors to how the states of all channels are read"},
        {"W_state_gate", "[d_q, h d_v]", "projects token vectors to the gate of what the states give"},
        {"W_dt", "[d, h d_v]", "projects the keys’ token vectors to a step for each channel"},
        {"b_dt", "[h d_v]", "is added to the steps before their softplus"},
        {"A_log", "[h d_v, states]",
         "logarithm of the rate at which each state of each channel forgets, channel below channel"},
        {"g_attended", "[h d_v]", "scales each channel of what the attention gives, behind its norm"},
        {"g_state", "[h d_v]", "scales each channel of what the states give, behind their norm"},
        {"W_mix", "[d_q, h]", "projects token vectors to how much the states count in each head"}};
    component.parameters = list_hybrid_parameters;
    component.is_composed = true;
    component.takes_any_mask = true;
    component.check = [](const Plan& plan) {
        if (plan.spec.mask_value)  // of the map; a state has read a key or it has not
            throw Error({"algorithm hybrid_heads", "mask_value", "none, so that minus infinity stands for it",
                         std::to_string(*plan.spec.mask_value)});
    };
    component.changes_context = always;
    component.declared_stages = hybrid_stages();
    component.define_context = define_hybrid_heads;
    return component;
}

}  // namespace headlight
