#include "ui/views/icon.h"

#include "resources/resources.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

/// Draws an icon in the size that somebody looks at, when somebody does. An icon of pixmaps would have every
/// size in both colours before the window is there.
class LineIcon : public QIconEngine {
public:
    LineIcon(QString name, const QPalette& palette)
        : name_(std::move(name)), colour_(palette.color(QPalette::Active, QPalette::ButtonText)),
          disabled_(palette.color(QPalette::Disabled, QPalette::ButtonText)) {}

    static QString file_of(const QString& name) {
        initialise_resources();
        return QStringLiteral(":/headlight/icons/%1.svg").arg(name);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override {
        if (size.isEmpty())
            return {};
        // Many buttons have the same one, and each asks again whenever its palette changes.
        const QString colour = (mode == QIcon::Disabled ? disabled_ : colour_).name();
        const QString key =
            QStringLiteral("headlight/%1/%2/%3x%4").arg(name_, colour).arg(size.width()).arg(size.height());
        QPixmap pixmap;
        if (!QPixmapCache::find(key, &pixmap)) {
            pixmap = drawn(colour, size);
            QPixmapCache::insert(key, pixmap);
        }
        return pixmap;
    }

    void paint(QPainter* painter, const QRect& place, QIcon::Mode mode, QIcon::State state) override {
        const qreal scale = painter->device() ? painter->device()->devicePixelRatio() : 1;
        painter->drawPixmap(place, pixmap(place.size() * scale, mode, state));
    }

    QIconEngine* clone() const override { return new LineIcon(*this); }

private:
    QPixmap drawn(const QString& colour, const QSize& size) const {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QFile file(file_of(name_));
        if (!file.open(QIODevice::ReadOnly))
            return pixmap;
        QSvgRenderer svg(file.readAll().replace("currentColor", colour.toLatin1()));
        const int side = std::min(size.width(), size.height());
        QPainter painter(&pixmap);
        svg.render(&painter, QRectF((size.width() - side) / 2.0, (size.height() - side) / 2.0, side, side));
        return pixmap;
    }

    QString name_;
    QColor colour_, disabled_;
};

}  // namespace

QIcon line_icon(const QString& name, const QPalette& palette) {
    return QFile::exists(LineIcon::file_of(name)) ? QIcon(new LineIcon(name, palette))
                                                  : QIcon::fromTheme(name);
}

}  // namespace headlight
