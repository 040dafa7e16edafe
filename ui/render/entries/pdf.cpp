#include "core/figure/cell_codes.h"
#include "ui/render/crisp_image.h"
#include "ui/render/export_formats.h"
#include "ui/render/exporter_declarations.h"
#include "ui/render/pdf_document.h"

#include <QBuffer>
#include <QPageSize>
#include <QPdfWriter>
#include <QRegularExpression>

#include <cmath>

namespace headlight {

namespace {

constexpr int resolution = 1200;

/// Stands in the PDF for a map of cells until its own image object takes the place: QPdfWriter has no
/// palettes. No other image of the figure is so wide and so high.
QImage placeholder(std::size_t number) {
    QImage image(static_cast<int>(number) + 2, 3, QImage::Format_RGB32);
    image.fill(Qt::red);
    return image;
}
QByteArray placeholder_mark(std::size_t number) {
    return "/Width " + QByteArray::number(static_cast<int>(number) + 2) + "\n/Height 3\n";
}

/// Metadata in RDF, as ISO 16684 (XMP) has it.
QByteArray metadata(const Figure& figure) {
    const auto text = [](const std::string& words) {
        return QString::fromStdString(words).toHtmlEscaped().toUtf8();
    };
    const auto alternatives = [&](const char* tag, const std::string& words) {
        return "<dc:" + QByteArray(tag) + "><rdf:Alt><rdf:li xml:lang=\"x-default\">" + text(words) +
               "</rdf:li></rdf:Alt></dc:" + tag + ">\n";
    };
    QByteArray session;
    if (!figure.session.empty())
        session =
            "<" + QByteArray(xml_session_tag) + ">" + text(figure.session) + "</" + xml_session_tag + ">\n";
    return "<?xpacket begin=\"\xef\xbb\xbf\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
           "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
           "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
           "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
           "xmlns:headlight=\"" +
           QByteArray(xml_session_namespace) + "\">\n" + alternatives("title", figure.title) +
           alternatives("description", figure.description) + session +
           "</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>\n";
}

/// Puts `after` in the place of what `pattern` finds in the object.
void correct(PdfDocument& document, std::optional<int> number, const char* pattern, const QByteArray& after) {
    if (!number)
        return;
    QString body = QString::fromLatin1(document.object(*number));
    body.replace(QRegularExpression(QLatin1String(pattern)), QString::fromLatin1(after));
    document.set_object(*number, body.toLatin1());
}

QByteArray finish(const QByteArray& pdf, QSizeF points, const std::vector<QImage>& maps) {
    PdfDocument document(pdf);
    for (std::size_t i = 0; i < maps.size(); ++i)
        if (const auto number = document.find(placeholder_mark(i)))
            document.set_object(*number, indexed_image_object(maps[i]));
    // QPdfWriter rounds the page to whole points; its content hangs from the upper edge.
    const double above = std::round(points.height());
    correct(document, document.find("/MediaBox"), "/MediaBox \\[[^\\]]*\\]",
            "/MediaBox [0 " + QByteArray::number(above - points.height(), 'f', 4) + " " +
                QByteArray::number(points.width(), 'f', 4) + " " + QByteArray::number(above, 'f', 4) + "]");
    correct(document, document.find("/CreationDate"), "/CreationDate \\([^)]*\\)\\n", "");
    return document.write();
}

QByteArray write(const Figure& figure, QSizeF points, const ExportOptions& options) {
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
        writer.setDocumentXmpMetadata(metadata(figure));
        QPainter painter(&writer);
        painter.setRenderHint(QPainter::LosslessImageRendering);
        const double unit = resolution / 72.0;
        const auto draw_image = [&](QPainter& to, const QRectF& area, const QImage& image) {
            to.drawImage(area, placeholder(maps.size()));
            maps.push_back(crisp_image(image, area.size() / unit));
        };
        paint_figure(painter, figure, layout_figure(figure, QRectF(QPointF(), points * unit), unit), unit,
                     {.cells = cells,
                      .background = figure.theme != FigureTheme::paper,
                      .glyph_images = true,
                      .colour_steps = cells == CellDrawing::one_image ? colour_steps(figure) : 256,
                      .draw_image = draw_image});
    }
    return finish(buffer.data(), points, maps);
}

}  // namespace

Exporter declare_exporter_pdf() {
    Exporter exporter{ExportFormat::pdf};
    exporter.order = 3;
    exporter.title = "PDF, for papers";
    exporter.about = "PDF keeps the text as text, with its font inside";
    exporter.is_of_vectors = true;
    exporter.session_in = session_in_pdf;
    exporter.write = write;
    return exporter;
}

}  // namespace headlight
