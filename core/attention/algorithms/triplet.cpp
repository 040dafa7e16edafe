#include "core/attention/algorithms/gated_image.h"
#include "core/attention/algorithms/image_grid.h"

namespace headlight {
namespace {

bool gates_places_too(const Plan& plan) { return plan.algorithm().flag("spatial"); }

/// σ of a convolution over two planes side by side [.., places, 2], the means and the largest numbers:
/// [.., places, 1]. The parameter [2 k k] has the taps of the first plane before those of the second.
Expression gates_of_planes(Composer& composer, const std::string& name, const Expression& planes,
                           const ImageGrid& grid, const std::string& parameter) {
    const ImageKernel kernel{kernel_side(composer.plan)};
    const Index taps = kernel.taps();
    const auto tap_of_plane = [=](Index i) { return i % 2 * taps + i / 2; };
    const Expression weights = composer.let(
        name + "_kernel",
        pick(composer.parameter(parameter), {1, 1, {0}}, {2 * taps, 1, {2 * taps, tap_of_plane}}),
        "tap by tap, for the mean and for the largest number");
    const Expression around =
        composer.let(name + "_around", around_places(composer, name, planes, grid, kernel),
                     "what the kernel meets at each place");
    return sigmoid_of(product(around, weights));
}

/// The rows or the columns of the grid, as lines of places.
struct Lines {
    ImageGrid grid;
    bool are_rows;

    Index count() const { return are_rows ? grid.rows() : grid.columns(); }
    Index longest() const { return are_rows ? grid.columns() : grid.rows(); }
    Index places_in(Index line) const {
        return are_rows ? grid.places_in_row(line) : grid.places_in_column(line);
    }
    Index place(Index line, Index at) const { return are_rows ? grid.place(line, at) : grid.place(at, line); }
    Index of(Index place) const { return are_rows ? grid.row(place) : grid.column(place); }
};

/// The gate of each pair of a line and a channel [h, lines, d], from the mean and the largest number of the
/// channel along the line.
Expression write_gates_of_lines(Composer& composer, const std::string& name, const Lines& lines) {
    const Index channels = composer.plan.head_query_width(), pairs = lines.count() * channels;
    // A line that lacks a place has its first one twice: for the largest number that is one and the same.
    const auto place = [=](Index pair, Index at) {
        const Index line = pair / channels;
        return lines.place(line, at < lines.places_in(line) ? at : 0);
    };
    const Expression along =
        composer.let(name + "_numbers",
                     pick(composer.query, places_of(pairs, lines.longest(), place),
                          {pairs, 1, {pairs, [=](Index pair) { return pair % channels; }}}),
                     "of each line and channel, along the line");
    const Expression shares =
        composer.of_places(name + "_shares", {0, pairs, lines.longest()},
                           "what a mean along the line takes of each place", [=](Place at) {
                               const Index there = lines.places_in(at.row / channels);
                               return at.column < there ? 1 / static_cast<double>(there) : 0.0;
                           });
    const Expression squeezed = composer.let(
        name + "_squeeze", join_columns({sum_of_columns(along * shares), maximum_of_columns(along)}),
        "the mean and the largest number along each line");
    const Expression gates = composer.let(
        name + "_gates", gates_of_planes(composer, name, squeezed, ImageGrid(pairs, channels), "w_" + name),
        "of each line and channel");
    const auto pair = [=](Index line, Index channel) { return line * channels + channel; };
    return composer.let(name + "_gate", from_column(gates, lines.count(), channels, pair),
                        "a row for each line, a column for each channel");
}

/// What each place has of the gates of its line, [h, n, d].
Expression at_places(const Composer& composer, const Expression& gates, const Lines& lines) {
    std::vector<Index> line;
    for (Index place = 0; place < composer.plan.queries; ++place)
        line.push_back(lines.of(place));
    return some_rows(gates, line);
}

/// The mean of gates of three pairs of axes, each made from what is left when the third is summed up
/// (Misra et al. 2021).
Expression define_triplet(Composer& composer) {
    const ImageGrid grid(composer.plan);
    const Lines rows{grid, true}, columns{grid, false};
    const Expression of_rows = at_places(composer, write_gates_of_lines(composer, "row_channel", rows), rows);
    const Expression of_columns =
        at_places(composer, write_gates_of_lines(composer, "column_channel", columns), columns);
    Expression gates = of_rows + of_columns;
    if (gates_places_too(composer.plan)) {
        const Expression squeezed =
            composer.let("place_squeeze",
                         join_columns({mean_of_columns(composer.query), maximum_of_columns(composer.query)}),
                         "the mean and the largest number of each place");
        gates = gates + composer.let("spatial_gate",
                                     gates_of_planes(composer, "spatial", squeezed, grid, "w_spatial"),
                                     "of each place, the same for all channels");
    }
    gates = composer.let("feature_gates", gates / (gates_places_too(composer.plan) ? 3 : 2),
                         "the mean of the gates");
    write_gates_as_weights(composer, gates);
    return composer.let("context", composer.query * gates, "every number times its gate");
}

}  // namespace

AlgorithmComponent declare_algorithms_triplet() {
    AlgorithmComponent component;
    component.meaning =
        "o = x ∘ (g_place + g_row,channel + g_column,channel) / 3 on a grid that the tokens fill row by row: "
        "each gate is σ of a convolution over the plane of two axes, with the mean and the largest number "
        "along the third (Misra et al. 2021); places that an incomplete last row lacks count in no mean and "
        "are zero for the convolution; the weights shown are a diagonal, the mean gate";
    component.options = {
        columns_option(),
        kernel_option("How many neighbours on each plane a gate is made of; the paper has 7x7."),
        flag_option("spatial", "Gates of places", true,
                    "Whether there is a gate of places beside the two that know of channels.")};
    component.known_parameters = {
        {"w_spatial", "[2 k k] with a kernel of k × k, shared by the heads",
         "weighs the means around a place, row by row, then the largest numbers"},
        {"w_row_channel", "[2 k k], shared by the heads",
         "weighs the means of neighbouring rows and channels, row by row, then the largest numbers"},
        {"w_column_channel", "[2 k k], shared by the heads",
         "weighs the means of neighbouring columns and channels, column by column, then the largest "
         "numbers"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index numbers = 2 * ImageKernel{kernel_side(plan)}.taps();
        if (gates_places_too(plan))
            list.add("w_spatial", {numbers});
        list.add("w_row_channel", {numbers});
        list.add("w_column_channel", {numbers});
    };
    component.check = [](const Plan& plan) { check_gated_image(plan, "triplet"); };
    component.makes_keys_and_values = true;
    const auto declared_gate = [](const std::string& name, const std::string& title,
                                  const std::string& subtitle) {
        return made_stage(name, title, {subtitle, {{"query"}}, "mean, max,\nkernel, σ\n→"},
                          {.lights = "feature_gates", .is_of_features = true, .is_share = true});
    };
    component.declared_stages = {
        declared_gate("row_channel_gate", "Gates of rows and channels", "a row for each row of the grid"),
        declared_gate("column_channel_gate", "Gates of columns and channels",
                      "a row for each column of the grid"),
        made_stage("place_squeeze", "Places, squeezed",
                   {"the mean and the largest number of each place", {{"query"}}, "mean, max\n→"},
                   {.lights = "spatial_gate", .has_features = true}),
        made_stage("spatial_gate", "Gates of the places",
                   {"the same for all channels", {{"place_squeeze"}}, "kernel, σ\n→"},
                   {.lights = "feature_gates", .has_features = true, .is_share = true}),
        made_stage("feature_gates", "Gates of the features",
                   {"the mean of the gates of each pair of axes",
                    {{"row_channel_gate"}, {"column_channel_gate", "+"}, optional_stage("spatial_gate", "+")},
                    "mean\n→"},
                   {.lights = "output", .is_share = true}),
        declared_gates_as_weights(),
        declared_gated_features()};
    component.define = define_triplet;
    return component;
}

}  // namespace headlight
