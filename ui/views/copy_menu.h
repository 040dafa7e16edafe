#pragma once

#include "core/figure/figure.h"
#include "ui/views/cell_place.h"

#include <memory>

class QAction;
class QString;
class QWidget;

namespace headlight {

class ContextMenu;

/// The numbers of a row, a column, or a cell of a stage as a table for a spreadsheet: with their tokens,
/// separated by tabs, with all digits, as they are drawn through a lens. Of a cell the number alone.
QString numbers_text(const Trace& trace, const CellPlace& place, const Selection& selection,
                     const WeightLens& lens);

/// Offers an action that copies so many numbers as a table. It is grey and names the limit where they are too
/// many for a table that somebody pastes.
QAction& add_table_action(ContextMenu& menu, const char* id, std::size_t numbers);

/// Gives a table the action that copies it, with its key and a menu. Who has the table does it.
QAction& add_table_menu(QWidget& table);

/// The numbers of a part of a panel under and beside their tokens, as a table separated by tabs: with all
/// digits, and empty where there is none. Of a large map they are read.
QString cells_table(const Panel& panel, const MapBlock& block);

/// The numbers of a row, a column or a cell of a panel whose cells are no stage's, as numbers_text() has
/// them.
QString panel_numbers_text(const Panel& panel, std::optional<Index> row, std::optional<Index> column);

/// Adds to `menu` what can be copied of a cell, row or column of such a panel.
void add_copy_actions(ContextMenu& menu, const Panel& panel, std::optional<Index> row,
                      std::optional<Index> column);

/// Adds to `menu` what can be copied of that place: its number, its row, its column.
void add_copy_actions(ContextMenu& menu, const std::shared_ptr<const Trace>& trace, const CellPlace& place,
                      const Selection& selection, const WeightLens& lens);

}  // namespace headlight
