#pragma once

#include "ui/render/painter.h"

namespace headlight {

/// The titles of rows and columns of a picture of names, which stay in sight where it is larger than its
/// room.
struct NameTableHeads {
    QRectF corner;  ///< above the titles of rows, left of those of columns; empty without a table
    std::vector<QRectF> rows, columns;  ///< of each title
    std::vector<double> row_ends;       ///< where the next row begins
    double size = 0, unit = 1;          ///< of their type, and of lengths
};

NameTableHeads name_table_heads(const Figure& figure, const FigureLayout& layout, double unit);

/// Where they are as far as they have to move to stay in `room`, of a picture that begins at `origin`.
QRectF shown_corner(const NameTableHeads& heads, QPointF origin, const QRectF& room);

/// Paints those that have to move over the picture.
void paint_name_table_heads(QPainter& painter, const Figure& figure, const NameTableHeads& heads,
                            QPointF origin, const QRectF& room);

}  // namespace headlight
