#pragma once

#include "core/figure/figure.h"
#include "ui/views/cell_place.h"

namespace headlight {

/// The selection after a patch was chosen in a panel over an image: the one that looks, at itself; or with
/// `looked_at`, and where the patches do not look, only the one that is looked at.
Selection select_patch(const Trace& trace, Selection selection, const Panel& panel, Index patch,
                       bool looked_at = false);

/// The outlined patch as a cell of the panel, for walking over the image with the keys.
CellPlace outlined_cell(const Panel& panel);

}  // namespace headlight
