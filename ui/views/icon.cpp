#include "ui/views/icon.h"

#include <QFile>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <optional>
#include <utility>

namespace headlight {
namespace {

QPixmap drawn(QSvgRenderer& svg, int size) {
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    svg.render(&painter);
    return pixmap;
}

}  // namespace

QIcon line_icon(const QString& name, const QPalette& palette) {
    QFile file(QStringLiteral(":/headlight/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return QIcon::fromTheme(name);
    const QByteArray svg = file.readAll();
    QIcon icon;
    for (const auto& [mode, group] :
         {std::pair(QIcon::Normal, QPalette::Active), std::pair(QIcon::Disabled, QPalette::Disabled)}) {
        const QString colour = palette.color(group, QPalette::ButtonText).name();
        std::optional<QSvgRenderer> renderer;  // to parse takes longer than to draw
        for (const int size : {16, 24, 32, 48, 64}) {
            // Many buttons have the same one, and each asks again whenever its palette changes.
            const QString key = QStringLiteral("headlight/%1/%2/%3").arg(name, colour).arg(size);
            QPixmap pixmap;
            if (!QPixmapCache::find(key, &pixmap)) {
                if (!renderer)
                    renderer.emplace(QByteArray(svg).replace("currentColor", colour.toLatin1()));
                pixmap = drawn(*renderer, size);
                QPixmapCache::insert(key, pixmap);
            }
            icon.addPixmap(pixmap, mode);
        }
    }
    return icon;
}

}  // namespace headlight
