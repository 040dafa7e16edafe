#include "core/attention/algorithms/gated_image.h"
#include "core/attention/algorithms/image_grid.h"

namespace headlight {
namespace {

constexpr Index selective_side = 3;

Index branches_of(const Plan& plan) { return plan.algorithm().count("branches"); }
bool activates_branches(const Plan& plan) { return plan.algorithm().flag("activated"); }

/// Each branch sees one step farther than the one before.
ImageKernel kernel_of_branch(Index branch) { return {selective_side, branch + 1}; }

/// The kernels of a branch, [taps, d], which are rows of those of all.
Expression kernels_of_branch(Composer& composer, Index branch) {
    const Index taps = kernel_of_branch(branch).taps();
    return some_rows(composer.parameter("W_kernels"), counted(branch * taps, taps));
}

/// Each channel by a kernel of its own, [h, n, d].
Expression write_branch(Composer& composer, const ImageGrid& grid, Index branch) {
    const std::string name = numbered("branch_", branch + 1);
    const Expression convolved = convolved_channels(
        composer, name, composer.query, kernels_of_branch(composer, branch), grid, kernel_of_branch(branch));
    return composer.let(name, activates_branches(composer.plan) ? relu_of(convolved) : convolved);
}

/// What each place takes of each through a branch before relu, the mean over the channels: [h, n, n].
Expression write_weights_of_branch(Composer& composer, const ImageGrid& grid, Index branch,
                                   const Expression& share) {
    const ImageKernel kernel = kernel_of_branch(branch);
    const std::string name = numbered("branch_", branch + 1);
    const Expression of_taps = composer.let(name + "_taps",
                                            product_transposed(share, kernels_of_branch(composer, branch)) /
                                                static_cast<double>(composer.plan.head_query_width()),
                                            "each tap of the chosen kernels, the mean over the channels");
    return composer.let(name + "_weights", taps_at_places(composer, name + "_meets", of_taps, grid, kernel),
                        "at their places");
}

/// Split, fuse, select (Li et al. 2019).
Expression define_selective_kernel(Composer& composer) {
    const ImageGrid grid(composer.plan);
    const Index count = branches_of(composer.plan), channels = composer.plan.head_query_width();
    std::vector<Expression> convolved;
    for (Index branch = 0; branch < count; ++branch)
        convolved.push_back(write_branch(composer, grid, branch));
    Expression sum = convolved.front();
    for (std::size_t branch = 1; branch < convolved.size(); ++branch)
        sum = sum + convolved[branch];
    const Expression mean = composer.let("squeeze", mean_of_rows(sum),
                                         "the mean of each channel over the image, of all branches together");
    const Expression hidden = write_hidden(composer, mean);
    const Expression all_scores = composer.projected(hidden, "W_select");
    const Expression scores =
        composer.let("kernel_scores",
                     from_row(all_scores, channels, count,
                              [=](Index channel, Index branch) { return branch * channels + channel; }),
                     "a number for each kernel of each channel");
    const Expression shares = softmax_of(composer, "kernel_shares", scores);
    std::optional<Expression> context, weights;
    for (Index branch = 0; branch < count; ++branch) {
        const Expression share = transposed(some_columns(shares, {branch}));
        const Expression chosen = convolved[static_cast<std::size_t>(branch)] * share;
        const Expression taken = write_weights_of_branch(composer, grid, branch, share);
        context = context ? *context + chosen : chosen;
        weights = weights ? *weights + taken : taken;
    }
    composer.let("weights", *weights, "what each place takes of each, the mean over the channels");
    return composer.let("context", *context, "the branches by their shares");
}

void check_selective_kernel(const Plan& plan) {
    check_feature_map(plan, "selective_kernel algorithm");
    refuse_turned_vectors(plan, "selective_kernel", "no query meets a key");
}

}  // namespace

AlgorithmComponent declare_algorithms_selective_kernel() {
    AlgorithmComponent component;
    component.meaning =
        "o_c = Σ_b a_bc relu(w_bc ∗ x_c) with a_c a softmax over kernels b of growing reach, made from the "
        "image as a whole: each channel chooses how far it looks (Li et al. 2019, SK); the tokens fill a "
        "grid row by row, and places that an incomplete last row lacks are zero; the weights shown are the "
        "chosen kernels, the mean over the channels, before relu";
    component.options = {columns_option(), reduction_option(),
                         count_option("branches", "Kernels", 2, {1, 4},
                                      "How many kernels of 3 x 3 each channel chooses from; each has its "
                                      "taps one step farther apart than the one before."),
                         flag_option("activated", "Relu", true,
                                     "Whether what a kernel gives goes through relu, as in the paper; "
                                     "without, each number is a weighted sum of its neighbours.")};
    component.known_parameters = {
        {"W_squeeze", "[C, C / reduction] per head, shared by the heads", "the layer that all kernels share"},
        {"W_kernels", "[9 branches, C] per head, shared by the heads",
         "a kernel for each channel, tap by tap, the first branch first"},
        {"W_select", "[C / reduction, branches C]", "makes the scores of the kernels, branch by branch"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index channels = plan.head_query_width(), hidden = hidden_width(plan);
        list.add("W_kernels", {branches_of(plan) * kernel_of_branch(0).taps(), channels});
        list.add("W_squeeze", {channels, hidden});
        list.add("W_select", {hidden, branches_of(plan) * channels});
    };
    component.check = check_selective_kernel;
    component.makes_keys_and_values = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage(
            "squeeze", "Channels, squeezed",
            {"the mean of each channel over the image, behind all kernels", {{"query"}}, "kernels,\nmean\n→"},
            {.lights = "hidden", .is_of_features = true}),
        declared_hidden("kernel_scores"),
        made_stage("kernel_scores", "Scores of the kernels",
                   {"a row for each channel, a column for each kernel", {{"hidden"}}, "× W\n→"},
                   {.lights = "kernel_shares", .is_of_features = true}),
        declared_softmax_stage("kernel_scores", "kernel_shares", "Shares of the kernels",
                               "what each channel takes of each kernel",
                               {.lights = "output", .is_of_features = true}),
        declared_weights_stage(
            {"the chosen kernels, the mean over the channels", {{"kernel_shares"}}, "× kernels,\nmean\n→"}),
        made_stage("context", "Context",
                   {"the branches by their shares", {{"query"}, {"kernel_shares", "and"}}, "kernels\n→"},
                   {.lights = "output"})};
    component.define = define_selective_kernel;
    return component;
}

}  // namespace headlight
