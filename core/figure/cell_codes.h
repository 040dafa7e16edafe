#pragma once

#include "core/figure/figure.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace headlight {

/// What each cell of a panel looks like: an entry of the colour map, or one of those that are no numbers.
struct CellCodes {
    /// Hatched is what is forbidden and lies on a line of the hatching, where cells are pixels.
    static constexpr std::uint16_t forbidden = 256, missing = 257, hatched = 258;
    static constexpr std::size_t count = 259;
    Index rows = 0, columns = 0;
    std::vector<std::uint16_t> codes;  ///< [row, column]

    std::uint16_t at(Index row, Index column) const {
        return codes[static_cast<std::size_t>(row * columns + column)];
    }
};

/// The rows that are drawn: all, or those up to the newest of a decoding step.
Index drawn_rows(const Panel& panel);
/// Whether the last of them is framed as the newest: where all rows are there and another one is selected,
/// that is the only one that is looked at.
bool frames_newest_row(const Panel& panel);
/// Its label is bold: of a row that is selected, and of the newest one where that is framed.
bool is_strong_row(const Panel& panel, Index row);

/// Not of a large map: see allowed_cells().
bool is_forbidden(const Panel& panel, Index row, Index column);

/// Returns the codes of the drawn rows; those of seen_map() where the map is large. Rows and columns beyond
/// `most_rows` by `most_columns` are made fewer by keeping of every block of cells the one that matters most,
/// so that one bright cell never vanishes: the highest entry, on a diverging map the one furthest from the
/// middle. Numbers win over forbidden cells, these over missing ones.
CellCodes cell_codes(const Panel& panel, Index most_rows, Index most_columns);
/// The same in place of what `cells` has: of a size that it had already, no memory is taken.
void write_cell_codes(const Panel& panel, Index most_rows, Index most_columns, CellCodes& cells);

/// A colour for each code, as 0xffRRGGBB.
using CellPalette = std::array<std::uint32_t, CellCodes::count>;
/// The colour of each cell. [rows, columns] in `to`
void write_colours(const CellCodes& cells, const CellPalette& palette, std::uint32_t* to);

/// Writes the numbers of a row, NaN for missing ones and -infinity for forbidden ones; for several threads at
/// once.
using NumberRows = std::function<void(Index row, std::span<float> numbers)>;
/// Writes the codes of numbers on a scale, which are asked for a row at a time; `cells` as in
/// write_cell_codes() of a panel.
void write_cell_codes(const NumberRows& numbers, Index rows, Index columns, const ColourScale& scale,
                      Index most_rows, Index most_columns, CellCodes& cells);

/// The entry of the map that stands for its step when the map is drawn in so many steps.
std::uint16_t stepped(std::uint16_t code, int steps);

/// In how many colours a file shows the figure's cells: all 256, unless they are so many and so various that
/// the file would grow beyond half a megabyte (decision record 0008).
int colour_steps(const Figure& figure);

}  // namespace headlight
