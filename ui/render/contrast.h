#pragma once

#include "core/figure/colour_vision.h"
#include "core/figure/figure.h"

#include <QColor>
#include <QImage>
#include <QString>

namespace headlight {

/// How well a label stands out from what it is written on, for somebody who sees colours so.
struct LabelContrast {
    QString label;      ///< "0.45", or what kind of text: "title"
    double ratio = 21;  ///< WCAG 2; text of a paper wants 4.5 at least
};

Rgb rgb_of(const QColor& colour);

/// What WCAG 2 asks of text (1.4.3, level AA).
inline constexpr double least_readable_contrast = 4.5;

/// The label of a figure that stands out least.
LabelContrast least_contrast(const Figure& figure, ColourVision vision);

/// The picture as it is seen so.
QImage seen_with(ColourVision vision, QImage image);

}  // namespace headlight
