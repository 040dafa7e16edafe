#include "core/image/patches.h"

#include "core/tensor/error.h"
#include "core/tensor/random.h"
#include "core/text/random_projection.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr Index channels = 3;

Index rows_of(const Picture& picture, Index columns) {
    const double side = static_cast<double>(picture.width) / static_cast<double>(columns);
    return std::max<Index>(1, std::lround(static_cast<double>(picture.height) / side));
}

/// How much of source pixel `from` lies in a target pixel.
struct Share {
    Index from;
    double part;
};

/// For each of `to` equal parts of a line of `from` pixels, the shares that the pixels have in it.
std::vector<std::vector<Share>> shares(Index from, Index to) {
    std::vector<std::vector<Share>> all(static_cast<std::size_t>(to));
    const double length = static_cast<double>(from) / static_cast<double>(to);
    for (Index part = 0; part < to; ++part) {
        // In units of 1 / to, so that edges which meet are the same number.
        const Index begin = part * from, end = (part + 1) * from;
        for (Index pixel = begin / to; pixel < from && pixel * to < end; ++pixel) {
            const Index covered = std::min(end, (pixel + 1) * to) - std::max(begin, pixel * to);
            all[static_cast<std::size_t>(part)].push_back(
                {pixel, static_cast<double>(covered) / static_cast<double>(to) / length});
        }
    }
    return all;
}

/// [height, width, 3] The picture in another size.
std::vector<double> resized(const Picture& picture, Index height, Index width) {
    const auto across = shares(picture.width, width), down = shares(picture.height, height);
    std::vector<double> narrow(static_cast<std::size_t>(picture.height * width * channels), 0.0);
    for (Index row = 0; row < picture.height; ++row)
        for (Index column = 0; column < width; ++column)
            for (const auto& [from, part] : across[static_cast<std::size_t>(column)])
                for (Index channel = 0; channel < channels; ++channel)
                    narrow[(row * width + column) * channels + channel] +=
                        part * picture.rgb[(row * picture.width + from) * channels + channel];
    std::vector<double> small(static_cast<std::size_t>(height * width * channels), 0.0);
    for (Index row = 0; row < height; ++row)
        for (const auto& [from, part] : down[static_cast<std::size_t>(row)])
            for (Index at = 0; at < width * channels; ++at)
                small[row * width * channels + at] += part * narrow[from * width * channels + at];
    return small;
}

void centre_and_scale(std::vector<double>& colours) {
    double mean[channels] = {}, squares = 0;
    const std::size_t whole_pixels = colours.size() / channels;
    const auto pixels = static_cast<double>(whole_pixels);
    for (std::size_t i = 0; i < colours.size(); ++i)
        mean[i % channels] += colours[i] / pixels;
    for (std::size_t i = 0; i < colours.size(); ++i) {
        colours[i] -= mean[i % channels];
        squares += colours[i] * colours[i];
    }
    // Below it a patch is of one colour, but for the rounding of its mean.
    constexpr double nothing = 1e-9;
    const double root_mean_square = std::sqrt(squares / static_cast<double>(colours.size()));
    for (double& colour : colours)
        colour *= root_mean_square > nothing ? typical_component / root_mean_square : 0;
}

}  // namespace

Index most_patch_columns(const Picture& picture) {
    Index most = 1;
    for (Index columns = 2; columns <= picture.width && columns <= most_patches; ++columns)
        if (columns * rows_of(picture, columns) <= most_patches)
            most = columns;
    return most;
}

Index usual_patch_columns(const Picture& picture) { return std::min<Index>(14, most_patch_columns(picture)); }

PatchGrid patch_grid(const Picture& picture, Index columns) {
    const Index most = most_patch_columns(picture);
    if (columns < 1 || columns > most)
        throw Error({.what = "cut an image into patches",
                     .where = "patches across",
                     .expected = "1 to " + std::to_string(most) + ", so that they are at most " +
                                 std::to_string(most_patches),
                     .got = std::to_string(columns)});
    return {rows_of(picture, columns), columns};
}

PatchedPicture cut(Picture picture) {
    const Index columns = usual_patch_columns(picture);
    return {std::make_shared<const Picture>(std::move(picture)), columns};
}

std::vector<std::string> patch_labels(PatchGrid grid) {
    std::vector<std::string> labels;
    for (Index row = 1; row <= grid.rows; ++row)
        for (Index column = 1; column <= grid.columns; ++column)
            labels.push_back(std::to_string(row) + "," + std::to_string(column));
    return labels;
}

Tensor patch_colours(const Picture& picture, PatchGrid grid) {
    const Index width = grid.columns * patch_pixels;
    std::vector<double> colours = resized(picture, grid.rows * patch_pixels, width);
    centre_and_scale(colours);
    Tensor patches(Shape{grid.count(), patch_pixels * patch_pixels * channels});
    for (Index patch = 0; patch < grid.count(); ++patch) {
        const Index top = patch / grid.columns * patch_pixels, left = patch % grid.columns * patch_pixels;
        auto out = patches.row(patch).begin();
        for (Index row = top; row < top + patch_pixels; ++row)
            out =
                std::copy_n(colours.begin() + (row * width + left) * channels, patch_pixels * channels, out);
    }
    return patches;
}

Tensor patch_vectors(const Picture& picture, PatchGrid grid, const VectorSettings& settings) {
    if (settings.dimension < 1 || settings.dimension > largest_dimension)
        throw Error({.what = "vectors of patches",
                     .where = "dimension",
                     .expected = "1 to " + std::to_string(largest_dimension),
                     .got = std::to_string(settings.dimension)});
    const Tensor colours = patch_colours(picture, grid);
    const RandomProjection project(colours.cols(), settings.dimension,
                                   substream(settings.seed, "projection of patches"));
    Tensor vectors(Shape{grid.count(), settings.dimension});
    for (Index patch = 0; patch < grid.count(); ++patch)
        std::ranges::copy(project(colours.row(patch)), vectors.row(patch).begin());
    return vectors;
}

}  // namespace headlight
