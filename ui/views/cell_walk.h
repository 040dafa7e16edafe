#pragma once

#include "ui/views/cell_place.h"

class QKeyEvent;

namespace headlight {

/// Where a key takes the selected cell in a matrix with these last cells: arrows by one (with Ctrl by ten),
/// Home and End along the row (with Ctrl over the whole matrix), Page Up and Down by `page` rows. Nothing
/// when it is not a key that moves. Of a matrix that is drawn `transposed` they lead where they point.
std::optional<CellPlace> walked(CellPlace place, const QKeyEvent& event, Index last_row, Index last_column,
                                Index page, bool transposed = false);

}  // namespace headlight
