#include "ui/render/export.h"
#include "ui/render/export_formats.h"
#include "ui/render/exporter_declarations.h"

#include <QBuffer>

namespace headlight {

QByteArray write_png(const QImage& image, const Figure& figure) {
    QImage labelled = image;
    labelled.setText(QStringLiteral("Title"), QString::fromStdString(figure.title));
    labelled.setText(QStringLiteral("Description"), QString::fromStdString(figure.description));
    labelled.setText(QStringLiteral("Software"), QStringLiteral("Headlight"));
    if (!figure.session.empty())
        labelled.setText(QLatin1String(png_session_key), QString::fromStdString(figure.session));
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    labelled.save(&buffer, "PNG");
    return buffer.data();
}

Exporter declare_exporter_png() {
    Exporter exporter{ExportFormat::png};
    exporter.order = 1;
    exporter.title = "PNG, for slides";
    exporter.about = "PNG is pixels";
    exporter.is_of_pixels = true;
    exporter.session_in = session_in_png;
    exporter.write = [](const Figure& figure, QSizeF, const ExportOptions& options) {
        return write_png(render_image(figure, options), figure);
    };
    return exporter;
}

}  // namespace headlight
