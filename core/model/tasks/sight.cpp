#include "core/model/tasks/sight.h"

#include <cmath>
#include <map>
#include <memory>
#include <utility>

namespace headlight {
namespace {

constexpr Index shown_pixels = 32;  ///< along the side of a patch that people see

/// How much of each pixel is ink, [pixels, pixels]. All places that are asked are sums of powers of two, so
/// that every machine finds the same.
std::vector<double> ink_of(const Sight& sight, std::string_view token, Index pixels) {
    constexpr Index samples = 4;  // along the side of a pixel
    const auto place = [&](Index pixel, Index sample) {
        return static_cast<double>(2 * (pixel * samples + sample) + 1) /
               static_cast<double>(2 * samples * pixels);
    };
    std::vector<double> ink;
    for (Index row = 0; row < pixels; ++row)
        for (Index column = 0; column < pixels; ++column) {
            Index inked = 0;
            for (Index down = 0; down < samples; ++down)
                for (Index across = 0; across < samples; ++across)
                    inked += sight.is_inked(token, place(column, across), place(row, down)) ? 1 : 0;
            ink.push_back(static_cast<double>(inked) / static_cast<double>(samples * samples));
        }
    return ink;
}

}  // namespace

FloatTensor Sight::patches(std::span<const std::string> source) const {
    std::vector<float> all;
    for (const std::string& token : source)
        for (const double ink : ink_of(*this, token, patch_pixels))
            all.push_back(static_cast<float>(ink));
    return FloatTensor({std::ssize(source), numbers()}, std::move(all));
}

PatchedPicture Sight::picture(std::span<const std::string> source) const {
    constexpr double paper = 255, darkest = 30;
    constexpr Index channels = 3;
    if (std::ssize(source) != grid.count())
        return {};
    Picture drawn{.width = grid.columns * shown_pixels, .height = grid.rows * shown_pixels, .rgb = {}};
    drawn.rgb.resize(static_cast<std::size_t>(drawn.width * drawn.height * channels));
    std::map<std::string_view, std::vector<double>> known;
    for (Index patch = 0; patch < grid.count(); ++patch) {
        const std::string& token = source[static_cast<std::size_t>(patch)];
        const auto [found, is_new] = known.try_emplace(token);
        if (is_new)
            found->second = ink_of(*this, token, shown_pixels);
        const Index top = patch / grid.columns * shown_pixels, left = patch % grid.columns * shown_pixels;
        for (Index pixel = 0; pixel < shown_pixels * shown_pixels; ++pixel) {
            const double ink = found->second[static_cast<std::size_t>(pixel)];
            const Index row = top + pixel / shown_pixels, column = left + pixel % shown_pixels;
            for (Index channel = 0; channel < channels; ++channel)
                drawn.rgb[static_cast<std::size_t>((row * drawn.width + column) * channels + channel)] =
                    static_cast<std::uint8_t>(std::lround(paper - ink * (paper - darkest)));
        }
    }
    return {std::make_shared<const Picture>(std::move(drawn)), grid.columns};
}

std::vector<std::string> Sight::names(std::span<const std::string> source) const {
    std::vector<std::string> names;
    for (const std::string& token : source) {
        const Index patch = std::ssize(names);
        names.push_back(std::to_string(1 + patch / grid.columns) + ',' +
                        std::to_string(1 + patch % grid.columns) + ' ' + token);
    }
    return names;
}

}  // namespace headlight
