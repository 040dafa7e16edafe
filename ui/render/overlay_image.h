#pragma once

#include "ui/render/figure_style.h"

#include "core/figure/figure.h"

#include <QImage>

namespace headlight {

/// The panel's image in grey under the colours of its cells, `size` large. Cells that the mask forbids have
/// no colour and step back. The panel has an overlay.
QImage overlay_image(const Panel& panel, const FigureStyle& style, QSize size);

}  // namespace headlight
