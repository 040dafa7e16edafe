#pragma once

#include "core/image/patches.h"

#include <array>

namespace headlight::samples {

/// A picture whose colours follow from row and column.
template <class Colour>
Picture picture(Index width, Index height, const Colour& colour) {
    Picture painted{width, height, {}};
    for (Index row = 0; row < height; ++row)
        for (Index column = 0; column < width; ++column)
            for (const int channel : colour(row, column))
                painted.rgb.push_back(static_cast<std::uint8_t>(channel));
    return painted;
}

/// Sky above a meadow, and a red square in the sky on the left and another on the right.
inline Picture landscape(Index width = 48, Index height = 32) {
    return picture(width, height, [=](Index row, Index column) {
        const bool in_square =
            row >= height / 4 && row < height / 2 && (column / (width / 6) == 1 || column / (width / 6) == 4);
        if (in_square)
            return std::array{200, 40, 30};
        return row < height / 2 ? std::array{90, 160, 230} : std::array{70, 150, 50};
    });
}

}  // namespace headlight::samples
