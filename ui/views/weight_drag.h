#pragma once

#include "ui/models/weight_movement.h"
#include "ui/views/cell_place.h"

#include <QPointF>

class QPainter;
class QPalette;
class QRectF;

namespace headlight {

/// The weight of a model at this place, ready to be set to another; nothing where there is none to set.
std::optional<Intervention> changeable_weight(const Document& document, const CellPlace& place);

/// A cell of a model's weights that is being dragged: up for more, down for less.
class WeightDrag {
public:
    WeightDrag(Document& document, const CellPlace& place, const Intervention& at, QPointF start);

    const CellPlace& place() const { return place_; }
    double weight() const { return movement_.weight(); }
    void move(QPointF to);
    void release() { movement_.rest(); }

private:
    CellPlace place_;
    WeightMovement movement_;
    double first_;
    QPointF start_;
};

/// "62 %" in a bubble above the cell, or below it where there is no room above, with a bar as long as the
/// weight is large.
void paint_weight(QPainter& painter, const QRectF& cell, const QPalette& palette, double weight);

}  // namespace headlight
