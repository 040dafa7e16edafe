#pragma once

#include "core/figure/figure.h"
#include "core/io/export_options.h"

#include <QColor>
#include <QImage>
#include <QPainterPath>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <variant>
#include <vector>

namespace headlight {

// What the painter draws, as values: for formats that Qt has no device for. Places and sizes are in points
// from the figure's upper left corner.

struct DrawnPath {
    QPainterPath path;
    QColor fill, stroke;  ///< invalid where there is none
    double width = 0;
    bool is_round = false;       ///< ends of lines
    std::vector<double> dashes;  ///< drawn and left out in turn; a whole line if empty
};

struct DrawnText {
    QString text;    ///< in the order in which it is read
    QPointF place;   ///< on the baseline
    double share;    ///< of the text's width, what lies left of the place: 0, 0.5 or 1
    double degrees;  ///< against the clock
    double size;     ///< of the type
    bool is_bold, is_italic;
    QColor colour;
};

struct DrawnImage {
    QRectF area;
    QImage image;  ///< of 256 colours, or opaque
};

using DrawnItem = std::variant<DrawnPath, DrawnText, DrawnImage>;

/// The figure as the painter draws it, in order. Text is whole, as the document that it gets into sets it;
/// maps are images with every cell unless the options ask for rectangles.
std::vector<DrawnItem> drawn_items(const Figure& figure, QSizeF points, const ExportOptions& options);

}  // namespace headlight
