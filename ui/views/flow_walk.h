#pragma once

#include "core/figure/flow.h"
#include "ui/views/cell_place.h"

#include <QRectF>

#include <optional>
#include <vector>

namespace headlight {

/// What a click on a part selects.
CellPlace place_of_part(const Flow::Node& node);

/// The part that an arrow key leads to from another: the nearest one in that direction, or with Home and End
/// the first and the last. Tokens are passed over. Nothing where the key leads nowhere.
std::optional<Index> walked_part(const Flow& flow, const std::vector<QRectF>& boxes, Index from, int key);

}  // namespace headlight
