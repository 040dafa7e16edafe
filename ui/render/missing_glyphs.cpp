#include "ui/render/missing_glyphs.h"

#include "core/text/script_name.h"
#include "ui/render/typeface.h"

#include <QGlyphRun>
#include <QMutex>
#include <QRawFont>
#include <QStringList>
#include <QTextLayout>

#include <algorithm>
#include <initializer_list>
#include <string_view>
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

bool is_one_of(const std::string& script, std::initializer_list<std::string_view> scripts) {
    return std::ranges::find(scripts, script) != scripts.end();
}

}  // namespace

std::optional<KnownFont> font_with(char32_t character) {
    const QString core = QStringLiteral("fonts-noto-core");
    const std::string script = script_name(character);
    if (is_emoji(character))
        return KnownFont{QStringLiteral("Noto Color Emoji"), QStringLiteral("fonts-noto-color-emoji")};
    if (script.empty())
        return QChar::isSymbol(character)
                   ? std::optional(KnownFont{QStringLiteral("Noto Sans Symbols and Noto Sans Math"), core})
                   : std::nullopt;
    if (is_one_of(script, {"Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"}))
        return KnownFont{QStringLiteral("Noto Sans CJK"), QStringLiteral("fonts-noto-cjk")};
    // Younger than the fonts in Debian 12.
    if (is_one_of(script, {"Chorasmian", "Cypro Minoan", "Dives Akuru", "Kawi", "Khitan Small Script",
                           "Makasar", "Nag Mundari", "Old Uyghur", "Tangsa", "Toto", "Vithkuqi"}))
        return std::nullopt;
    const bool has_serifs =
        is_one_of(script, {"Ahom", "Dogra", "Nyiakeng Puachue Hmong", "Tangut", "Tibetan", "Yezidi"});
    return KnownFont{(has_serifs ? QStringLiteral("Noto Serif %1") : QStringLiteral("Noto Sans %1"))
                         .arg(QString::fromStdString(script)),
                     core};
}

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
        if (const QString script = QString::fromStdString(script_name(character));
            !script.isEmpty() && !scripts.contains(script))
            scripts += script;
        if (const auto font = font_with(character)) {
            const QString known = QStringLiteral("%1 (Debian package %2)").arg(font->family, font->package);
            if (!fonts.contains(known))
                fonts += known;
        }
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
    add(figure.subtitle);
    if (figure.has_caption)
        add(figure.caption);
    add(figure.bar_title);
    for (const Panel& panel : figure.panels) {
        add(panel.title);
        add(panel.subtitle);
        add(panel.over);
        add(panel.bar_title);
        for (const CellNote& note : panel.notes)
            add(note.text);
        for (const AxisLabels* axis : {&panel.row_axis, &panel.column_axis}) {
            add(axis->title);
            for (const std::string& label : axis->labels)
                add(label);
        }
    }
    return all.join(QLatin1Char(' '));
}

}  // namespace headlight
