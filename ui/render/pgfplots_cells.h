#pragma once

#include "ui/render/paint_context.h"

#include <QByteArray>

namespace headlight {

/// What stands inside the axis of pgfplots of a matrix: its numbers, coloured; cells without one, the grid,
/// what is written in cells, and what is selected or pointed out. The lengths of `style` are those that are
/// drawn.
QByteArray plotted_cells(const Panel& panel, const PanelLayout& place, const FigureStyle& style);

}  // namespace headlight
