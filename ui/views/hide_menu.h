#pragma once

#include "ui/views/cell_place.h"

namespace headlight {

class ContextMenu;
class Document;

/// Adds to `menu` what weights can be drawn without: the key of that place, or again with all keys.
void add_hide_actions(ContextMenu& menu, Document& document, const CellPlace& place);

}  // namespace headlight
