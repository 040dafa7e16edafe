#pragma once

#include "core/figure/figure.h"
#include "ui/views/cell_place.h"

#include <memory>

class QMenu;
class QString;

namespace headlight {

/// The numbers of a row, a column, or a cell of a stage as a table for a spreadsheet: with their tokens,
/// parted by tabs, with all digits, as they are drawn through a lens. Of a cell the number alone.
QString numbers_text(const Trace& trace, const CellPlace& place, const Selection& selection,
                     const WeightLens& lens);

/// More numbers are too many for a table that somebody pastes.
inline constexpr std::size_t most_copied = 250'000;
/// The numbers of a part of a panel under and beside their tokens, as a table parted by tabs: with all
/// digits, and empty where there is none. Of a large map they are read.
QString cells_table(const Panel& panel, const MapBlock& block);

/// The numbers of a row, a column or a cell of a panel whose cells are no stage's, as numbers_text() has
/// them.
QString panel_numbers_text(const Panel& panel, std::optional<Index> row, std::optional<Index> column);

/// Adds to `menu` what can be copied of a cell, row or column of such a panel.
void add_copy_actions(QMenu& menu, const Panel& panel, std::optional<Index> row, std::optional<Index> column);

/// Adds to `menu` what can be copied of that place: its number, its row, its column.
void add_copy_actions(QMenu& menu, const std::shared_ptr<const Trace>& trace, const CellPlace& place,
                      const Selection& selection, const WeightLens& lens);

}  // namespace headlight
