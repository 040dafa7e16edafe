#include "core/attention/algorithms/channel_maps.h"
#include "core/attention/algorithms/pointwise.h"

namespace headlight {
namespace {

/// A number for each feature is the state, so that each feature has a map of its own.
Expression define_hgrn(Composer& composer) {
    const double least = composer.plan.algorithm().number("lower_bound");
    const Expression log_gates = composer.let(
        "feature_log_gates",
        least > 0 ? log_of(least + (1 - least) * sigmoid_of(composer.key)) : log_sigmoid_of(composer.key),
        "ln of what each feature of the state keeps");
    composer.let("gates", exp_of(log_gates), "what each feature of the state keeps");
    const Expression written =
        composer.let("written_keys", (1 - least) * sigmoid_of(-composer.key), "1 − f: how much is written");
    const Expression so_far = write_summed_gates(composer, "log_gates_so_far", log_gates);
    const Expression reached = composer.let("log_gates_at_query", rows_of_newest_keys(composer, so_far));
    const Expression left =
        left_between(as_channels(composer, reached), transposed(as_channels(composer, so_far)));
    const Expression maps = composer.let(
        "channel_maps", composer.where_open(left * transposed(as_channels(composer, written)), 0),
        "[feature, query, key]: the map of each feature");
    write_mean_of_channels(composer, maps);
    const Expression values = composer.let("activated_value", through_silu(composer.value));
    const Expression states = composer.let(
        "feature_states", heads_of_channels(composer, product(maps, as_channels(composer, values))),
        "what each feature of the state holds");
    const Expression gate =
        composer.let("output_gate", through_silu(composer.query), "what each feature is multiplied by");
    return composer.let("context", gate * states, "each feature by its own map, behind the gate");
}

}  // namespace

AlgorithmComponent declare_algorithms_hgrn() {
    AlgorithmComponent component;
    component.meaning =
        "h ← f ∘ h + (1 − f) ∘ silu(v), o = silu(q) ∘ h, f = γ + (1 − γ) σ(k), number by number: a gated "
        "recurrent network without matrices, whose state is one number for each feature (Qin et al. 2023); "
        "the weights shown are the mean over the features";
    component.options = {number_option(
        "lower_bound", "Lower bound γ", 0.0, {0, 0.999},
        "What every gate keeps at least: in a model more in the upper layers than in the lower.")};
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(plan, "hgrn", "what would be turned as a key are numbers of gates");
        require_value_width(plan, "hgrn", "queries and keys", plan.head_query_width(),
                            ", which are their gates");
    };
    component.changes_context = always;
    component.declared_stages = {
        made_stage("gates", "Gates",
                   {"what each feature of the state keeps when this token is written",
                    {keys_of("key")},
                    "sigmoid\n→"},
                   {.lights = "weights", .is_of_keys = true, .has_features = true, .is_share = true}),
        declared_activated_value(),
        declared_weights_stage({"the mean over the maps of the features",
                                {{"gates"}},
                                "1 − f, faded by\nthose after it,\nmean\n→"},
                               {.is_share = true}),
        made_stage("feature_states", "States",
                   {"what each feature of the state holds",
                    {keys_of("activated_value"), {"gates", "and"}},
                    "by the map\nof each feature\n→"},
                   {.colours_of = "value", .lights = "context"}),
        made_stage("output_gate", "Gate of the output", {"", {{"query"}}, "silu\n→"}, {.lights = "output"}),
        declared_own_context_stage({"", {{"feature_states"}, {"output_gate", "∘"}}, "="})};
    component.define = define_hgrn;
    return component;
}

}  // namespace headlight
