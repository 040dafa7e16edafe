#pragma once

#include "ui/render/figure_style.h"
#include "ui/render/painter.h"

namespace headlight {

/// The strip of thumbnails above the panels: where one is between the first stage and the last.
double strip_height(const Figure& figure, double width, const FigureStyle& style, double unit);
/// The width in points at which every thumbnail has its name under it.
double strip_width(const Figure& figure, const FigureStyle& style);
/// Where the strip begins when it is centred in `area`.
double strip_left(const Figure& figure, const QRectF& area, const FigureStyle& style, double unit);
void place_strip(const Figure& figure, const QRectF& area, const FigureStyle& style, double unit,
                 FigureLayout& layout);

}  // namespace headlight
