#include "ui/render/missing_glyphs.h"

#include "core/text/script_name.h"
#include "ui/render/typeface.h"

#include <QGlyphRun>
#include <QMutex>
#include <QRawFont>
#include <QStringList>
#include <QTextLayout>

#include <algorithm>
#include <unordered_map>

namespace headlight {
namespace {

constexpr char32_t private_use = 0xE000, end_of_private_use = 0xF900;

/// Whether the character leaves ink on the page by itself.
bool is_drawn(char32_t character) {
    if (QChar::isSpace(character) || !QChar::isPrint(character))
        return character >= private_use && QChar::category(character) == QChar::Other_PrivateUse;
    return !QChar::isMark(character) && QChar::category(character) != QChar::Other_Format;
}

/// A glyph of number 0 is the font's box for what it lacks.
bool can_draw(char32_t character) {
    const QString text = QString::fromUcs4(&character, 1);
    QTextLayout layout(text, figure_font(16, Face::regular, text));
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    for (const QGlyphRun& run : layout.glyphRuns())
        if (run.glyphIndexes().contains(0))
            return false;
    return true;
}

/// Remembered: looking through the installed fonts takes a millisecond.
bool is_missing(char32_t character) {
    static std::unordered_map<char32_t, bool> known;
    static QMutex mutex;
    const QMutexLocker lock(&mutex);
    const auto [found, is_new] = known.try_emplace(character, false);
    if (is_new)
        found->second = is_drawn(character) && !can_draw(character);
    return found->second;
}

/// The font of the Noto family that has a script: those of China, Japan and Korea are one.
QString font_for(const std::string& script) {
    constexpr std::string_view eastern[] = {"Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"};
    const bool is_eastern = std::ranges::find(eastern, script) != std::end(eastern);
    return QStringLiteral("Noto Sans %1").arg(is_eastern ? "CJK" : QString::fromStdString(script));
}

}  // namespace

QString missing_characters(const QString& text) {
    QList<char32_t> missing;
    for (const char32_t character : text.toUcs4())
        if (is_missing(character) && !missing.contains(character))
            missing += character;
    return QString::fromUcs4(missing.constData(), missing.size());
}

QString missing_font_text(const QString& text) {
    constexpr qsizetype most_named = 6;
    QStringList named, scripts, fonts;
    qsizetype left = 0;
    for (const char32_t character : missing_characters(text).toUcs4()) {
        if (named.size() < most_named)
            named += QStringLiteral("“%1” (U+%2)")
                         .arg(QString::fromUcs4(&character, 1), QString::number(character, 16).toUpper());
        else
            ++left;
        const std::string script = script_name(character);
        if (script.empty() || scripts.contains(QString::fromStdString(script)))
            continue;
        scripts += QString::fromStdString(script);
        if (!fonts.contains(font_for(script)))
            fonts += font_for(script);
    }
    if (named.isEmpty())
        return {};
    QString sentence = QStringLiteral("No installed font has %1").arg(named.join(QStringLiteral(", ")));
    if (left > 0)
        sentence += QStringLiteral(" and %1 more").arg(left);
    if (!scripts.isEmpty())
        sentence += QStringLiteral(" (%1)").arg(scripts.join(QStringLiteral(", ")));
    sentence += QStringLiteral(": boxes stand in their place.");
    if (!fonts.isEmpty())
        sentence += QStringLiteral(" They are in %1.").arg(fonts.join(QStringLiteral(", ")));
    return sentence;
}

QString text_of(const Figure& figure) {
    QStringList all;
    const auto add = [&](const std::string& text) { all += QString::fromStdString(text); };
    add(figure.title);
    add(figure.caption);
    add(figure.bar_title);
    for (const Panel& panel : figure.panels) {
        add(panel.title);
        add(panel.subtitle);
        for (const AxisLabels* axis : {&panel.row_axis, &panel.column_axis}) {
            add(axis->title);
            for (const std::string& label : axis->labels)
                add(label);
        }
    }
    return all.join(QLatin1Char(' '));
}

}  // namespace headlight
