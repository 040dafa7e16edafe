#include "core/figure/cell_codes.h"
#include "ui/render/crisp_image.h"
#include "ui/render/export_formats.h"
#include "ui/render/exporter_declarations.h"
#include "ui/render/svg_text.h"

#include <QBuffer>
#include <QSvgGenerator>

namespace headlight {

QByteArray write_svg(const Figure& figure, QSizeF points, const ExportOptions& options, SvgViewer viewer) {
    const CellDrawing cells = drawing_of_cells(options);
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(static_cast<int>(72 * svg_unit));
    generator.setSize((points * svg_unit).toSize());
    generator.setViewBox(QRectF(QPointF(), points * svg_unit));
    generator.setTitle(QString::fromStdString(figure.title).toHtmlEscaped());
    generator.setDescription(QString::fromStdString(figure.description).toHtmlEscaped());
    QPainter painter(&generator);
    const auto draw_image = [viewer](QPainter& to, const QRectF& area, const QImage& image) {
        to.drawImage(area, viewer == SvgViewer::any ? crisp_image(image, area.size() / svg_unit) : image);
    };
    WholeTexts texts;
    paint_figure(
        painter, figure, layout_figure(figure, QRectF(QPointF(), points * svg_unit), svg_unit), svg_unit,
        {.cells = cells,
         .background = !figure.transparent,
         .colour_steps = cells == CellDrawing::one_image ? colour_steps(figure) : 256,
         .draw_image = draw_image,
         .draw_text = [&](QPainter& to, const PlacedText& placed) { return texts.draw(to, placed); }});
    painter.end();
    return finish_svg(texts.put_into(buffer.data()),
                      {points.width() * 25.4 / 72, points.height() * 25.4 / 72,
                       QString::fromStdString(figure.session), figure_style(figure).family});
}

Exporter declare_exporter_svg() {
    Exporter exporter{ExportFormat::svg};
    exporter.order = 2;
    exporter.title = "SVG, for the web and for editing";
    exporter.about = "SVG keeps the text as text, with its font inside";
    exporter.is_of_vectors = true;
    exporter.session_in = session_in_svg;
    exporter.write = [](const Figure& figure, QSizeF points, const ExportOptions& options) {
        return write_svg(figure, points, options, SvgViewer::any);
    };
    return exporter;
}

}  // namespace headlight
