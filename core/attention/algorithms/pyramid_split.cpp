#include "core/attention/algorithms/gated_image.h"
#include "core/attention/algorithms/image_grid.h"

namespace headlight {
namespace {

/// Groups of neighbouring channels, all of one width: as many as the option says, or the most below that the
/// channels can be split into evenly. Each has a larger kernel than the one before, 3 × 3, 5 × 5 ...
class PyramidGroups {
public:
    explicit PyramidGroups(const Plan& plan)
        : count_(std::min(plan.algorithm().count("groups"), plan.head_query_width())) {
        while (plan.head_query_width() % count_ != 0)
            --count_;
        width_ = plan.head_query_width() / count_;
        hidden_ = std::max<Index>(1, width_ / plan.algorithm().count("reduction"));
    }

    Index count() const { return count_; }
    Index width() const { return width_; }
    Index hidden() const { return hidden_; }  ///< units of the gates
    ImageKernel kernel(Index group) const { return {2 * group + 3}; }
    std::vector<Index> channels(Index group) const { return counted(group * width_, width_); }

private:
    Index count_, width_ = 1, hidden_ = 1;
};

/// One squeeze and excitation that all groups share: relu(mean W) W of the channels of a group.
Expression gates_of_group(Composer& composer, const std::string& name, const Expression& group) {
    const Expression mean =
        composer.let(name + "_squeeze", mean_of_rows(group), "the mean of each channel over the image");
    const Expression hidden = composer.let(name + "_hidden", relu_of(composer.projected(mean, "W_squeeze")));
    return sigmoid_of(composer.projected(hidden, "W_excite"));
}

/// What each place takes of each through a kernel whose channels have these shares [h, 1, channels], the mean
/// over the channels, and each channel of the image the same number: [h, n, n].
Expression write_weights_of_group(Composer& composer, const ImageGrid& grid, const PyramidGroups& groups,
                                  Index group, const Expression& share) {
    const ImageKernel kernel = groups.kernel(group);
    const Index width = groups.width();
    const std::string name = numbered("group_", group + 1);
    const Expression sums =
        composer.of_places(name + "_means_over_taps", {0, kernel.taps() * width, kernel.taps()},
                           "1 over all channels where a number is of the tap",
                           [=, all = composer.plan.head_query_width()](Place at) {
                               return at.row / width == at.column ? 1 / static_cast<double>(all) : 0.0;
                           });
    const Expression of_taps = composer.let(
        name + "_taps",
        product(product_transposed(share, composer.parameter(numbered("W_pyramid_", group + 1))), sums),
        "each tap of the kernel, the mean over the channels");
    return composer.let(name + "_weights", taps_at_places(composer, name + "_meets", of_taps, grid, kernel),
                        "at their places");
}

/// Split and convolve, squeeze and excite, a softmax over the groups (Zhang et al. 2022).
Expression define_pyramid_split(Composer& composer) {
    const ImageGrid grid(composer.plan);
    const PyramidGroups groups(composer.plan);
    std::vector<Expression> convolved, gates;
    for (Index group = 0; group < groups.count(); ++group) {
        const std::string name = numbered("group_", group + 1);
        const Expression around =
            composer.let(name + "_around",
                         around_places(composer, name, some_columns(composer.query, groups.channels(group)),
                                       grid, groups.kernel(group)),
                         "what the kernel meets at each place, tap by tap");
        convolved.push_back(composer.let(name, composer.projected(around, numbered("W_pyramid_", group + 1)),
                                         "its channels, convolved"));
        gates.push_back(gates_of_group(composer, name, convolved.back()));
    }
    const Expression features = composer.let("pyramid", all_columns(convolved), "the groups side by side");
    const Expression scores =
        composer.let("pyramid_gates", transposed(all_rows(gates)), "the gate of each channel of each group");
    const Expression shares = softmax_of(composer, "pyramid_shares", scores);
    std::vector<Expression> of_channels;
    std::optional<Expression> weights;
    for (Index group = 0; group < groups.count(); ++group) {
        const Expression share = transposed(some_columns(shares, {group}));
        of_channels.push_back(share);
        const Expression taken = write_weights_of_group(composer, grid, groups, group, share);
        weights = weights ? *weights + taken : taken;
    }
    composer.let("weights", *weights, "what each place takes of each, the mean over the channels");
    return composer.let("context", features * (all_columns(of_channels)), "every channel times its share");
}

}  // namespace

AlgorithmComponent declare_algorithms_pyramid_split() {
    AlgorithmComponent component;
    component.meaning =
        "channels in groups, each convolved with a larger kernel than the one before, F_s = x_s ∗ W_s; gates "
        "σ(relu(mean W) W′) of each, and of each channel’s gates a softmax over the groups: o_s = F_s ∘ "
        "share_s (Zhang et al. 2022, EPSANet); the tokens fill a grid row by row, and what lies outside is "
        "zero; the weights shown are the kernels by their shares, the mean over the channels";
    Option reduction = reduction_option();
    reduction.standard = Index(4);
    reduction.help =
        "How many times narrower than a group the hidden layer of its gates is; it has one unit at least.";
    component.options = {
        columns_option(),
        count_option("groups", "Groups", 4, {1, 4},
                     "How many groups of channels there are, with kernels of 3 x 3, 5 x 5, 7 x 7 and 9 x 9; "
                     "fewer where the channels cannot be split evenly into so many."),
        reduction};
    component.known_parameters = {
        {"W_pyramid_1", "[9 C / groups, C / groups] per head, shared by the heads",
         "the kernel of the first group, tap by tap"},
        {"W_pyramid_2", "[25 C / groups, C / groups]", "the kernel of the second group, tap by tap"},
        {"W_pyramid_3", "[49 C / groups, C / groups]", "the kernel of the third group, tap by tap"},
        {"W_pyramid_4", "[81 C / groups, C / groups]", "the kernel of the fourth group, tap by tap"},
        {"W_squeeze", "[C / groups, C / groups / reduction] per head, shared by heads and groups",
         "first layer of the gates of a group"},
        {"W_excite", "[C / groups / reduction, C / groups] per head, shared by heads and groups",
         "second layer of the gates of a group"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const PyramidGroups groups(plan);
        for (Index group = 0; group < groups.count(); ++group)
            list.add(numbered("W_pyramid_", group + 1),
                     {groups.kernel(group).taps() * groups.width(), groups.width()});
        list.add("W_squeeze", {groups.width(), groups.hidden()});
        list.add("W_excite", {groups.hidden(), groups.width()});
    };
    component.check = [](const Plan& plan) { check_gated_image(plan, "pyramid_split"); };
    component.makes_keys_and_values = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("pyramid", "Groups, convolved",
                   {"each group of channels by a larger kernel", {{"query"}}, "kernels\n→"},
                   {.lights = "output", .has_features = true}),
        made_stage(
            "pyramid_gates", "Gates of the pyramid",
            {"a row for each channel of a group, a column for each group", {{"pyramid"}}, "mean,\n× W, σ\n→"},
            between_parts("channel", "group", {.lights = "pyramid_shares"})),
        declared_softmax_stage("pyramid_gates", "pyramid_shares", "Shares of the pyramid",
                               "what each channel has of each group",
                               between_parts("channel", "group", {.lights = "output"})),
        made_stage(
            "weights", "Weights",
            {"the kernels by their shares, the mean over the channels", {{"pyramid_shares"}}, "× kernels\n→"},
            {.lights = "output", .role = StageRole::weights}),
        made_stage("context", "Context",
                   {"every channel times its share",
                    {{"pyramid"}, {"pyramid_shares", "and"}},
                    "times the share\nof each channel\n→"},
                   {.colours_of = "pyramid", .lights = "output"})};
    component.define = define_pyramid_split;
    return component;
}

}  // namespace headlight
