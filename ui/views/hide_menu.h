#pragma once

#include "ui/views/cell_place.h"

class QMenu;

namespace headlight {

class Document;

/// A weight as it is drawn without these keys; nothing where none is hidden, and of what is no weight that is left.
std::optional<double> weight_without_hidden(const Trace& trace, const CellPlace& place,
                                            const std::vector<Index>& keys);

/// Adds to `menu` what weights can be drawn without: the key of that place, or again with all keys.
void add_hide_actions(QMenu& menu, Document& document, const CellPlace& place);

}  // namespace headlight
