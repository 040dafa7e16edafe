#pragma once

#include "core/figure/cell_codes.h"
#include "ui/render/figure_style.h"

#include <QColor>
#include <QImage>

#include <array>
#include <vector>

namespace headlight {

CellPalette cell_palette(const Panel& panel, const FigureStyle& style);

/// Whether dark text reads better on the colour than light text.
bool reads_dark(const QColor& cell);

/// One pixel per cell, true colour: quick to draw.
QImage true_colour_image(const CellCodes& cells, const CellPalette& palette);
/// The same in pixels that have to stay for as long as the image.
QImage true_colour_image(const CellCodes& cells, const CellPalette& palette, std::vector<QRgb>& pixels);

/// One pixel per cell with a palette: small in a file. The map's colours are drawn in so many steps; in 128
/// where all 256 and the two that are no numbers occur, because a palette ends at 256.
QImage palette_image(const CellCodes& cells, const CellPalette& palette, int steps);

}  // namespace headlight
