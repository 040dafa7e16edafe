#pragma once

#include "core/figure/figure.h"

#include <QLineF>
#include <QList>
#include <QRectF>

namespace headlight {

/// Diagonal lines through the panel's forbidden cells, `spacing` apart, each as long as the cells it crosses.
/// As lines rather than a pattern brush they look the same on a screen, in an SVG and in a PDF.
QList<QLineF> hatch_lines(const Panel& panel, const QRectF& cells, double spacing);

}  // namespace headlight
