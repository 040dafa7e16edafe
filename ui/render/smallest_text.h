#pragma once

#include "ui/render/painter.h"

#include <optional>

namespace headlight {

/// Returns the size in points of the smallest text among what shrinks to its room by itself, which are trees
/// and the names beside curves; nothing of a figure without these.
std::optional<double> smallest_shrunk_text(const Figure& figure, const FigureLayout& layout, double unit);

}  // namespace headlight
