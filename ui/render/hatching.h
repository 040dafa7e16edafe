#pragma once

#include "core/figure/cell_codes.h"

#include <QLineF>
#include <QList>
#include <QRectF>

namespace headlight {

/// Diagonal lines through the panel's forbidden cells, `spacing` apart, each as long as the cells it crosses.
/// As lines rather than a pattern brush they look the same on a screen, in an SVG and in a PDF.
QList<QLineF> hatch_lines(const Panel& panel, const QRectF& cells, double spacing);

/// The same lines where every cell is a pixel, as those of a large map on screen: there they are drawn with
/// each step of a zoom, and pixels along a diagonal take five times as long one by one. `width` is counted
/// along a row. In pixels.
void hatch_pixels(CellCodes& cells, double spacing, Index width);

}  // namespace headlight
