#pragma once

#include "core/figure/cell_codes.h"
#include "core/figure/colour.h"
#include "ui/render/figure_style.h"

#include <QColor>
#include <QImage>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace headlight {

/// The table of a map as a theme shows it: as it is for such a ground, or of its colours only those that
/// stand out from the theme's ground and from forbidden cells as far as FigureStyle::least_cell_contrast
/// asks, spread over all numbers. The middle of a diverging map stays where it is. Throws Error where there
/// is no such map.
std::array<Rgb, 256> shown_colours(std::string_view map, const FigureStyle& style);

CellPalette cell_palette(const Panel& panel, const FigureStyle& style);

/// Black or white, whichever reads better on the colour.
QColor ink_on(const QColor& cell);

/// The same ink as near to the colour as text may be that has so much contrast with it, by WCAG 2: of numbers
/// that step back.
QColor quiet_ink_on(const QColor& cell, double least_contrast);

/// Inks of the numbers in the cells of one panel. Many cells have the same colour: each is worked out once.
class NumberInks {
public:
    NumberInks(const CellPalette& palette, const FigureStyle& style)
        : palette_(palette), least_zero_contrast_(style.least_zero_contrast) {}

    /// Returns the colour of the number that is written so in a cell with this code.
    QColor of(std::uint16_t code, std::string_view number);

private:
    const CellPalette& palette_;
    double least_zero_contrast_;
    std::array<std::optional<QColor>, CellCodes::count> full_, quiet_;
};

/// One pixel per cell, true colour: quick to draw.
QImage true_colour_image(const CellCodes& cells, const CellPalette& palette);
/// The same in pixels that have to stay for as long as the image.
QImage true_colour_image(const CellCodes& cells, const CellPalette& palette, std::vector<QRgb>& pixels);

/// One pixel per cell with a palette: small in a file. The map's colours are drawn in so many steps; in 128
/// where all 256 and the two that are no numbers occur, because a palette ends at 256.
QImage palette_image(const CellCodes& cells, const CellPalette& palette, int steps);

}  // namespace headlight
