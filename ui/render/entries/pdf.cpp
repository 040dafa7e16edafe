#include "core/figure/cell_codes.h"
#include "core/figure/theme_table.h"
#include "ui/render/colour_glyphs.h"
#include "ui/render/crisp_image.h"
#include "ui/render/export_formats.h"
#include "ui/render/exporter_declarations.h"
#include "ui/render/pdf_library.h"
#include "ui/render/xmp_packet.h"

#include <QBuffer>
#include <QPageSize>
#include <QPdfWriter>

namespace headlight {

namespace {

constexpr int resolution = 1200;

QByteArray write_pdf(const Figure& figure, QSizeF points, const ExportOptions& options) {
    const CellDrawing cells = drawing_of_cells(options);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    std::vector<QImage> maps;
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(resolution);
        writer.setPageSize(QPageSize(points, QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer.setTitle(QString::fromStdString(figure.title));
        writer.setCreator(QStringLiteral("Headlight"));
        writer.setDocumentXmpMetadata(xmp_packet(figure.title, figure.description, figure.session));
        QPainter painter(&writer);
        const double unit = resolution / 72.0;
        const auto draw_image = [&](QPainter& to, const QRectF& area, const QImage& image) {
            QImage placeholder(placeholder_size(maps.size()), QImage::Format_RGB32);
            placeholder.fill(Qt::red);
            to.drawImage(area, placeholder);
            maps.push_back(crisp_image(image, area.size() / unit));
        };
        paint_figure(painter, figure, layout_figure(figure, QRectF(QPointF(), points * unit), unit), unit,
                     {.cells = cells,
                      .background = !is_for_paper(figure.theme) && !figure.transparent,
                      .colour_steps = cells == CellDrawing::one_image ? colour_steps(figure) : 256,
                      .draw_image = draw_image,
                      .draw_text = [](QPainter& to, const PlacedText& placed) {
                          return !placed.is_plain && paint_colour_glyphs(to, placed.baseline, placed.text);
                      }});
    }
    return pdf_library().corrected(buffer.data(), points, maps);
}

}  // namespace

Exporter declare_exporter_pdf() {
    Exporter exporter{ExportFormat::pdf};
    exporter.order = 3;
    exporter.title = "PDF, for papers";
    exporter.about = "PDF keeps the text as text, with its font inside";
    exporter.is_of_vectors = true;
    exporter.session_in = session_in_pdf;
    exporter.write = write_pdf;
    return exporter;
}

}  // namespace headlight
