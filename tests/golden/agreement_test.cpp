// A figure is the same picture whoever draws it: the screen's painter, poppler from the PDF, librsvg from the
// SVG. Letters may lie a fraction of a pixel apart, so that pictures are compared as they are seen from a
// step further away.

#include "core/figure/view.h"
#include "core/io/figure_source.h"
#include "tests/golden/seen_pictures.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "ui/render/export.h"
#include "ui/render/painter.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace headlight::agreement_test {

namespace {

/// Out of 255, for letters that are drawn a little darker, not for one in another place. Numbers in cells are
/// letters close together.
constexpr double most_in_the_mean = 4, most_anywhere = 110;

Figure figure_of_panels(const std::vector<std::string>& panels, ViewKind view, FigureTheme theme,
                        FigureOptions options = {}, Trace trace = samples::sentence()) {
    FigureSource source;
    source.trace = std::make_shared<const Trace>(std::move(trace));
    ViewSettings settings;
    settings.view = view;
    settings.theme = theme;
    for (const std::string& words : panels)
        options.panels.push_back(parse_panel_words(words));
    settings.options = options;
    return headlight::figure_of(source, settings);
}

ViewKind view_named(const QString& word) {
    const auto found = std::ranges::find(views(), word.toStdString(),
                                         [](const View& view) { return std::string(view.kind.word()); });
    return found->kind;
}

ExportOptions on_paper() {
    ExportOptions options;
    options.width_mm = 160;
    options.dpi = 144;
    return options;
}

/// librsvg draws letters that have colours of their own in one grey; browsers do not.
Trace without_emoji(Trace trace) {
    for (std::vector<std::string>* tokens : {&trace.tokens.query, &trace.tokens.key})
        for (std::string& token : *tokens)
            if (QString::fromStdString(token).contains(QRegularExpression(QStringLiteral("[\\x{1F000}-\\x{1FFFF}]"))))
                token = "emoji";
    return trace;
}

QString words(const Distance& distance) {
    return QStringLiteral("%1 in the mean, %2 at most").arg(distance.mean).arg(distance.most);
}

}  // namespace

class AgreementTest : public QObject {
    Q_OBJECT
private slots:
    void files_show_what_the_screen_shows_data() {
        QTest::addColumn<QStringList>("panels");
        QTest::addColumn<QString>("view");
        QTest::addColumn<bool>("is_dark");
        QTest::addColumn<bool>("has_many_scripts");
        for (const char* view : {"heatmap", "grid", "stages", "lines", "text", "steps", "model_grid"})
            QTest::newRow(view) << QStringList() << view << false << false;
        // Not in Text and Steps: fractions of a pixel add up along a line of words, or of numbers.
        for (const char* view : {"heatmap", "grid", "stages", "lines", "model_grid"})
            QTest::addRow("%s of many scripts", view) << QStringList() << view << false << true;
        QTest::newRow("dark") << QStringList() << QStringLiteral("heatmap") << true << false;
        QTest::newRow("panels with letters, a note and a frame")
            << QStringList{QStringLiteral("view=heatmap head=1 mark=2,3 note=\"3,5 here\""),
                           QStringLiteral("view=lines head=2"), QStringLiteral("view=heatmap head=3 new-row"),
                           QStringLiteral("view=text query=2")}
            << QStringLiteral("heatmap") << false << false;
    }
    void files_show_what_the_screen_shows() {
        QFETCH(QStringList, panels);
        QFETCH(QString, view);
        QFETCH(bool, is_dark);
        QFETCH(bool, has_many_scripts);
        std::vector<std::string> asked;
        for (const QString& panel : panels)
            asked.push_back(panel.toStdString());
        FigureOptions options;
        options.letters = !asked.empty();
        const auto figure_of_trace = [&](Trace trace) {
            return figure_of_panels(asked, view_named(view),
                                    is_dark ? FigureTheme::dark : FigureTheme::paper, options, std::move(trace));
        };
        const Trace trace = has_many_scripts ? samples::many_scripts() : samples::sentence();
        const auto agrees = [](const QImage& screen, const QImage& file) {
            const Distance found = distance(screen, file.copy(screen.rect()));
            return std::abs(file.height() - screen.height()) <= 1 && found.mean < most_in_the_mean &&
                           found.most < most_anywhere
                       ? QString()
                       : words(found);
        };
        const Figure figure = figure_of_trace(trace), in_ink = figure_of_trace(without_emoji(trace));
        const QImage screen = render_image(figure, on_paper()), screen_in_ink = render_image(in_ink, on_paper());
        const QImage pdf = from_pdf(export_figure(figure, ExportFormat::pdf, on_paper()), screen.width());
        const QImage svg =
            from_svg(export_figure(in_ink, ExportFormat::svg, on_paper()), screen_in_ink.width());
        if (pdf.isNull() || svg.isNull())
            QSKIP("pdftoppm or rsvg-convert is not installed");
        QCOMPARE(agrees(screen, pdf), QString());
        QCOMPARE(agrees(screen_in_ink, svg), QString());
    }

    /// As a handout and the printer do it, whose painters ask for nothing.
    void a_cell_has_its_colour_on_a_page_that_somebody_else_begins() {
        const Figure figure = figure_of_panels({}, ViewKind::heatmap, FigureTheme::paper);
        constexpr int width = 480, height = 400, scale = 3;
        const FigureLayout layout = layout_figure(figure, QRectF(0, 0, width, height), 1);
        QBuffer buffer;
        QVERIFY(buffer.open(QIODevice::WriteOnly));
        {
            QPdfWriter writer(&buffer);
            writer.setResolution(72);
            writer.setPageSize(QPageSize(QSizeF(width, height), QPageSize::Point, {}, QPageSize::ExactMatch));
            writer.setPageMargins(QMarginsF());
            QPainter painter(&writer);
            paint_figure(painter, figure, layout, 1);
        }
        const QImage page = from_pdf(buffer.data(), scale * width);
        if (page.isNull())
            QSKIP("pdftoppm is not installed");
        QImage screen(width, height, QImage::Format_RGB32);
        screen.fill(Qt::white);
        QPainter painter(&screen);
        paint_figure(painter, figure, layout, 1);
        painter.end();
        const QRectF cells = layout.panels.front().cells;
        const Index rows = figure.panels.front().rows, columns = figure.panels.front().columns;
        for (Index row = 0; row < rows; ++row)
            for (Index column = 0; column <= row; ++column) {  // the others are forbidden, and hatched
                // Beside the number in the middle of the cell.
                const QPointF place(cells.left() + cells.width() * (double(column) + 0.15) / double(columns),
                                    cells.top() + cells.height() * (double(row) + 0.15) / double(rows));
                const QColor drawn = page.pixelColor((scale * place).toPoint()),
                             expected = screen.pixelColor(place.toPoint());
                const int apart = std::max({std::abs(drawn.red() - expected.red()),
                                            std::abs(drawn.green() - expected.green()),
                                            std::abs(drawn.blue() - expected.blue())});
                QVERIFY2(apart <= 3, qPrintable(QStringLiteral("row %1, column %2: %3 for %4")
                                                    .arg(row)
                                                    .arg(column)
                                                    .arg(drawn.name(), expected.name())));
            }
    }

    void another_head_is_another_picture() {
        const auto of_head = [](const char* panel) {
            return render_image(figure_of_panels({panel}, ViewKind::heatmap, FigureTheme::paper), on_paper());
        };
        QVERIFY(distance(of_head("head=1"), of_head("head=2")).mean > most_in_the_mean);
    }
};

QTEST_MAIN(AgreementTest)

}  // namespace headlight::agreement_test

#include "agreement_test.moc"
