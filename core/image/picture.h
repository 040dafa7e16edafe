#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <vector>

namespace headlight {

/// A small image as a plain value: sRGB, row by row from the top.
struct Picture {
    Index width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  ///< [height, width, 3]
    bool operator==(const Picture&) const = default;
};

/// The most pixels along a picture's longer side. Larger images are made smaller when they are opened: a
/// patch needs few pixels, and every session and exported figure carries its picture.
inline constexpr Index most_pixels_across = 256;

}  // namespace headlight
