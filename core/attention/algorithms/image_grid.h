#pragma once

#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/grid.h"
#include "core/attention/positions/pair_places.h"

#include <algorithm>
#include <cstdlib>

namespace headlight {

/// Places on a grid that they fill row by row; the last row may lack some.
class ImageGrid {
public:
    ImageGrid(Index places, Index columns) : grid_{columns}, places_(places) {}
    /// The tokens on the grid of the algorithm's option `columns`.
    explicit ImageGrid(const Plan& plan)
        : ImageGrid(plan.queries, plan.algorithm().count(columns_option().name)) {}

    Index places() const { return places_; }
    Index rows() const { return parts_of_size(places_, grid_.columns); }
    /// Those that have a place.
    Index columns() const { return std::min(grid_.columns, places_); }
    Index row(Index place) const { return grid_.row(place); }
    Index column(Index place) const { return grid_.column(place); }
    Index place(Index row, Index column) const { return row * grid_.columns + column; }
    bool has(Index row, Index column) const {
        return row >= 0 && column >= 0 && column < grid_.columns && place(row, column) < places_;
    }
    Index places_in_row(Index row) const { return std::min(grid_.columns, places_ - place(row, 0)); }
    Index places_in_column(Index column) const { return parts_of_size(places_ - column, grid_.columns); }

private:
    Grid grid_;
    Index places_;
};

/// A square window of places around one, its taps counted row by row.
struct ImageKernel {
    Index side = 1;      ///< odd
    Index dilation = 1;  ///< steps from one tap to the next

    Index taps() const { return side * side; }
    Index down(Index tap) const { return (tap / side - side / 2) * dilation; }
    Index right(Index tap) const { return (tap % side - side / 2) * dilation; }
    /// The tap that lies so far down and to the right; -1 where there is none.
    Index tap(Index steps_down, Index steps_right) const {
        const Index reach = side / 2 * dilation;
        const auto is_met = [&](Index steps) { return std::abs(steps) <= reach && steps % dilation == 0; };
        if (!is_met(steps_down) || !is_met(steps_right))
            return -1;
        return (steps_down + reach) / dilation * side + (steps_right + reach) / dilation;
    }
};

/// "3x3": the option of a square kernel.
inline Option kernel_option(const std::string& help) {
    return word_option("kernel", "Kernel", {"1x1", "3x3", "5x5", "7x7"}, help, "3x3");
}
inline Index kernel_side(const Plan& plan) { return plan.algorithm().word("kernel").front() - '0'; }

/// What a kernel meets around each place of `image` [.., places, channels]: [.., places, taps · channels],
/// the channels of the first tap, those of the next; 0 outside the image. A matrix of as many rows makes it a
/// convolution.
inline Expression around_places(Composer& composer, const std::string& name, const Expression& image,
                                const ImageGrid& grid, const ImageKernel& kernel) {
    const Index channels = image.extent().columns, width = kernel.taps() * channels;
    const auto is_there = [=](Index place, Index column) {
        const Index tap = column / channels;
        return grid.has(grid.row(place) + kernel.down(tap), grid.column(place) + kernel.right(tap));
    };
    const auto read = [=](Index place, Index column) {
        const Index tap = column / channels;
        return is_there(place, column) ? place + grid.place(kernel.down(tap), kernel.right(tap)) : 0;
    };
    const auto channel = [=](Index column) { return column % channels; };
    return choose(composer.truth_of_places(name + "_is_in_image", {0, grid.places(), width},
                                           "1 where the kernel meets the image",
                                           [=](Place at) { return is_there(at.row, at.column); }),
                  pick(image, places_of(grid.places(), width, read), {1, width, {width, channel}}), 0);
}

/// Each channel of `image` [.., places, channels] convolved by its column of `kernels` [taps, channels].
inline Expression convolved_channels(Composer& composer, const std::string& name, const Expression& image,
                                     const Expression& kernels, const ImageGrid& grid,
                                     const ImageKernel& kernel) {
    const Index channels = image.extent().columns, width = kernel.taps() * channels;
    const Expression around =
        composer.let(name + "_around", around_places(composer, name, image, grid, kernel),
                     "what the kernels meet at each place, tap by tap");
    const Expression in_a_row =
        composer.let(name + "_kernels",
                     pick(kernels, {1, width, {width, [=](Index column) { return column / channels; }}},
                          {1, width, {width, [=](Index column) { return column % channels; }}}),
                     "the kernels, tap by tap");
    const Expression sums =
        composer.of_places("sums_over_" + std::to_string(kernel.taps()) + "_taps", {0, width, channels},
                           "1 where a number is of the channel",
                           [=](Place at) { return at.row % channels == at.column ? 1.0 : 0.0; });
    return product(around * in_a_row, sums);
}

/// The tap of a kernel laid around one place that meets another; -1 where none does.
inline Index tap_between(const ImageGrid& grid, const ImageKernel& kernel, Index around, Index met) {
    return kernel.tap(grid.row(met) - grid.row(around), grid.column(met) - grid.column(around));
}

/// Pairs of a place and one that a kernel around it meets: [places, places].
inline Expression pairs_in_kernel(Composer& composer, const std::string& name, const ImageGrid& grid,
                                  const ImageKernel& kernel) {
    return composer.truth_of_places(
        name, {0, grid.places(), grid.places()}, "places that the kernel of another meets",
        [=](Place at) { return tap_between(grid, kernel, at.row, at.column) >= 0; });
}

/// A number for each tap of a kernel, [.., 1 or places, taps], as the map of these pairs: [.., places,
/// places], 0 for others.
inline Expression taps_at_places(Composer& composer, const std::string& pairs, const Expression& of_taps,
                                 const ImageGrid& grid, const ImageKernel& kernel) {
    const Index places = grid.places();
    const auto tap = [=](Index around, Index met) {
        return std::max<Index>(tap_between(grid, kernel, around, met), 0);
    };
    const Places rows =
        of_taps.extent().rows == 1 ? Places{1, 1, {0}} : Places{places, 1, counted(0, places)};
    return choose(pairs_in_kernel(composer, pairs, grid, kernel),
                  pick(of_taps, rows, places_of(places, places, tap)), 0);
}

/// Refuses masks: the places of an image see what the grid says.
inline void refuse_masked_image(const Plan& plan, const std::string& algorithm) {
    refuse_mask(plan, algorithm, "what a place of an image sees follows from the grid");
}

}  // namespace headlight
