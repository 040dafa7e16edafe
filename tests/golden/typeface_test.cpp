// Which letters a label is written with.

#include "tests/support/test_file.h"
#include "ui/render/missing_glyphs.h"
#include "ui/render/typeface.h"

#include <QFontDatabase>
#include <QGlyphRun>
#include <QImage>
#include <QPainter>
#include <QRawFont>
#include <QRegularExpression>
#include <QTest>
#include <QTextLayout>

namespace headlight::typeface_test {

namespace {

constexpr int side = 160;

QImage written(const QString& text, const QFont& font, bool upwards) {
    QImage image(side, side, QImage::Format_Grayscale8);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setFont(font);
    painter.translate(0.5 * side, 0.5 * side);
    if (upwards)
        painter.rotate(-90);
    painter.drawText(QPointF(-60, 10), text);
    return image;
}

/// The glyphs that a text is drawn with.
QList<quint32> drawn_glyphs(const QString& text, const QFont& font) {
    QTextLayout layout(text, font);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    QList<quint32> glyphs;
    for (const QGlyphRun& run : layout.glyphRuns())
        glyphs += run.glyphIndexes();
    return glyphs;
}

/// Tokens, and what people type, that one font or another draws otherwise.
const QStringList rewritten_texts{
    QStringLiteral("->"),   QStringLiteral("-->"),         QStringLiteral("<->"),
    QStringLiteral("=>"),   QStringLiteral("3x4"),         QStringLiteral("1280x720"),
    QStringLiteral("0x1F"), QStringLiteral("<0x0A>"),      QStringLiteral("10:30"),
    QStringLiteral("5-7"),  QStringLiteral("(A)"),         QStringLiteral("A@B"),
    QStringLiteral("fi"),   QStringLiteral("ffi"),         QStringLiteral("!="),
    QStringLiteral("www"),  QStringLiteral("lein -> LEIN")};

double mean_difference(const QImage& a, const QImage& b) {
    double sum = 0;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            sum += std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y)));
    return sum / (side * side);
}

}  // namespace

class TypefaceTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void italic_is_what_has_an_italic_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("italic");
        QTest::newRow("Latin") << QStringLiteral("naïve 3") << true;
        QTest::newRow("Greek") << QStringLiteral("λόγος") << true;
        QTest::newRow("Cyrillic") << QStringLiteral("слово") << true;
        QTest::newRow("Arabic") << QStringLiteral("سلام") << false;
        QTest::newRow("Hebrew") << QStringLiteral("שלום") << false;
        QTest::newRow("Devanagari") << QStringLiteral("नमस्ते") << false;
        QTest::newRow("Chinese") << QStringLiteral("注意") << false;
        QTest::newRow("emoji") << QStringLiteral("🙂") << false;
        QTest::newRow("mixed") << QStringLiteral("a سلام") << false;
    }
    void italic_is_what_has_an_italic() {
        QFETCH(QString, text);
        QFETCH(bool, italic);
        const QFont font = figure_font(20, Face::italic, text);
        QCOMPARE(font.italic(), italic);
        QVERIFY(!figure_font(20, Face::regular, text).italic());
        QCOMPARE(TextMeasure(20, Face::italic).width(text), QFontMetricsF(font).horizontalAdvance(text));
    }

    void every_character_keeps_its_own_glyph_data() {
        QTest::addColumn<QString>("family");
        QTest::newRow("the interface font") << QString();
        QTest::newRow("the interface font, by name") << QStringLiteral("Inter");
        // Fonts with ligatures; DejaVu Sans has one for "fi".
        for (const char* family : {"DejaVu Sans", "Fira Code", "JetBrains Mono", "Noto Sans", "Lato"})
            if (font_families().contains(QLatin1String(family)))
                QTest::newRow(family) << QString::fromLatin1(family);
    }
    void every_character_keeps_its_own_glyph() {
        QFETCH(const QString, family);
        for (const Face face : {Face::regular, Face::bold, Face::italic})
            for (const QString& text : rewritten_texts) {
                const QFont font = as_written(figure_font(16, face, text, known_family(family)), text);
                QVERIFY2(drawn_glyphs(text, font) == QRawFont::fromFont(font).glyphIndexesForString(text),
                         qPrintable(text));
                QCOMPARE(TextMeasure(16, face, known_family(family)).width(text),
                         QFontMetricsF(font).horizontalAdvance(text));
            }
    }

    /// Widgets are given a font by its family alone.
    void the_family_alone_rewrites_nothing() {
        const QFont font(figure_font(16, Face::regular).family(), 16);
        for (const QString& text : rewritten_texts)
            QVERIFY2(drawn_glyphs(text, font) == QRawFont::fromFont(font).glyphIndexesForString(text),
                     qPrintable(text));
    }

    void the_interface_font_keeps_accents_and_kerning() {
        const QFont font = figure_font(60, Face::regular);
        QVERIFY(QFontMetricsF(font).horizontalAdvance(QStringLiteral("AV")) <
                QFontMetricsF(font).horizontalAdvance(QStringLiteral("A")) +
                    QFontMetricsF(font).horizontalAdvance(QStringLiteral("V")));
        QCOMPARE(drawn_glyphs(QStringLiteral("e\u0301"), font), drawn_glyphs(QStringLiteral("é"), font));
    }

    void the_interface_font_has_one_name_for_people() {
        QCOMPARE(font_families().count(QStringLiteral("Inter")), 1);
        QVERIFY(!font_families().contains(figure_font(16, Face::regular).family()));
        QCOMPARE(known_family(QStringLiteral("inter")), figure_font(16, Face::regular).family());
    }

    void a_turned_label_is_the_same_label_turned_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("Arabic") << QStringLiteral("سلام");
        QTest::newRow("Devanagari") << QStringLiteral("नमस्ते");
        QTest::newRow("Latin") << QStringLiteral("word");
    }
    void a_turned_label_is_the_same_label_turned() {
        QFETCH(QString, text);
        const QFont font = figure_font(30, Face::italic, text);
        const QImage turned = written(text, font, true).transformed(QTransform().rotate(90));
        const QImage level = written(text, font, false);
        const double ink = mean_difference(level, written({}, font, false));
        QVERIFY2(mean_difference(turned, level) < 0.25 * ink, "the letters are not those of the level label");
    }

    void a_font_is_known_with_its_package_data() {
        QTest::addColumn<char32_t>("character");
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("package");
        const auto row = [](const char* name, char32_t character, const char* family, const char* package) {
            QTest::newRow(name) << character << QString::fromLatin1(family) << QString::fromLatin1(package);
        };
        row("Arabic", U'ا', "Noto Sans Arabic", "fonts-noto-core");
        row("Hebrew", U'ש', "Noto Sans Hebrew", "fonts-noto-core");
        row("Devanagari", U'न', "Noto Sans Devanagari", "fonts-noto-core");
        row("Tibetan", U'ཀ', "Noto Serif Tibetan", "fonts-noto-core");
        row("Chinese", U'注', "Noto Sans CJK", "fonts-noto-cjk");
        row("Japanese", U'こ', "Noto Sans CJK", "fonts-noto-cjk");
        row("Korean", U'한', "Noto Sans CJK", "fonts-noto-cjk");
        row("emoji", U'🙂', "Noto Color Emoji", "fonts-noto-color-emoji");
        row("a letter of a flag", U'🇩', "Noto Color Emoji", "fonts-noto-color-emoji");
        row("mathematics", U'⨌', "Noto Sans Symbols and Noto Sans Math", "fonts-noto-core");
        row("private use", U'\uE000', "", "");
        row("nobody's", U'\U0010FFFD', "", "");
    }
    void a_font_is_known_with_its_package() {
        QFETCH(const char32_t, character);
        QFETCH(const QString, family);
        QFETCH(const QString, package);
        const auto font = font_with(character).value_or(KnownFont{});
        QCOMPARE(font.family, family);
        QCOMPARE(font.package, package);
    }

    void what_no_font_can_draw_is_named_with_a_font_that_can() {
        const QString nowhere = QString::fromUcs4(U"\U0010FFFD"), linear_b = QString::fromUcs4(U"\U00010000");
        QCOMPARE(missing_characters(QStringLiteral("naïve λόγος, 3 – “a”\n\t\u0301\u200b")), QString());
        QCOMPARE(missing_font_text(QStringLiteral("plain")), QString());
        QCOMPARE(missing_characters(QStringLiteral("a") + nowhere + QStringLiteral("b") + nowhere), nowhere);
        const QString sentence = missing_font_text(QStringLiteral("a ") + nowhere);
        QVERIFY2(sentence.contains(QLatin1String("U+10FFFD")), qPrintable(sentence));
        QVERIFY2(sentence.contains(QLatin1String("boxes stand in their place.")), qPrintable(sentence));
        if (missing_characters(linear_b).isEmpty())
            QSKIP("a font here has Linear B");
        QVERIFY2(missing_font_text(linear_b).contains(QLatin1String("(Linear B)")),
                 qPrintable(missing_font_text(linear_b)));
        QVERIFY2(missing_font_text(linear_b).contains(
                     QLatin1String("They are in Noto Sans Linear B (Debian package fonts-noto-core).")),
                 qPrintable(missing_font_text(linear_b)));
    }

    void an_ellipsis_leaves_enough_to_be_read() {
        const TextMeasure text(16, Face::bold);
        for (const QString& word : {QStringLiteral("Window"), QStringLiteral("Strided"),
                                    QStringLiteral("␣Intelligence"), QStringLiteral("Donaudampfschiff")})
            for (double width = 20; width < text.width(word); width += 3) {
                const QString shown = text.elided(word, width);
                const qsizetype before = shown.indexOf(u'…'), after = shown.size() - 1 - before;
                QVERIFY2(before >= 0 && (after == 0 || (before >= 3 && after >= 3)), qPrintable(shown));
            }
    }

    void a_sentence_is_cut_at_the_end_of_a_word() {
        const TextMeasure text(16, Face::bold);
        const QString sentence = QStringLiteral("softmax of each row"),
                      numbered = QStringLiteral("The source, layer 2, head 4");
        for (const QString& whole :
             {QStringLiteral("softmax of each…"), QStringLiteral("softmax of…"), QStringLiteral("softmax…")})
            QCOMPARE(text.lines(sentence, text.width(whole) + 1, 1), QStringList(whole));
        for (const QString& whole : {QStringLiteral("The source, layer… 4"), QStringLiteral("The source… 4")})
            QCOMPARE(text.lines(numbered, text.width(whole) + 1, 1), QStringList(whole));
    }
};

QTEST_MAIN(TypefaceTest)

}  // namespace headlight::typeface_test

#include "typeface_test.moc"
