#include "ui/render/export_formats.h"

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

}  // namespace headlight
