#pragma once

#include "ui/render/painter.h"
#include "ui/render/tree_plan.h"

#include <optional>

namespace headlight {

/// What tells where one is in a picture of the catalogue that is larger than its room, and stays in sight
/// there: the titles of rows and columns of a table, and the families of a tree, each as far as it reaches.
struct CatalogueHeads {
    /// Above the titles of rows, left of those of columns; of a tree without height. Empty of other pictures.
    QRectF corner;
    std::vector<QRectF> rows, columns;  ///< of each title
    std::vector<double> row_ends;       ///< where the next row begins
    double size = 0, unit = 1;          ///< of their type, and of lengths
    std::optional<TreePlan> tree;
    std::vector<Index> nodes;  ///< [row]: of a tree
};

CatalogueHeads catalogue_heads(const Figure& figure, const FigureLayout& layout, double unit);

/// Where they are as far as they have to move to stay in `room`, of a picture that begins at `origin`.
QRectF shown_corner(const CatalogueHeads& heads, QPointF origin, const QRectF& room);

/// Whether a head stands over that point of the picture.
bool is_under_heads(const CatalogueHeads& heads, QPointF origin, const QRectF& room, QPointF point);

/// Paints those that have to move over the picture.
void paint_catalogue_heads(QPainter& painter, const Figure& figure, const CatalogueHeads& heads,
                           QPointF origin, const QRectF& room);

}  // namespace headlight
