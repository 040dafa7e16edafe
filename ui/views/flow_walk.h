#pragma once

#include "core/figure/flow.h"
#include "ui/views/cell_place.h"

#include <QRectF>

#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// What a click on a part selects.
CellPlace place_of_part(const Flow::Node& node);

/// The written tokens of a site's queries, or of its keys, that are this one.
std::vector<Index> nodes_of_token(const Flow& flow, const std::string& site, bool is_query, Index token);

/// The part that an arrow key leads to from another: the nearest one in that direction, from the end of a row
/// of parts the beginning of the next, or with Home and End the first and the last. Tokens are passed over.
/// Nothing where the key leads nowhere.
std::optional<Index> walked_part(const Flow& flow, const std::vector<QRectF>& boxes, Index from, int key);

}  // namespace headlight
