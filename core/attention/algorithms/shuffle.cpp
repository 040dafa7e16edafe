#include "core/attention/algorithms/gated_image.h"

#include <algorithm>

namespace headlight {
namespace {

/// Groups of neighbouring channels, as equal as can be, of two at least: the first half of each, the larger
/// one, has gates of its channels, the second one gates of its places.
class SplitGroups {
public:
    explicit SplitGroups(const Plan& plan)
        : channels_(plan.head_query_width()),
          groups_(std::clamp<Index>(plan.algorithm().count("groups"), 1, std::max<Index>(1, channels_ / 2))) {
        for (Index group = 0; group < groups_; ++group) {
            const Index begin = group * channels_ / groups_, end = (group + 1) * channels_ / groups_;
            const Index half = (end - begin + 1) / 2;
            for (Index channel = begin; channel < end; ++channel) {
                const bool is_first = channel - begin < half;
                Half& of = is_first ? of_channels : of_places;
                place_in_half.push_back(std::ssize(of.channels));
                is_of_channels.push_back(is_first);
                of.channels.push_back(channel);
                of.numbers.push_back(is_first ? channel - begin : channel - begin - half);
                of.width = std::max(of.width, of.numbers.back() + 1);
            }
        }
    }

    struct Half {
        std::vector<Index> channels;
        std::vector<Index> numbers;  ///< which of the numbers that all groups share is the channel’s
        Index width = 0;             ///< how many of these there are
    };
    Half of_channels, of_places;
    std::vector<bool> is_of_channels;  ///< [channels]
    std::vector<Index> place_in_half;  ///< [channels]: its place among all of its half

    /// Channels 0, c/2, 1, c/2 + 1, ...: one of the first half of all, then one of the second.
    std::vector<Index> shuffled() const {
        std::vector<Index> order;
        for (Index channel = 0; channel < channels_; ++channel)
            order.push_back(channel % 2 == 0 ? channel / 2 : (channels_ + 1) / 2 + channel / 2);
        return order;
    }

private:
    Index channels_, groups_;
};

/// w z + b of the channels of a half, by the numbers that all groups share.
Expression affine(Composer& composer, const Expression& z, const SplitGroups::Half& half,
                  const std::string& suffix) {
    return some_columns(composer.parameter("w_" + suffix), half.numbers) * some_columns(z, half.channels) +
           some_columns(composer.parameter("b_" + suffix), half.numbers);
}

/// SA (Zhang and Yang 2021).
Expression define_shuffle(Composer& composer) {
    const Plan& plan = composer.plan;
    const SplitGroups groups(plan);
    const Index places = plan.queries;
    const Expression mean = write_squeeze(composer);
    const Expression of_channels =
        composer.let("channel_gate", sigmoid_of(affine(composer, mean, groups.of_channels, "group_channel")),
                     "the gates of the first half of each group");
    Expression gates = pick(
        of_channels, {places, 1, {places, [](Index) { return Index(0); }}},
        {1, std::ssize(groups.of_channels.channels), counted(0, std::ssize(groups.of_channels.channels))});
    if (!groups.of_places.channels.empty()) {
        const Expression normal = composer.let(
            "normalized_image",
            transposed(layer_normalized(composer, "normalized_channels", transposed(composer.query))),
            "each channel over the places: mean 0, deviation 1");
        const Expression of_places =
            composer.let("place_gates", sigmoid_of(affine(composer, normal, groups.of_places, "group_place")),
                         "the gates of the second half of each group");
        std::vector<Index> column;
        const Index first = std::ssize(groups.of_channels.channels);
        for (std::size_t channel = 0; channel < groups.place_in_half.size(); ++channel)
            column.push_back(groups.place_in_half[channel] + (groups.is_of_channels[channel] ? 0 : first));
        gates = some_columns(join_columns({gates, of_places}), column);
    }
    const Expression named = composer.let("feature_gates", gates, "each channel has one of both");
    write_gates_as_weights(composer, named);
    const Expression gated = composer.query * named;
    if (!plan.algorithm().flag("shuffle"))
        return composer.let("context", gated, "every number times its gate");
    return composer.let(
        "context",
        some_columns(composer.let("gated_image", gated, "every number times its gate"), groups.shuffled()),
        "the halves of all channels, one of each in turn");
}

}  // namespace

AlgorithmComponent declare_algorithms_shuffle() {
    AlgorithmComponent component;
    component.meaning =
        "channels in groups; of each the first half is multiplied by σ(w mean + b), a gate for each channel, "
        "and the second by σ(w′ x̂ + b′), a gate for each place and channel, x̂ normalised over the places; "
        "then the halves of all channels are dealt out in turn (Zhang and Yang 2021, SA-Net); the weights "
        "shown are a diagonal, the mean gate";
    component.options = {count_option("groups", "Groups", 8, logarithmic_range(1, 512),
                                      "How many groups of neighbouring channels there are; they share their "
                                      "few numbers. No more than half the channels."),
                         flag_option("shuffle", "Shuffle", true,
                                     "Whether channels change places at the end, so that the next layer’s "
                                     "groups have some of each half of all channels.")};
    component.known_parameters = {
        {"w_group_channel", "[half a group], shared by groups and heads",
         "how much its mean opens a channel"},
        {"b_group_channel", "[half a group], shared by groups and heads", "how open a channel is"},
        {"w_group_place", "[half a group], shared by groups and heads",
         "how much standing out opens a place"},
        {"b_group_place", "[half a group], shared by groups and heads", "how open a place is"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const SplitGroups groups(plan);
        list.add("w_group_channel", {groups.of_channels.width});
        list.add("b_group_channel", {groups.of_channels.width});
        if (groups.of_places.width == 0)
            return;
        list.add("w_group_place", {groups.of_places.width});
        list.add("b_group_place", {groups.of_places.width});
    };
    component.check = [](const Plan& plan) { check_gated_image(plan, "shuffle"); };
    component.makes_keys_and_values = true;
    component.changes_context = always;
    component.declared_stages = {
        declared_squeeze("channel_gate"),
        made_stage("channel_gate", "Gates of the channels",
                   {"of the first half of each group", {{"squeeze"}}, "× w, + b,\nσ\n→"},
                   {.lights = "feature_gates", .is_of_features = true, .is_share = true}),
        made_stage(
            "normalized_image", "Image, normalised",
            {"each channel over the places: mean 0, deviation 1", {{"query"}}, "norm over\nthe places\n→"},
            {.colours_of = "query", .lights = "place_gates", .has_features = true}),
        made_stage("place_gates", "Gates of places and channels",
                   {"of the second half of each group", {{"normalized_image"}}, "× w, + b,\nσ\n→"},
                   {.lights = "feature_gates", .has_features = true, .is_share = true}),
        made_stage("feature_gates", "Gates of the features",
                   {"the first half of each group, then the second",
                    {{"channel_gate"}, {"place_gates", "and"}},
                    "side by side\n→"},
                   {.lights = "output", .is_share = true}),
        declared_gates_as_weights(),
        made_stage("context", "Context",
                   {"every number times its gate, channels shuffled",
                    {{"query"}, {"feature_gates", "∘"}},
                    "shuffled\n→"},
                   {.colours_of = "query", .lights = "output"})};
    component.define = define_shuffle;
    return component;
}

}  // namespace headlight
