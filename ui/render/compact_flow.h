#pragma once

#include "core/figure/flow.h"

#include <QPolygonF>
#include <QRectF>

#include <optional>
#include <vector>

class QPainter;

namespace headlight {

struct FigureStyle;

/// A flow so small that nothing is written in it: where its parts stand in an area that is higher than wide.
/// The stages of a mechanism go downwards, a model stands as in its large picture. Nothing is wider or higher
/// than what can be pointed at needs.
class CompactFlow {
public:
    /// The flow outlives it.
    CompactFlow(const Flow& flow, const QRectF& area);

    const std::vector<QRectF>& boxes() const { return boxes_; }  ///< [node]
    double bottom() const { return bottom_; }
    /// From the edge of one part to that of the other.
    QPolygonF way(const Flow::Edge& edge) const;
    /// The part that is there, or nearly there, of those that can be selected.
    std::optional<Index> part_at(QPointF point) const;

    void paint(QPainter& painter, const FigureStyle& style) const;

private:
    void place_stages(const QRectF& area);
    void place_model(const QRectF& area);
    QPointF lane_point(Index column, double line) const;
    void paint_part(QPainter& painter, const FigureStyle& style, Index node) const;

    const Flow& flow_;
    std::vector<QRectF> boxes_;
    QPointF first_;               ///< of stages: the middle of the first column's first lane
    double lane_ = 0, step_ = 0;  ///< from lane to lane, from column to column
    double bottom_ = 0;
};

}  // namespace headlight
