#pragma once

#include "core/figure/figure.h"

#include <optional>

namespace headlight {

/// The largest number that the colours from 0 to 1 show, where all of them are so small that every cell has
/// nearly the colour of 0; else nothing. In a figure with a stage in focus, of that stage.
std::optional<double> faint_maximum(const Figure& figure);

}  // namespace headlight
