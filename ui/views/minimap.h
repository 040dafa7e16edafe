#pragma once

#include "core/figure/figure.h"
#include "ui/views/zoom.h"

#include <QImage>
#include <QRectF>

#include <memory>

class QPainter;
class QPalette;

namespace headlight {

/// All of a matrix of which a view shows a part, small, in the corner of the view: a frame marks the part,
/// and leads to another where it is moved.
class Minimap {
public:
    /// Shows a panel of `figure`, of which a part is on screen, in the lower left corner of `area`.
    void show(const std::shared_ptr<const Figure>& figure, Index panel, const Zoom& zoom, const QRectF& area);
    void hide() { place_ = QRectF(); }
    const QRectF& place() const { return place_; }
    bool contains(QPointF point) const { return place_.contains(point); }

    void paint(QPainter& painter, const QPalette& palette);
    /// As large a part, with its middle at a point.
    Zoom moved_to(QPointF point) const;

private:
    void draw_image(double ratio);

    std::shared_ptr<const Figure> figure_;
    Index panel_ = 0;
    Zoom zoom_;
    QRectF place_;           ///< empty while it is hidden
    QImage image_;           ///< of the panel; null until it is drawn
    bool is_final_ = false;  ///< nothing of the image is still to be read
};

}  // namespace headlight
