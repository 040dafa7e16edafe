#pragma once

#include "core/attention/json_object.h"
#include "core/image/patches.h"

namespace headlight {

/// An object with `columns`, `width`, `height` and `rgb`: the pixels, row by row from the top, four
/// characters of base64 (RFC 4648) for each. There must be a picture.
nlohmann::json picture_to_json(const PatchedPicture& image);

/// Throws Error for a picture larger than most_pixels_across, pixels that are too many, too few or no base64,
/// and a grid that it cannot be cut into.
PatchedPicture picture_from_json(JsonObject& object);

}  // namespace headlight
