#include "ui/render/cell_image.h"
#include "ui/render/paint_context.h"

#include <QPaintEngine>

#include <algorithm>
#include <cmath>

namespace headlight {

bool draws_pixels(const QPainter& painter) {
    return painter.paintEngine()->type() == QPaintEngine::Raster &&
           painter.deviceTransform().type() <= QTransform::TxScale;
}

QRectF on_pixels(const QPainter& painter, const QRectF& rectangle) {
    if (!draws_pixels(painter))
        return rectangle;
    const QTransform transform = painter.deviceTransform();
    const QRectF device = transform.mapRect(rectangle);
    const QPointF top_left(std::round(device.left()), std::round(device.top()));
    const QPointF bottom_right(std::round(device.right()), std::round(device.bottom()));
    return transform.inverted().mapRect(QRectF(top_left, bottom_right));
}

namespace {

/// Qt steps through an image in parts of 1/65536 of its pixels. Where these become large, in a picture of
/// many dots with few cells, what that leaves out adds up to edges that lie beside the lines of the grid.
bool is_drawn_off(const QPainter& painter, const QRectF& area, const QImage& image) {
    constexpr double steps = 65536, dots_off = 2;
    const QSizeF dots = painter.deviceTransform().mapRect(area).size();
    const auto off = [](double size, int pixels) { return size * size / std::max(1, pixels) / (2 * steps); };
    return draws_pixels(painter) &&
           std::max(off(dots.width(), image.width()), off(dots.height(), image.height())) > dots_off;
}

/// Each pixel of the image as a rectangle, whose edges are those of its neighbours.
void fill_pixels(QPainter& painter, const QRectF& area, const QImage& image) {
    const auto corner = [&](int x, int y) {
        return QPointF(area.left() + area.width() * x / image.width(),
                       area.top() + area.height() * y / image.height());
    };
    const bool was_smooth = painter.testRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            painter.fillRect(QRectF(corner(x, y), corner(x + 1, y + 1)), image.pixelColor(x, y));
    painter.setRenderHint(QPainter::Antialiasing, was_smooth);
}

/// An image that has as many pixels as its area is copied: a painter with a scale, as that of a window, would
/// look each of them up.
void draw_on_pixels(QPainter& painter, const QRectF& area, const QImage& image) {
    const QTransform& to_device = painter.deviceTransform();
    const QRectF pixels = to_device.mapRect(area);
    const QRect whole = pixels.toRect();
    const auto near = [](double a, double b) { return std::abs(a - b) < 1e-3; };
    const bool fits = draws_pixels(painter) && to_device.type() == QTransform::TxScale &&
                      to_device.m11() > 0 && to_device.m22() > 0 && whole.size() == image.size() &&
                      near(pixels.x(), whole.x()) && near(pixels.y(), whole.y()) &&
                      near(pixels.width(), whole.width()) && near(pixels.height(), whole.height());
    if (!fits) {
        is_drawn_off(painter, area, image) ? fill_pixels(painter, area, image)
                                           : painter.drawImage(area, image);
        return;
    }
    const QTransform before = painter.transform();
    painter.setTransform(to_device.inverted() * before);
    painter.drawImage(whole.topLeft(), image);
    painter.setTransform(before);
}

}  // namespace

void paint_codes(const PaintContext& context, const QRectF& area, const CellPalette& palette, Index rows,
                 Index columns, const WriteCodesAtMost& write_at_most) {
    QPainter& painter = context.painter;
    CellMemory own;
    CellMemory& memory = context.options.memory ? *context.options.memory : own;
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    if (context.options.cells == CellDrawing::one_image) {
        write_at_most(rows, columns, memory.codes);
        const QImage image = palette_image(memory.codes, palette, context.options.colour_steps);
        context.options.draw_image ? context.options.draw_image(painter, area, image)
                                   : draw_on_pixels(painter, area, image);
        return;
    }
    const QSizeF pixels = painter.deviceTransform().mapRect(area).size();
    const auto whole = [](double size) { return std::max<Index>(1, static_cast<Index>(std::lround(size))); };
    write_at_most(whole(pixels.height()), whole(pixels.width()), memory.codes);
    draw_on_pixels(painter, area,
                   context.options.memory ? true_colour_image(memory.codes, palette, memory.pixels)
                                          : true_colour_image(memory.codes, palette));
}

}  // namespace headlight
