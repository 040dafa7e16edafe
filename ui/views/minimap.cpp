#include "ui/views/minimap.h"

#include "core/figure/cell_codes.h"
#include "ui/render/cell_image.h"
#include "ui/render/figure_style.h"
#include "ui/views/pens_on_colours.h"

#include <QPainter>
#include <QPalette>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr qreal longest_side = 104, corner_gap = 8, least_frame = 4;

QRectF frame_of(const Zoom& zoom, const QRectF& place) {
    const auto part = [](const AxisWindow& window, qreal from, qreal length) {
        const double extent = static_cast<double>(window.extent());
        const qreal size = std::max(least_frame, length * static_cast<double>(window.count()) / extent);
        const qreal first = length * static_cast<double>(window.first()) / extent;
        return std::pair(from + std::min(first, length - size), size);
    };
    const auto [left, width] = part(zoom.columns, place.left(), place.width());
    const auto [top, height] = part(zoom.rows, place.top(), place.height());
    return {left, top, width, height};
}

}  // namespace

void Minimap::show(const std::shared_ptr<const Figure>& figure, Index panel, const Zoom& zoom,
                   const QRectF& area) {
    if (figure != figure_ || panel != panel_)
        image_ = QImage();
    figure_ = figure;
    panel_ = panel;
    zoom_ = zoom;
    const QSizeF all(static_cast<double>(zoom.columns.extent()), static_cast<double>(zoom.rows.extent()));
    place_ = QRectF(QPointF(), all.scaled(longest_side, longest_side, Qt::KeepAspectRatio));
    place_.moveBottomLeft(area.bottomLeft() + QPointF(corner_gap, -corner_gap));
}

void Minimap::draw_image(double ratio) {
    const Panel& panel = figure_->panels[static_cast<std::size_t>(panel_)];
    const auto cells = [ratio](qreal length) { return static_cast<Index>(std::lround(length * ratio)); };
    const Index rows = cells(place_.height()), columns = cells(place_.width());
    image_ = true_colour_image(cell_codes(panel, rows, columns),
                               cell_palette(panel, figure_style(figure_->theme)));
    is_final_ = !panel.large || seen_map(*panel.large, panel.rows, panel.columns, rows, columns).is_complete;
}

void Minimap::paint(QPainter& painter, const QPalette& palette) {
    if (place_.isEmpty())
        return;
    if (image_.isNull() || !is_final_)
        draw_image(painter.device()->devicePixelRatioF());
    painter.drawImage(place_, image_);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(palette.color(QPalette::Mid));
    painter.drawRect(place_);
    const QRectF frame = frame_of(zoom_, place_);
    for (const QPen& pen : pens_on_any_colour(palette.color(QPalette::Highlight), 1.5)) {
        painter.setPen(pen);
        painter.drawRect(frame);
    }
}

Zoom Minimap::moved_to(QPointF point) const {
    Zoom moved = zoom_;
    const auto pan = [](AxisWindow& window, double share) {
        const double middle = static_cast<double>(window.first()) + 0.5 * static_cast<double>(window.count());
        window.pan(share * static_cast<double>(window.extent()) - middle);
    };
    pan(moved.columns, (point.x() - place_.left()) / place_.width());
    pan(moved.rows, (point.y() - place_.top()) / place_.height());
    return moved;
}

}  // namespace headlight
