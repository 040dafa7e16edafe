#pragma once

namespace headlight {

/// The words of a moment have room for as many lines under the figure.
inline constexpr int most_motion_lines = 2;

}  // namespace headlight
