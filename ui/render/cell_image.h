#pragma once

#include "core/figure/figure.h"
#include "ui/render/figure_style.h"

#include <QImage>

#include <array>
#include <vector>

namespace headlight {

/// What each cell of a panel looks like: an entry of the colour map, or one of the two that are no numbers.
struct CellCodes {
    static constexpr std::uint16_t forbidden = 256, missing = 257;
    Index rows = 0, columns = 0;
    std::vector<std::uint16_t> codes;  ///< [row, column]

    std::uint16_t at(Index row, Index column) const {
        return codes[static_cast<std::size_t>(row * columns + column)];
    }
};

/// Of the rows that are drawn: all, or those up to the newest of a decoding step.
Index drawn_rows(const Panel& panel);

/// Of the drawn rows; made smaller than `most_rows` by `most_columns` so that extreme cells stay visible.
CellCodes cell_codes(const Panel& panel, Index most_rows, Index most_columns);

bool is_forbidden(const Panel& panel, Index row, Index column);

using CellPalette = std::array<QRgb, 258>;
CellPalette cell_palette(const Panel& panel, const FigureStyle& style);

/// One pixel per cell, true colour: quick to draw.
QImage true_colour_image(const CellCodes& cells, const CellPalette& palette);

/// One pixel per cell with a palette: small in a file. The map's colours are drawn in so many steps; in 128
/// where all 256 and the two that are no numbers occur, because a palette ends at 256.
QImage palette_image(const CellCodes& cells, const CellPalette& palette, int steps);

/// The entry of the map that stands for the step which `code` lies in.
std::uint16_t stepped(std::uint16_t code, int steps);

/// In how many colours a file shows the figure's cells: all 256, unless they are so many and so various that
/// the file would grow beyond half a megabyte (decision record on exported maps).
int colour_steps(const Figure& figure);

}  // namespace headlight
