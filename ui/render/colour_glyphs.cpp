#include "ui/render/colour_glyphs.h"

#include <QGlyphRun>
#include <QImage>
#include <QMutex>
#include <QRawFont>
#include <QTextLayout>

#include <algorithm>
#include <map>

namespace headlight {

namespace {

/// Letters below this, which is where arrows and symbols begin, never are pictures: most text is done here.
bool may_have_pictures(const QString& text) {
    constexpr char16_t first_symbol = 0x2190;
    return std::ranges::any_of(text, [](QChar c) { return c.unicode() >= first_symbol; });
}

bool has_colour(const QRawFont& font) {
    static std::map<QString, bool> known;
    static QMutex mutex;
    const QMutexLocker lock(&mutex);
    const auto [found, is_new] = known.try_emplace(font.familyName(), false);
    if (is_new)
        for (const char* table : {"CBDT", "COLR", "sbix"})
            found->second |= !font.fontTable(table).isEmpty();
    return found->second;
}

void paint_as_image(QPainter& painter, const QGlyphRun& run, QPointF origin) {
    const QRectF box = run.boundingRect().adjusted(-1, -1, 1, 1);
    QImage image(box.size().toSize(), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return;
    image.fill(Qt::transparent);
    QPainter picture(&image);
    picture.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    picture.drawGlyphRun(-box.topLeft(), run);
    picture.end();
    painter.drawImage(QRectF(box.topLeft() + origin, image.size()), image);
}

}  // namespace

bool paint_colour_glyphs(QPainter& painter, QPointF baseline, const QString& text) {
    if (!may_have_pictures(text))
        return false;
    QTextLayout layout(text, painter.font());
    QTextOption option;
    option.setTextDirection(painter.layoutDirection());
    layout.setTextOption(option);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    const QList<QGlyphRun> runs = layout.glyphRuns();
    if (std::ranges::none_of(runs, [](const QGlyphRun& run) { return has_colour(run.rawFont()); }))
        return false;
    const QPointF origin = baseline - QPointF(0, layout.lineAt(0).ascent());
    for (const QGlyphRun& run : runs)
        has_colour(run.rawFont()) ? paint_as_image(painter, run, origin) : painter.drawGlyphRun(origin, run);
    return true;
}

}  // namespace headlight
