#pragma once

#include "core/figure/colour.h"

namespace headlight::colour_tables {

extern const std::span<const Rgb, 256> viridis, cividis, magma, greys, diverging, diverging_on_dark;

}  // namespace headlight::colour_tables
