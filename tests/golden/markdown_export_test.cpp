// Numbers as Markdown, as MD4C reads it.

#include "core/figure/build_figure.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "ui/render/export.h"

#include <QRegularExpression>
#include <QTest>

#include <md4c-html.h>

namespace headlight::markdown_export_test {

namespace {

/// The tables of a text, as a reader of Markdown (GitHub's) sees them: [table][row][cell]
std::vector<std::vector<QStringList>> tables_of(const QByteArray& markdown) {
    QByteArray html;
    const auto append = [](const MD_CHAR* text, MD_SIZE size, void* to) {
        static_cast<QByteArray*>(to)->append(text, static_cast<qsizetype>(size));
    };
    md_html(markdown.constData(), static_cast<MD_SIZE>(markdown.size()), append, &html,
            MD_DIALECT_GITHUB | MD_FLAG_LATEXMATHSPANS, 0);
    const auto parts = [](const QString& text, const char* tag) {
        const QString pattern = QStringLiteral("<%1\\b[^>]*>(.*?)</%1>").arg(QLatin1String(tag));
        QStringList found;
        auto match =
            QRegularExpression(pattern, QRegularExpression::DotMatchesEverythingOption).globalMatch(text);
        while (match.hasNext())
            found += match.next().captured(1);
        return found;
    };
    std::vector<std::vector<QStringList>> tables;
    for (const QString& table : parts(QString::fromUtf8(html), "table")) {
        tables.emplace_back();
        for (QString row : parts(table, "tr")) {
            QStringList cells = parts(row.replace(QLatin1String("<th"), QLatin1String("<td"))
                                          .replace(QLatin1String("</th"), QLatin1String("</td")),
                                      "td");
            for (QString& cell : cells)
                cell.replace(QLatin1String("&lt;"), QLatin1String("<"))
                    .replace(QLatin1String("&gt;"), QLatin1String(">"))
                    .replace(QLatin1String("&quot;"), QLatin1String("\""))
                    .replace(QLatin1String("&amp;"), QLatin1String("&"));
            tables.back().push_back(cells);
        }
    }
    return tables;
}

Figure figure_in(const Trace& trace, ViewKind view) {
    ViewSettings settings;
    settings.view = view;
    settings.theme = FigureTheme::paper;
    return build_figure(trace, settings);
}

Trace labelled(const std::vector<std::string>& rows, const std::vector<std::string>& columns) {
    Trace trace({{"",
                  "weights",
                  {Axis::query, Axis::key},
                  {static_cast<Index>(rows.size()), static_cast<Index>(columns.size())}}});
    trace.tokens.query = rows;
    trace.tokens.key = columns;
    double value = 0.125;
    for (double& number : trace.values(trace.stages()[0]))
        number = value /= 2;
    return trace;
}

}  // namespace

class MarkdownExportTest : public QObject {
    Q_OBJECT
private slots:
    void numbers_have_the_digits_of_the_picture() {
        Trace trace = labelled({"the", "cat"}, {"x", "y"});
        std::ranges::copy(std::vector<double>{0.25, 0.75, 1, -std::numeric_limits<double>::infinity()},
                          trace.values(trace.stages()[0]).begin());
        Figure figure = figure_in(trace, ViewKind::heatmap);
        QCOMPARE(export_figure(figure, ExportFormat::md, {}),
                 QByteArray("| | x | y |\n|---|---:|---:|\n| the | 0.2500 | 0.7500 |\n| cat | 1.0000 | |\n"));
        figure.panels[0].digits = 1;
        QCOMPARE(tables_of(export_figure(figure, ExportFormat::md, {}))[0][1],
                 (QStringList{"the", "0.2", "0.8"}));
    }

    void labels_mean_nothing_but_themselves() {
        const std::vector<std::string> hostile{
            "a|b", "\\",   "*x*",         "__y__",   "`z`",   "<b>&amp;", "[a](http)",   "~~s~~", "$x^2$",
            "#1",  "![i]", "https://a.b", "www.a.b", "a@b.c", "{a}_{b}",  "注意 🙂", "---",   "1. x"};
        const auto tables = tables_of(
            export_figure(figure_in(labelled(hostile, hostile), ViewKind::heatmap), ExportFormat::md, {}));
        QCOMPARE(tables.size(), 1u);
        QCOMPARE(tables[0].size(), hostile.size() + 1);
        for (std::size_t i = 0; i < hostile.size(); ++i) {
            const QString label = QString::fromStdString(hostile[i]);
            QCOMPARE(tables[0][0][static_cast<qsizetype>(i) + 1], label);
            QCOMPARE(tables[0][i + 1][0], label);
            QCOMPARE(tables[0][i + 1].size(), static_cast<qsizetype>(hostile.size()) + 1);
        }
    }

    void a_label_stays_on_its_line() {
        Figure figure = figure_in(labelled({"a", "b"}, {"x", "y"}), ViewKind::heatmap);
        figure.panels[0].row_axis.labels = {"a\nb", "c\r\n|d"};  // which a trace would show as signs
        const auto tables = tables_of(export_figure(figure, ExportFormat::md, {}));
        QCOMPARE(tables[0].size(), 3u);
        QCOMPARE(tables[0][1][0], QStringLiteral("a b"));
        QVERIFY(tables[0][2][0].endsWith(QLatin1String("|d")));
    }

    void every_panel_is_a_table_under_its_title() {
        const Figure figure = figure_in(samples::sentence(), ViewKind::grid);
        const QByteArray markdown = export_figure(figure, ExportFormat::md, {});
        QCOMPARE(tables_of(markdown).size(), figure.panels.size());
        QVERIFY(markdown.startsWith("**Head 1**\n\n|"));
    }
};

QTEST_MAIN(MarkdownExportTest)

}  // namespace headlight::markdown_export_test

#include "markdown_export_test.moc"
