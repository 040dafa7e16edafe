#include "ui/render/overlay_image.h"
#include "ui/render/paint_context.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr double file_pixels_per_point = 300.0 / 72;  // finer than the picture is, and still a small file
constexpr double most_file_pixels = 1024;
constexpr double overlay_grid_from = 14;  // points
constexpr double grid_opacity = 0.3;
constexpr double least_outline = 1.1, small_patch = 14;  // points

/// Pixels of the device, or for a file a whole number of them to each cell.
QSize image_size(const PaintContext& context, const Panel& panel, const QRectF& area) {
    if (context.options.cells == CellDrawing::device_pixels)
        return context.painter.deviceTransform().mapRect(area).size().toSize().expandedTo(QSize(1, 1));
    const double points = std::max(area.width(), area.height()) / context.unit;
    const double pixels = std::min(points * file_pixels_per_point, most_file_pixels);
    const double cells = static_cast<double>(std::max(panel.rows, panel.columns));
    const int each = std::max(1, static_cast<int>(std::lround(pixels / cells)));
    return QSize(static_cast<int>(panel.columns), static_cast<int>(panel.rows)) * each;
}

QRectF cell(const Panel& panel, const QRectF& area, Index patch) {
    return area_of_cells(panel, area, patch / panel.columns, patch % panel.columns);
}

void paint_grid(const PaintContext& context, const Panel& panel, const QRectF& area) {
    const QSizeF size = cell(panel, area, 0).size();
    if (std::min(size.width(), size.height()) < context.scaled(overlay_grid_from))
        return;
    QList<QLineF> lines;
    for (Index column = 1; column < panel.columns; ++column) {
        const double x = area.left() + size.width() * static_cast<double>(column);
        lines.append(QLineF(x, area.top(), x, area.bottom()));
    }
    for (Index row = 1; row < panel.rows; ++row) {
        const double y = area.top() + size.height() * static_cast<double>(row);
        lines.append(QLineF(area.left(), y, area.right(), y));
    }
    QColor colour = context.style.grid;
    colour.setAlphaF(static_cast<float>(grid_opacity));
    context.set_line(context.scaled(context.style.grid_line), colour);
    context.painter.drawLines(lines);
}

}  // namespace

void paint_overlay(const PaintContext& context, const Panel& panel, const QRectF& area) {
    QPainter& painter = context.painter;
    const bool lossless = painter.testRenderHint(QPainter::LosslessImageRendering);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setRenderHint(QPainter::LosslessImageRendering, false);  // a photograph, in a PDF
    painter.drawImage(area, overlay_image(panel, context.style, image_size(context, panel, area)));
    painter.setRenderHint(QPainter::LosslessImageRendering, lossless);
    paint_grid(context, panel, area);
}

void outline_patch(const PaintContext& context, const Panel& panel, const QRectF& area) {
    QRectF patch = on_pixels(context.painter, cell(panel, area, panel.overlay->outlined));
    const double side = std::min(patch.width(), patch.height());
    const double width = std::min(context.scaled(1.3 * context.style.mark_line),
                                  std::max(0.14 * side, context.scaled(least_outline)));
    // Around a small patch, so that it is still seen inside.
    const double beyond = std::clamp(context.scaled(small_patch) - side, 0.0, 2 * width) / 2;
    patch.adjust(-beyond, -beyond, beyond, beyond);
    frame_on_any_colour(context, patch, {width, 0.5 * width, context.style.mark});
}

}  // namespace headlight
