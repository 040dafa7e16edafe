#include "ui/render/typeface.h"

#include "resources/resources.h"

#include <QDir>
#include <QFontDatabase>

#include <cmath>

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

}  // namespace

double type_size(double points, double unit) { return std::max(1.0, std::round(points * unit)); }

QFont figure_font(double size, Face face) {
    QFont font(interface_family());
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(size))));
    font.setBold(face == Face::bold);
    font.setItalic(face == Face::italic);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

TextMeasure::TextMeasure(double size, Face face) : metrics_(figure_font(size, face)) {}

double TextMeasure::wrapped_height(const QString& text, double width) const {
    if (text.isEmpty())
        return 0;
    return metrics_.boundingRect(QRectF(0, 0, width, 1e6), Qt::TextWordWrap, text).height();
}

}  // namespace headlight
