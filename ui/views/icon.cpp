#include "ui/views/icon.h"

#include <QFile>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QSvgRenderer>

namespace headlight {
namespace {

QPixmap drawn(QByteArray svg, const QColor& colour, int size) {
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QSvgRenderer renderer(svg.replace("currentColor", colour.name().toLatin1()));
    QPainter painter(&pixmap);
    renderer.render(&painter);
    return pixmap;
}

}  // namespace

QIcon line_icon(const QString& name, const QPalette& palette) {
    QFile file(QStringLiteral(":/headlight/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return QIcon::fromTheme(name);
    const QByteArray svg = file.readAll();
    QIcon icon;
    for (const int size : {16, 24, 32, 48, 64}) {
        icon.addPixmap(drawn(svg, palette.color(QPalette::Active, QPalette::ButtonText), size));
        icon.addPixmap(drawn(svg, palette.color(QPalette::Disabled, QPalette::ButtonText), size),
                       QIcon::Disabled);
    }
    return icon;
}

}  // namespace headlight
