#pragma once

#include <QImage>

#include <cstdint>
#include <optional>
#include <vector>

namespace headlight {

/// A picture of at most 256 colours: a table, and for each pixel, row by row, the number of its colour.
struct FewColours {
    std::vector<QRgb> colours;
    std::vector<std::uint8_t> numbers;
    std::optional<std::uint8_t> unchanged = {};  ///< behind the table: of pixels that are as before
};

/// The colours that most pixels have stay as they are; the others are parted where they differ most (Heckbert
/// 1982, median cut), and each becomes the nearest of all. `picture` is Format_RGB32, as is `before` of the
/// same size, where there is one: only pixels that differ from it have a colour.
FewColours few_colours(const QImage& picture, const QImage& before = {});

/// The same with the colours of `table`; nothing where one of the picture's is not among them, or where there
/// is no number left for what is unchanged.
std::optional<FewColours> with_colours_of(const std::vector<QRgb>& table, const QImage& picture,
                                          const QImage& before);

}  // namespace headlight
