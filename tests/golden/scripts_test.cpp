// Words of any script in every view and every export: in their own direction, whole, and without turning what
// stands around them.

#include "core/figure/build_figure.h"
#include "core/figure/view.h"
#include "core/figure/words.h"
#include "core/tensor/error.h"
#include "tests/support/long_tests.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "ui/render/export.h"
#include "ui/render/exporter.h"
#include "ui/render/painter.h"
#include "ui/render/typeface.h"

#include <QDir>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

namespace headlight::scripts_test {

namespace {

constexpr QChar left_isolate(0x2066), right_isolate(0x2067), isolate(0x2068), end_of_isolate(0x2069);

ViewSettings in_view(ViewKind kind, FigureTheme theme = FigureTheme::light) {
    ViewSettings settings;
    settings.view = kind;
    settings.theme = theme;
    settings.selection.query = 1;
    settings.selection.key = 3;
    return settings;
}

Figure drawn(const Trace& trace, ViewKind kind, FigureTheme theme = FigureTheme::light) {
    return build_figure(trace, in_view(kind, theme));
}

/// The kinds that show the tokens of a mechanism.
std::vector<ViewKind> kinds() {
    std::vector<ViewKind> all;
    for (const View& view : views())
        if (missing_for(view.kind, {.runs_mechanism = true, .has_image = false}).empty())
            all.push_back(view.kind);
    return all;
}

QString without_isolates(QString text) {
    return text.remove(QRegularExpression(QStringLiteral("[\u2066-\u2069]")));
}

/// What stands in a sentence beside the isolated parts of it.
QString around_isolates(const QString& text) {
    QString around;
    int depth = 0;
    for (const QChar c : text) {
        depth += c == left_isolate || c == right_isolate || c == isolate;
        if (depth == 0)
            around += c;
        depth -= c == end_of_isolate;
    }
    return around;
}

bool has_letters_from_right(const QString& text) {
    return std::ranges::any_of(text, [](QChar c) {
        return c.direction() == QChar::DirR || c.direction() == QChar::DirAL || c.direction() == QChar::DirAN;
    });
}

QStringList sentences(const Figure& figure) {
    QStringList all;
    const auto add = [&](const std::string& text) { all += QString::fromStdString(text); };
    for (const std::string& text : {figure.title, figure.caption, figure.description, figure.bar_title})
        add(text);
    for (const Panel& panel : figure.panels)
        for (const std::string& text : {panel.title, panel.subtitle, panel.operator_before})
            add(text);
    return all;
}

QStringList texts_of(const QByteArray& svg) {
    QStringList texts;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text"))
            texts += reader.readElementText().remove(u'\n');
    return texts;
}

/// A text on one head; `words` are its tokens.
Trace text_of_words(std::vector<std::string> words) {
    const auto count = static_cast<Index>(words.size());
    samples::detail::Attention attention(1, count, count, 2);
    samples::detail::fill(attention, 1);
    attention.trace.tokens.query = attention.trace.tokens.key = std::move(words);
    return attention.finish([](Index, Index) { return true; });
}

PanelLayout text_layout(const Figure& figure, QSizeF size) {
    return layout_figure(figure, QRectF(QPointF(), size), 1).panels.front();
}

/// The tokens of a layout as a reader meets them from the left, line by line.
QString from_left(const PanelLayout& place, const std::vector<std::string>& words) {
    std::vector<std::size_t> order(words.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        const QPointF first = place.tokens[a].center(), second = place.tokens[b].center();
        return std::abs(first.y() - second.y()) < 1 ? first.x() < second.x() : first.y() < second.y();
    });
    QStringList shown;
    for (const std::size_t at : order)
        shown += QString::fromStdString(words[at]);
    return shown.join(u' ');
}

}  // namespace

class ScriptsTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void every_view_is_drawn_in_every_format_data() {
        QTest::addColumn<ViewKind>("kind");
        for (const ViewKind kind : kinds())
            QTest::newRow(std::string(kind.word()).c_str()) << kind;
    }
    /// HEADLIGHT_PICTURES=FOLDER keeps them to be looked at.
    void every_view_is_drawn_in_every_format() {
        QFETCH(const ViewKind, kind);
        const QString folder = qEnvironmentVariable("HEADLIGHT_PICTURES");
        const bool has_every_theme = test::is_long() || !folder.isEmpty();  // else formats take turns
        for (const FigureTheme theme : {FigureTheme::light, FigureTheme::dark}) {
            const Figure figure = drawn(samples::many_scripts(), kind, theme);
            bool is_its_turn = theme == FigureTheme::light;
            for (const Exporter& exporter : exporters()) {
                is_its_turn = !is_its_turn;
                const bool is_from_session = exporter.needs_session;  // these traces come from none
                if (is_from_session || !(is_its_turn || has_every_theme))
                    continue;
                const QByteArray bytes = export_figure(figure, exporter.format, {});
                QVERIFY(!bytes.isEmpty());
                if (folder.isEmpty())
                    continue;
                QFile file(QDir(folder).filePath(
                    QStringLiteral("%1-%2.%3")
                        .arg(QString::fromUtf8(kind.word()))
                        .arg(static_cast<int>(theme))
                        .arg(QString::fromStdString(std::string(exporter.format.extension())))));
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write(bytes);
            }
        }
    }

    void every_label_is_whole_and_in_the_order_of_its_letters_data() {
        every_view_is_drawn_in_every_format_data();
    }
    void every_label_is_whole_and_in_the_order_of_its_letters() {
        QFETCH(const ViewKind, kind);
        const Figure figure = drawn(samples::many_scripts(), kind);
        // A token is one element after another where fonts change, each where the one before it ends.
        const QStringList texts = texts_of(export_figure(figure, ExportFormat::svg, {}));
        const QString all = without_isolates(texts.join(QString()));
        const QString numbers = QString::fromUtf8(export_figure(figure, ExportFormat::csv, {}));
        for (const Panel& panel : figure.panels)
            for (const AxisLabels* axis : {&panel.row_axis, &panel.column_axis})
                for (const std::string& label : axis->labels) {
                    const QString token = QString::fromStdString(label);
                    QVERIFY2(all.contains(token), qPrintable(token));
                    QVERIFY2(numbers.contains(token), qPrintable(token));
                }
        for (const std::string& token : samples::tokens_of_many_scripts())
            if (has_letters_from_right(QString::fromStdString(token)))
                for (const QString& text : texts)
                    if (without_isolates(text) == QString::fromStdString(token))
                        QVERIFY2(text == QString::fromStdString(token) ? !text.isRightToLeft()
                                                                       : text.startsWith(right_isolate),
                                 qPrintable(text));
    }

    void names_do_not_turn_the_sentences_that_they_are_in_data() {
        every_view_is_drawn_in_every_format_data();
    }
    void names_do_not_turn_the_sentences_that_they_are_in() {
        QFETCH(const ViewKind, kind);
        const Figure figure = drawn(samples::many_scripts(), kind);
        for (const QString& sentence : sentences(figure)) {
            QVERIFY2(!has_letters_from_right(around_isolates(sentence)), qPrintable(sentence));
            QVERIFY2(!sentence.isRightToLeft(), qPrintable(sentence));
        }
        for (const QString& text : texts_of(export_figure(figure, ExportFormat::svg, {})))
            QCOMPARE(text.count(isolate) + text.count(right_isolate), text.count(end_of_isolate));
    }

    void a_sentence_that_is_cut_stays_in_its_direction() {
        const TextMeasure text(12, Face::regular);
        const QString sentence =
            QStringLiteral("“\u2068שלוםשלוםשלוםשלום\u2069” looks most at “\u2068עולם\u2069”, 0.19");
        for (int width = 20; width < 300; width += 7) {
            const QString cut = text.elided(sentence, width);
            QVERIFY2(!has_letters_from_right(around_isolates(cut.section(QChar(0x2026), 0, 0))),
                     qPrintable(cut));
            QVERIFY2(cut.count(isolate) <= cut.count(end_of_isolate), qPrintable(cut));
        }
    }

    void labels_keep_apart_and_inside() {
        for (const ViewKind kind : {ViewKind(ViewKind::heatmap), ViewKind(ViewKind::lines)}) {
            const Figure figure = drawn(samples::many_scripts(), kind);
            const PanelLayout place = text_layout(figure, natural_size(figure));
            const TextMeasure text(place.label_size, Face::regular);
            for (const std::string& label : figure.panels.front().row_axis.labels)
                QVERIFY2(text.width(QString::fromStdString(label)) <= place.row_label_area.width() + 0.5,
                         label.c_str());
            const double pitch = place.cells.height() / double(figure.panels.front().rows);
            QVERIFY(place.row_stride * pitch >= place.label_size);
        }
    }

    void tokens_of_a_text_can_be_seen_and_do_not_overlap() {
        const Figure figure = drawn(samples::many_scripts(), ViewKind::text);
        for (const double width : {300.0, 500.0, 900.0}) {
            const PanelLayout place = text_layout(figure, {width, 400});
            const TextMeasure text(place.label_size, Face::regular);
            for (std::size_t i = 0; i < place.tokens.size(); ++i) {
                const QString token = QString::fromStdString(figure.panels.front().column_axis.labels[i]);
                QVERIFY2(place.tokens[i].width() >= 0.5 * place.label_size, qPrintable(token));
                QVERIFY2(place.tokens[i].width() >= text.width(token), qPrintable(token));
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY(!place.tokens[i].adjusted(0.1, 0.1, -0.1, -0.1).intersects(place.tokens[j]));
            }
        }
    }

    void a_text_runs_as_its_words_do_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("shown");
        QTest::newRow("from the left") << QStringList{"one", "two", "."} << "one two .";
        QTest::newRow("from the right") << QStringList{"אחת", "שתיים", "שלוש", "."} << ". שלוש שתיים אחת";
        QTest::newRow("Arabic") << QStringList{"القط", "على", "البساط"} << "البساط على القط";
        QTest::newRow("English inside") << QStringList{"זה", "Open", "Source", "טוב"} << "טוב Open Source זה";
        QTest::newRow("Hebrew inside")
            << QStringList{"he", "said", "שלום", "עולם", "to", "me"} << "he said עולם שלום to me";
        QTest::newRow("a number") << QStringList{"יש", "42", "חתולים"} << "חתולים 42 יש";
        QTest::newRow("signs of a tokenizer")
            << QStringList{"[CLS]", "<s>", "חתול", "[SEP]"} << "[SEP] חתול [CLS] <s>";
        QTest::newRow("brackets") << QStringList{"(", "אב", ")"} << ") אב (";
    }
    void a_text_runs_as_its_words_do() {
        QFETCH(const QStringList, words);
        QFETCH(const QString, shown);
        std::vector<std::string> tokens;
        for (const QString& word : words)
            tokens.push_back(word.toStdString());
        const Figure figure = drawn(text_of_words(tokens), ViewKind::text);
        const PanelLayout place = text_layout(figure, {600, 300});
        QCOMPARE(from_left(place, tokens), shown);
        QRectF line;
        for (const QRectF& token : place.tokens)
            line |= token;
        const bool is_from_right = !shown.startsWith(words.front());
        QCOMPARE(is_from_right ? line.right() : line.left(),
                 is_from_right ? place.cells.right() : place.cells.left());
    }

    void lines_of_a_text_from_the_right_begin_there() {
        std::vector<std::string> words(60, "מילה");
        const Figure figure = drawn(text_of_words(words), ViewKind::text);
        const PanelLayout place = text_layout(figure, {300, 400});
        double line = -1;
        for (const QRectF& token : place.tokens) {
            if (token.isEmpty() || token.top() == line)
                continue;
            line = token.top();
            QCOMPARE(token.right(), place.cells.right());
        }
        QVERIFY(line > place.tokens.front().top());
    }

    void a_bracket_of_a_text_from_the_right_opens_to_the_left_in_an_svg_too() {
        const Figure figure = drawn(text_of_words({"(", "אב", ")"}), ViewKind::text);
        const QStringList texts = texts_of(export_figure(figure, ExportFormat::svg, {}));
        for (const char* bracket : {"(", ")"})
            QVERIFY(texts.contains(right_isolate + QLatin1String(bracket) + end_of_isolate));
    }

    void a_pdf_leaves_emoji_to_the_pictures_after_it() {
        for (const ViewKind kind : {ViewKind(ViewKind::heatmap), ViewKind(ViewKind::lines)}) {
            const Figure figure = drawn(samples::many_scripts(), kind);
            const QImage before = render_image(figure, {});
            QVERIFY(!export_figure(figure, ExportFormat::pdf, {}).isEmpty());
            QCOMPARE(render_image(figure, {}), before);
        }
    }
};

QTEST_MAIN(ScriptsTest)

}  // namespace headlight::scripts_test

#include "scripts_test.moc"
