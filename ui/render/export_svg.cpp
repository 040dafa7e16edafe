#include "ui/render/crisp_image.h"
#include "ui/render/export_formats.h"
#include "ui/render/svg_text.h"

#include <QBuffer>
#include <QSvgGenerator>

namespace headlight {

QByteArray write_svg(const Figure& figure, QSizeF points, CellDrawing cells) {
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(72);  // one unit is one point
    generator.setSize(points.toSize());
    generator.setViewBox(QRectF(QPointF(), points));
    generator.setTitle(QString::fromStdString(figure.title).toHtmlEscaped());
    generator.setDescription(QString::fromStdString(figure.description).toHtmlEscaped());
    QPainter painter(&generator);
    const auto draw_image = [](QPainter& to, const QRectF& area, const QImage& image) {
        to.drawImage(area, crisp_image(image, area.size()));
    };
    paint_figure(
        painter, figure, layout_figure(figure, QRectF(QPointF(), points), 1), 1,
        {.cells = cells, .background = figure.theme != FigureTheme::paper, .draw_image = draw_image});
    painter.end();
    return finish_svg(buffer.data(), {points.width() * 25.4 / 72, points.height() * 25.4 / 72,
                                      QString::fromStdString(figure.session)});
}

}  // namespace headlight
