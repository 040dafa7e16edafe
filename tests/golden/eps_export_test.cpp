// EPS as Ghostscript reads it: the page, the text, the fonts, the cells.

#include "core/figure/build_figure.h"
#include "core/figure/cell_codes.h"
#include "core/figure/colour.h"
#include "core/io/files.h"
#include "core/tensor/error.h"
#include "tests/support/sample_traces.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_file.h"
#include "ui/render/export.h"
#include "ui/render/figure_in_width.h"
#include "ui/render/painter.h"
#include "ui/render/pdf_library.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

namespace headlight::eps_export_test {

namespace {

const std::string carried = "{\"text\": \"% \\\\ <ü> & '注意' 🙂\", \"view\": 1}";

Figure sample(ViewKind view = ViewKind::heatmap, FigureTheme theme = FigureTheme::paper) {
    ViewSettings settings;
    settings.view = view;
    settings.theme = theme;
    Figure figure = build_figure(samples::sentence(), settings);
    figure.session = carried;
    return figure;
}

ExportOptions one_column() {
    ExportOptions options;
    options.width_mm = 85;
    return options;
}

/// What Ghostscript makes of the file with a device of its own.
QByteArray ghostscript(const test::TemporaryFolder& folder, const QByteArray& eps,
                       const QStringList& device) {
    write_file_atomically(folder / "x.eps", eps.toStdString());
    QProcess process;
    process.setWorkingDirectory(QString::fromStdString(folder.path().string()));
    process.start(QStandardPaths::findExecutable(QStringLiteral("gs")),
                  QStringList{"-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-dEPSCrop"} + device +
                      QStringList{"x.eps"});
    process.waitForFinished(60'000);
    return process.exitCode() == 0 ? process.readAllStandardOutput() : "FAILED " + process.readAll();
}

bool has_ghostscript() { return !QStandardPaths::findExecutable(QStringLiteral("gs")).isEmpty(); }

}  // namespace

class EpsExportTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void the_file_is_one_page_of_its_size() {
        const QByteArray eps = export_figure(sample(), ExportFormat::eps, one_column());
        QVERIFY(eps.startsWith("%!PS-Adobe-3.0 EPSF-3.0\n"));
        static const QRegularExpression box(
            QStringLiteral("%%HiResBoundingBox: 0(?:\\.0+)? 0(?:\\.0+)? ([0-9.]+) ([0-9.]+)\n"));
        const auto match = box.match(QString::fromLatin1(eps));
        QVERIFY(match.hasMatch());
        QVERIFY(std::abs(match.captured(1).toDouble() - 85 * 72 / 25.4) < 0.02);
        QVERIFY(std::abs(match.captured(2).toDouble() - natural_height(sample(), 85 * 72 / 25.4)) < 0.02);
        for (const QByteArray& line : eps.split('\n'))
            QVERIFY(line.size() <= 255);
    }

    void the_same_figure_gives_the_same_bytes() {
        const QByteArray eps = export_figure(sample(), ExportFormat::eps, one_column());
        QCOMPARE(export_figure(sample(), ExportFormat::eps, one_column()), eps);
        QVERIFY(!eps.contains("CreationDate"));
    }

    void the_session_comes_back() {
        const QByteArray eps = export_figure(sample(), ExportFormat::eps, one_column());
        QCOMPARE(embedded_session(eps), std::optional(carried));
        Figure bare = sample();
        bare.session.clear();
        QCOMPARE(embedded_session(export_figure(bare, ExportFormat::eps, one_column())), std::nullopt);
    }

    void text_is_text_with_its_fonts() {
        const QByteArray eps = export_figure(sample(), ExportFormat::eps, one_column());
        QVERIFY(eps.contains("/FontName"));
        if (!has_ghostscript())
            QSKIP("gs is not installed");
        const test::TemporaryFolder folder;
        const QByteArray text = ghostscript(folder, eps, {"-sDEVICE=txtwrite", "-sOutputFile=-"});
        for (const char* word : {"river", "bank", "key"})
            QVERIFY2(text.contains(word), text.constData());
    }

    void cells_have_their_colours_data() {
        QTest::addColumn<FigureTheme>("theme");
        QTest::newRow("paper") << FigureTheme::paper;
        QTest::newRow("dark") << FigureTheme::dark;
    }
    void cells_have_their_colours() {
        QFETCH(FigureTheme, theme);
        if (!has_ghostscript())
            QSKIP("gs is not installed");
        Figure figure = sample(ViewKind::heatmap, theme);
        figure.panels[0].values_in_cells = false;
        const test::TemporaryFolder folder;
        ghostscript(folder, export_figure(figure, ExportFormat::eps, one_column()),
                    {"-sDEVICE=png16m", "-r144", "-sOutputFile=x.png"});
        const QImage image(QString::fromStdString((folder / "x.png").string()));
        const double width = 85 * 72 / 25.4, unit = 2;
        QVERIFY(std::abs(image.width() - unit * width) < 2);
        const Panel& panel = figure.panels[0];
        const Figure drawn = drawn_in_width(figure, width);
        const QRectF cells =
            layout_figure(drawn, QRectF(0, 0, width, natural_height(drawn, width)), 1).panels[0].cells;
        for (Index row = 0; row < panel.rows; ++row)
            for (Index column = 0; column < panel.columns; ++column) {
                if (is_forbidden(panel, row, column))
                    continue;
                const QPointF middle(cells.left() + (static_cast<double>(column) + 0.5) * cells.width() /
                                                        static_cast<double>(panel.columns),
                                     cells.top() + (static_cast<double>(row) + 0.5) * cells.height() /
                                                       static_cast<double>(panel.rows));
                const QColor seen = image.pixelColor((middle * unit).toPoint());
                const Rgb expected =
                    panel.scale.colour(panel.values[static_cast<std::size_t>(row * panel.columns + column)]);
                const int distance =
                    std::max({std::abs(seen.red() - expected.red), std::abs(seen.green() - expected.green),
                              std::abs(seen.blue() - expected.blue)});
                QVERIFY2(distance <= 4, qPrintable(seen.name()));
            }
    }

    void every_view_is_a_page_data() {
        QTest::addColumn<ViewKind>("view");
        for (const ViewKind view :
             {ViewKind::grid, ViewKind::stages, ViewKind::lines, ViewKind::steps, ViewKind::text})
            QTest::newRow(view.word().data()) << view;
    }
    void every_view_is_a_page() {
        QFETCH(ViewKind, view);
        ExportOptions options;
        options.width_mm = 170;
        const QByteArray eps = export_figure(sample(view), ExportFormat::eps, options);
        if (!has_ghostscript())
            QSKIP("gs is not installed");
        const test::TemporaryFolder folder;
        const QByteArray text = ghostscript(folder, eps, {"-sDEVICE=txtwrite", "-sOutputFile=-"});
        QVERIFY2(text.contains("river"), text.constData());
    }

    void what_is_no_pdf_is_refused() { QVERIFY_EXCEPTION_THROWN(pdf_library().postscript("hello", 10, 10), Error); }
};

QTEST_MAIN(EpsExportTest)

}  // namespace headlight::eps_export_test

#include "eps_export_test.moc"
