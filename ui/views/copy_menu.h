#pragma once

#include "ui/views/cell_place.h"

#include <memory>

class QMenu;
class QString;

namespace headlight {

/// The numbers of a row, a column, or a cell of a stage as a table for a spreadsheet: with their tokens,
/// parted by tabs, with all digits. Of a cell the number alone.
QString numbers_text(const Trace& trace, const CellPlace& place, const Selection& selection);

/// Adds to `menu` what can be copied of that place: its number, its row, its column.
void add_copy_actions(QMenu& menu, const std::shared_ptr<const Trace>& trace, const CellPlace& place,
                      const Selection& selection);

}  // namespace headlight
