#pragma once

#include "ui/render/painter.h"

namespace headlight {

/// Where the names of a picture of names stand, as paint_figure() draws it: in the order of NameTable::names,
/// of a tree in that of its nodes. Empty where the first panel is of neither kind.
std::vector<QRectF> named_places(const Figure& figure, const FigureLayout& layout, double unit);

}  // namespace headlight
