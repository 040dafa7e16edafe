#pragma once

#include "core/figure/figure.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <optional>
#include <vector>

class QPainter;

namespace headlight {

/// Where a figure's panels and cells lie in an area: worked out once per size, then used to paint and to hit-test.
struct PanelLayout {
    QRectF frame;    ///< with title and labels
    QRectF cells;    ///< the matrix alone (for lines: between the two columns of tokens)
    QRectF row_sums; ///< empty when there are none
    bool row_labels = true, column_labels = true;
    double label_size = 9;  ///< of the token labels, in the units of the area
    int row_stride = 1, column_stride = 1;  ///< every how many-th label fits
    bool values = false;    ///< numbers fit in the cells
};
struct FigureLayout {
    QRectF area, title, caption, colour_bar;
    std::vector<PanelLayout> panels;
};

/// What lies under a point.
struct CellHit {
    Index panel = 0;
    std::optional<Index> row, column;  ///< absent over a title; one of them over a label
};

/// `unit` is the size of one typographic point in the area's units: 1 for PDF, dpi/72 for pixels.
FigureLayout layout_figure(const Figure& figure, const QRectF& area, double unit);

void paint_figure(QPainter& painter, const Figure& figure, const FigureLayout& layout, double unit);

std::optional<CellHit> hit_test(const Figure& figure, const FigureLayout& layout, QPointF point);

/// The size in points at which the figure is comfortable to read.
QSizeF natural_size(const Figure& figure);

}  // namespace headlight
