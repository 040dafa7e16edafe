#pragma once

#include <QImage>

#include <cstdint>
#include <vector>

namespace headlight {

/// A picture of at most 256 colours: a table, and for each pixel, row by row, the number of its colour.
struct FewColours {
    std::vector<QRgb> colours;
    std::vector<std::uint8_t> numbers;
};

/// The colours that most pixels have stay as they are; the others are parted where they differ most (Heckbert
/// 1982, median cut), and each becomes the nearest of all. `picture` is Format_RGB32.
FewColours few_colours(const QImage& picture);

}  // namespace headlight
