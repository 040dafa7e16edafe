#pragma once

#include "core/figure/figure.h"

#include <string>
#include <vector>

namespace headlight {

/// What a cell is that its colour cannot say, and a small sign in it does.
enum class CellSign {
    above,      ///< the range of colours, by a choice of that range: the cell has the colour of its high end
    below,      ///< ... of its low end
    infinite,   ///< larger than any number; minus infinity is what a mask leaves, and hatched
    no_number,  ///< NaN, where most of the others are numbers, or the panel asks for it: sparse rows have
                ///< none
};

struct SignedCell {
    Index row = 0, column = 0;
    CellSign sign = CellSign::above;
    bool operator==(const SignedCell&) const = default;
};

/// The cells of the drawn rows that have a sign, row by row: none of a large map, of a thumbnail, and of so
/// many cells that nobody could see it. Cells that the mask forbids have none, nor keys that are hidden.
std::vector<SignedCell> signed_cells(const Panel& panel);

/// "In cells: ▲ above the range of colours, × no number."; empty where no cell has a sign.
std::string cell_signs_note(const Figure& figure);
/// Puts it behind the figure's caption, in place of the one that stands there. The panels are final by now.
void tell_cell_signs(Figure& figure);

}  // namespace headlight
