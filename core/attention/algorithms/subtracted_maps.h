#pragma once

namespace headlight {

/// Why a mechanism that takes one map off another takes no selection.
inline constexpr const char* why_subtracted_maps_take_no_selection =
    "its two maps could each keep keys of their own, or those of one, and are subtracted";

}  // namespace headlight
