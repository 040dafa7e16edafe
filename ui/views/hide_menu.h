#pragma once

#include "ui/views/cell_place.h"

class QMenu;

namespace headlight {

class Document;

/// Adds to `menu` what weights can be drawn without: the key of that place, or again with all keys.
void add_hide_actions(QMenu& menu, Document& document, const CellPlace& place);

}  // namespace headlight
