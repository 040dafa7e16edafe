#include "ui/render/typeface.h"

#include "resources/resources.h"

#include <QDir>
#include <QFontDatabase>
#include <QImage>

namespace headlight {

namespace {

/// The family inside the program, registered on first use.
const QString& interface_family() {
    static const QString family = [] {
        initialise_resources();
        QString found = QStringLiteral("Inter");
        const QDir fonts(QStringLiteral(":/headlight/fonts"));
        for (const QString& file : fonts.entryList(QDir::Files)) {
            const int id = QFontDatabase::addApplicationFont(fonts.filePath(file));
            if (const auto families = QFontDatabase::applicationFontFamilies(id); !families.empty())
                found = families.front();
        }
        return found;
    }();
    return family;
}

/// A device with one dot per point, so that a size in points is a size in its units.
const QImage& point_device() {
    static const QImage device = [] {
        QImage image(1, 1, QImage::Format_RGB32);
        image.setDotsPerMeterX(2835);
        image.setDotsPerMeterY(2835);
        return image;
    }();
    return device;
}

}  // namespace

QFont figure_font(double size, Face face, const QPaintDevice& device) {
    QFont font(interface_family());
    font.setPointSizeF(std::max(0.01, size * 72.0 / device.logicalDpiY()));
    font.setBold(face == Face::bold);
    font.setItalic(face == Face::italic);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

TextMeasure::TextMeasure(double size, Face face)
    : metrics_(figure_font(size, face, point_device()), const_cast<QImage*>(&point_device())) {}

double TextMeasure::wrapped_height(const QString& text, double width) const {
    if (text.isEmpty())
        return 0;
    return metrics_.boundingRect(QRectF(0, 0, width, 1e6), Qt::TextWordWrap, text).height();
}

}  // namespace headlight
