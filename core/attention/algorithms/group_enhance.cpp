#include "core/attention/algorithms/gated_image.h"

namespace headlight {
namespace {

constexpr double smallest_deviation = 1e-5;  // as the authors add it
constexpr double smallest_square = 1e-300;   // at 0 a root has no slope

/// Groups of neighbouring channels, as equal as can be; no more than there are channels.
struct ChannelGroups {
    Index channels, groups;

    explicit ChannelGroups(const Plan& plan)
        : channels(plan.head_query_width()), groups(std::min(plan.algorithm().count("groups"), channels)) {}

    /// Group g begins at channel ⌊g channels / groups⌋.
    Index of(Index channel) const { return ((channel + 1) * groups - 1) / channels; }
};

/// [h, n, groups] over the places: less their mean, over their standard deviation.
Expression normalized_over_places(Composer& composer, const Expression& similarities) {
    const auto places = static_cast<double>(composer.plan.queries);
    const Expression centred =
        composer.let("centred_similarities", similarities - sum_of_rows(similarities) / places,
                     "without the mean over the places");
    // Squares of large numbers overflow; of parts of the largest they do not.
    const Expression largest =
        composer.let("largest_similarity", larger_of(maximum_of_rows(absolute_of(centred)), 1),
                     "the largest distance from the mean, 1 at least");
    const Expression parts = composer.let("similarity_parts", centred / largest);
    const Expression deviation = composer.let("similarity_deviation",
                                              root_of(sum_of_rows(parts * parts) / places + smallest_square) +
                                                  smallest_deviation / largest,
                                              "the standard deviation, over the largest distance");
    return composer.let("normalized_similarities", parts / deviation, "over the standard deviation");
}

/// Each place of a group is gated by how alike it is to the mean of the group (Li et al. 2019).
Expression define_group_enhance(Composer& composer) {
    const ChannelGroups of_image(composer.plan);
    const Expression mean = write_squeeze(composer);
    const Expression is_of_group = composer.of_places(
        "channels_of_groups", {0, of_image.channels, of_image.groups}, "1 where the channel is of the group",
        [=](Place at) { return of_image.of(at.row) == at.column ? 1.0 : 0.0; });
    const Expression similarities =
        composer.let("group_similarities", product(composer.query * mean, is_of_group),
                     "the features of a group times their means");
    const Expression group_gates = composer.let(
        "group_gates",
        sigmoid_of(composer.parameter("gamma_group") * normalized_over_places(composer, similarities) +
                   composer.parameter("beta_group")),
        "what each group is multiplied by at each place");
    std::vector<Index> group;
    for (Index channel = 0; channel < of_image.channels; ++channel)
        group.push_back(of_image.of(channel));
    const Expression gates = composer.let("feature_gates", some_columns(group_gates, group),
                                          "the gate of the group, for each of its channels");
    write_gates_as_weights(composer, gates);
    return composer.let("context", composer.query * gates, "every number times its gate");
}

}  // namespace

AlgorithmComponent declare_algorithms_group_enhance() {
    AlgorithmComponent component;
    component.meaning =
        "o_ig = x_ig σ(γ_g ŝ_ig + β_g) with s_ig = x_ig · mean_j x_jg for each group g of channels, and ŝ "
        "normalised over the places: a place is opened where it is like the image as a whole (Li et al. "
        "2019, SGE); the weights shown are a diagonal, the mean gate";
    component.options = {count_option("groups", "Groups", 8, logarithmic_range(1, 512),
                                      "How many groups of neighbouring channels have a gate of their own; no "
                                      "more than there are channels.")};
    component.known_parameters = {
        {"gamma_group", "[groups], shared by the heads", "how much likeness to the mean opens a group"},
        {"beta_group", "[groups], shared by the heads", "how open a group is"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index groups = ChannelGroups(plan).groups;
        list.add("gamma_group", {groups});
        list.add("beta_group", {groups});
    };
    component.check = [](const Plan& plan) { check_gated_image(plan, "group_enhance"); };
    component.makes_keys_and_values = true;
    component.declared_stages = {
        declared_squeeze("group_similarities"),
        made_stage("group_similarities", "Likeness to the mean",
                   {"the features of each group times their means",
                    {{"query"}, {"squeeze", "·"}},
                    "group by\ngroup\n→"},
                   {.lights = "group_gates", .has_features = true, .column = "group"}),
        made_stage(
            "normalized_similarities", "Normalised likeness",
            {"of each group over the places: mean 0, deviation 1", {{"group_similarities"}}, "normalised\n→"},
            {.lights = "group_gates", .has_features = true, .column = "group"}),
        made_stage("group_gates", "Gates of the groups",
                   {"what each group is multiplied by at each place",
                    {{"normalized_similarities"}},
                    "× γ + β,\nσ\n→"},
                   {.lights = "feature_gates", .has_features = true, .column = "group", .is_share = true}),
        made_stage(
            "feature_gates", "Gates of the features",
            {"the gate of the group, for each of its channels", {{"group_gates"}}, "for each\nchannel\n→"},
            {.lights = "output", .is_share = true}),
        declared_gates_as_weights(),
        declared_gated_features()};
    component.define = define_group_enhance;
    return component;
}

}  // namespace headlight
