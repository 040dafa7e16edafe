#pragma once

#include "core/figure/figure.h"

#include <QByteArray>
#include <QSizeF>

namespace headlight {

/// Whether pgfplots can draw every panel: matrices of two rows and columns at least that are no pictures, all
/// together no more cells than TeX has memory for.
bool is_for_pgfplots(const Figure& figure);

/// Packages and libraries of pgfplots_figure().
QByteArray pgfplots_preamble();

/// The figure as one tikzpicture: an axis for each matrix, whose numbers stand beside it, with our colour
/// map, labels and colour bar. For a figure that is_for_pgfplots().
QByteArray pgfplots_figure(const Figure& figure, QSizeF points);

}  // namespace headlight
