// What the painter and the files make of an author's wishes: type, bars, backgrounds, labels, frames.

#include "core/figure/apply_options.h"
#include "core/figure/build_figure.h"
#include "core/tensor/error.h"
#include "tests/support/sample_traces.h"
#include "ui/render/export.h"
#include "ui/render/figure_style.h"
#include "ui/render/label_plan.h"
#include "ui/render/painter.h"
#include "ui/render/typeface.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

#include <cmath>

using namespace headlight;

namespace {

Figure drawn(const Trace& trace, const FigureOptions& options, FigureTheme theme = FigureTheme::paper,
             ViewKind kind = ViewKind::heatmap) {
    ViewSettings settings;
    settings.view = kind;
    settings.theme = theme;
    settings.options = options;
    Figure figure = build_figure(trace, settings);
    apply_options(figure, settings);
    return figure;
}

ExportOptions wide(double mm) {
    ExportOptions options;
    options.width_mm = mm;
    return options;
}

FigureLayout layout_of(const Figure& figure, double width) {
    return layout_figure(figure, QRectF(0, 0, 16 * width, 16 * natural_height(figure, width)), 16);
}

/// One that is not the program's own, and that the system draws Latin letters with.
QString another_family() {
    for (const QString& family : font_families())
        if (family.startsWith(QLatin1String("DejaVu")) || family.startsWith(QLatin1String("Liberation")))
            return family;
    return {};
}

const FigureTheme themes[] = {FigureTheme::paper, FigureTheme::light, FigureTheme::dark,
                              FigureTheme::projector};

}  // namespace

class FigureOptionsPaintingTest : public QObject {
    Q_OBJECT
private slots:
    void a_transparent_png_has_no_background() {
        for (const FigureTheme theme : themes) {
            FigureOptions options;
            const QImage opaque = render_image(drawn(samples::sentence(), options, theme), wide(120));
            QVERIFY(!opaque.hasAlphaChannel());
            options.transparent = true;
            const Figure figure = drawn(samples::sentence(), options, theme);
            const QImage image = QImage::fromData(export_figure(figure, ExportFormat::png, wide(120)), "PNG");
            QVERIFY(image.hasAlphaChannel());
            QCOMPARE(image.size(), opaque.size());
            QCOMPARE(qAlpha(image.pixel(0, 0)), 0);
            QCOMPARE(qAlpha(image.pixel(image.width() - 1, image.height() - 1)), 0);
            const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), image.size()), 300 / 72.0);
            const QPoint cell = layout.panels.front().cells.center().toPoint() + QPoint(5, 5);
            QCOMPARE(qAlpha(image.pixel(cell)), 255);
            QCOMPARE(image.pixelColor(cell), opaque.pixelColor(cell));
        }
    }

    void a_transparent_svg_and_pdf_have_no_background() {
        FigureOptions options;
        const QByteArray dark = figure_style(FigureTheme::dark).background.name().toUtf8();
        const auto svg = [&] {
            return export_figure(drawn(samples::band(6, 6), options, FigureTheme::dark), ExportFormat::svg,
                                 wide(120));
        };
        const auto is_filled = [&](const QByteArray& bytes) {
            const QRegularExpression page(
                QStringLiteral("fill=\"%1\"[^>]*>\\s*<path[^>]*d=\"M0,0 ").arg(QString::fromUtf8(dark)));
            return page.match(QString::fromUtf8(bytes)).hasMatch() || bytes.contains("<rect x=\"0\" y=\"0\"");
        };
        const QByteArray before = svg();
        options.transparent = true;
        const QByteArray after = svg();
        QVERIFY(is_filled(before));
        QVERIFY(!is_filled(after));
        const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdftoppm"));
        if (tool.isEmpty())
            QSKIP("pdftoppm is not installed");
        QProcess process;
        process.start(tool, {QStringLiteral("-r"), QStringLiteral("60"), QStringLiteral("-")});
        process.write(export_figure(drawn(samples::band(6, 6), options, FigureTheme::dark), ExportFormat::pdf,
                                    wide(120)));
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished());
        const QImage page = QImage::fromData(process.readAllStandardOutput(), "PPM");
        QVERIFY(!page.isNull());
        QCOMPARE(page.pixelColor(1, 1), QColor(Qt::white));  // the viewer's own paper
    }

    void type_has_the_size_that_is_asked_for() {
        FigureOptions options;
        options.type.size = 7;
        const FigureStyle ours = figure_style(drawn(samples::sentence(), {}));
        const FigureStyle style = figure_style(drawn(samples::sentence(), options));
        QCOMPARE(style.label, 7.0);
        QCOMPARE(style.title / style.label, ours.title / ours.label);
        QCOMPARE(style.caption / style.label, ours.caption / ours.label);
        QCOMPARE(style.least_label, ours.least_label);
        options.type.size = 5;  // smaller than labels would be otherwise
        QCOMPARE(figure_style(drawn(samples::sentence(), options)).least_label, 5.0);
    }

    void all_lines_keep_their_proportion() {
        FigureOptions options;
        options.type.line_width = 0.25;
        for (const FigureTheme theme : themes) {
            const FigureStyle plain = figure_style(drawn(samples::sentence(), {}, theme));
            const FigureStyle asked = figure_style(drawn(samples::sentence(), options, theme));
            QCOMPARE(asked.frame_line, 0.25);
            QCOMPARE(asked.line_share, 0.25 / plain.frame_line);
            QCOMPARE(asked.grid_line / asked.frame_line, plain.grid_line / plain.frame_line);
            QCOMPARE(asked.mark_line / asked.frame_line, plain.mark_line / plain.frame_line);
            QCOMPARE(asked.label, plain.label);
            QCOMPARE(asked.least_label, plain.least_label);
        }
    }

    void no_text_is_smaller_than_the_least_size() {
        FigureOptions options;
        options.type.size = 6;
        options.type.least_size = 5.5;
        for (const FigureTheme theme : themes) {
            const FigureStyle style = figure_style(drawn(samples::sentence(), options, theme));
            const double least = theme == FigureTheme::projector ? 13.5 : 5.5;
            for (const double size :
                 {style.title, style.panel_title, style.subtitle, style.label, style.axis_title, style.value,
                  style.tick, style.operation, style.caption, style.least_label})
                QVERIFY2(size >= least, qPrintable(QString::number(size)));
            QCOMPARE(style.least_scale, 1.0);
        }
    }

    void labels_thin_where_they_would_become_smaller() {
        FigureOptions options;
        options.type.least_size = 5;
        const Figure small = drawn(samples::band(90, 90), options);
        const PanelLayout place = layout_of(small, 240).panels.front();
        QVERIFY(place.label_size >= 5 * 16 - 1);
        QVERIFY(place.row_stride > 1);
        options.type.least_size = 2;
        const PanelLayout tiny = layout_of(drawn(samples::band(90, 90), options), 240).panels.front();
        QVERIFY(tiny.label_size < 5 * 16 - 1);
        QVERIFY(tiny.row_stride < place.row_stride);
    }

    void the_font_is_that_of_all_text() {
        const QString family = another_family();
        if (family.isEmpty())
            QSKIP("no other font is installed");
        FigureOptions options;
        options.type.font = family.toUpper().toStdString();
        const Figure figure = drawn(samples::sentence(), options);
        QCOMPARE(figure_style(figure).family, family);
        const QString svg = QString::fromUtf8(export_figure(figure, ExportFormat::svg, wide(120)));
        QVERIFY(svg.contains(QStringLiteral("text{font-family:\"%1\"").arg(family)) ||
                svg.contains(QStringLiteral("text{font-family:&quot;%1&quot;").arg(family)) ||
                svg.contains(QStringLiteral("text{font-family:%1").arg(family)));
        QVERIFY(!svg.contains(QLatin1String("font-family=\"Inter\"")));
        const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdffonts"));
        if (tool.isEmpty())
            QSKIP("pdffonts is not installed");
        QProcess process;
        process.start(tool, {QStringLiteral("-")});
        process.write(export_figure(figure, ExportFormat::pdf, wide(120)));
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished());
        const QString fonts = QString::fromUtf8(process.readAllStandardOutput());
        QVERIFY2(fonts.contains(QString(family).remove(QChar(' '))), qPrintable(fonts));
        QVERIFY2(!fonts.contains(QLatin1String("Inter")), qPrintable(fonts));
    }

    void a_font_that_is_missing_is_passed_over() {
        FigureOptions options;
        options.type.font = "No Such Family";
        QCOMPARE(figure_style(drawn(samples::sentence(), options)).family, QString());
    }

    void without_a_bar_the_matrix_has_its_room() {
        FigureOptions options;
        const FigureLayout with = layout_of(drawn(samples::sentence(), options), 200);
        options.colour_bar = false;
        const FigureLayout without = layout_of(drawn(samples::sentence(), options), 200);
        QVERIFY(!with.colour_bar.isEmpty());
        QVERIFY(without.colour_bar.isEmpty());
        QVERIFY(without.panels.front().cells.width() > with.panels.front().cells.width());
    }

    void titles_take_room_only_where_they_are() {
        FigureOptions options;
        const FigureLayout ours = layout_of(drawn(samples::sentence(), options), 200);
        QVERIFY(ours.subtitle.isEmpty());
        options.subtitle = "of one sentence";
        const FigureLayout with = layout_of(drawn(samples::sentence(), options), 200);
        QVERIFY(with.subtitle.height() > 0);
        QVERIFY(with.subtitle.top() >= with.title.bottom());
        QVERIFY(with.subtitle.bottom() <= with.panels.front().frame.top() + 1);
        options.title = options.subtitle = options.x_title = options.y_title = "";
        options.panel_titles = false;
        const Figure bare = drawn(samples::sentence(), options);
        const FigureLayout without = layout_of(bare, 200);
        QVERIFY(without.title.isEmpty() && without.subtitle.isEmpty());
        QVERIFY(without.panels.front().title.isEmpty());
        QVERIFY(without.panels.front().row_title.isEmpty());
        QVERIFY(natural_height(bare, 200) < natural_height(drawn(samples::sentence(), {}), 200));
    }

    void digits_are_those_that_are_asked_for() {
        FigureOptions options;
        for (const int digits : {0, 1, 3}) {
            options.digits = digits;
            const PanelLayout place = layout_of(drawn(samples::sentence(), options), 400).panels.front();
            QVERIFY(place.values);
            QCOMPARE(place.value_decimals, digits);
        }
        options.digits = 6;
        QVERIFY2(!layout_of(drawn(samples::band(40, 40), options), 300).panels.front().values,
                 "they do not fit, and fewer were not asked for");
    }

    void hidden_labels_take_no_room() {
        Trace trace = samples::sentence();
        trace.tokens.query[2] = trace.tokens.key[2] = "a-very-long-token-indeed";
        FigureOptions options;
        const PanelLayout with = layout_of(drawn(trace, options), 200).panels.front();
        options.hidden_labels = "very";
        const PanelLayout without = layout_of(drawn(trace, options), 200).panels.front();
        QVERIFY(without.row_label_area.width() < 0.7 * with.row_label_area.width());
    }

    void hidden_labels_are_not_written() {
        FigureOptions options;
        options.hidden_labels = "river";
        const auto svg = [&](const FigureOptions& wanted) {
            return export_figure(drawn(samples::sentence(), wanted), ExportFormat::svg, wide(120));
        };
        QVERIFY(svg({}).contains(">river<"));
        QVERIFY(!svg(options).contains(">river<"));
        QVERIFY(svg(options).contains(">bank<"));
    }

    void framed_cells_are_seen() {
        FigureOptions options;
        const Figure plain = drawn(samples::sentence(), options);
        options.marks = {{{4, 1}, {1, 1}}};
        const Figure marked = drawn(samples::sentence(), options);
        const QImage before = render_image(plain, wide(120)), after = render_image(marked, wide(120));
        const FigureLayout layout = layout_figure(marked, QRectF(QPointF(), after.size()), 300 / 72.0);
        const QRectF& cells = layout.panels.front().cells;
        const double cell = cells.width() / 8;
        const QColor accent = figure_style(FigureTheme::paper).accent;
        const auto is_accent = [&](const QImage& image, double column, double row) {
            const QColor at = image.pixelColor(
                QPointF(cells.left() + column * cell, cells.top() + row * cells.height() / 8).toPoint());
            return std::abs(at.red() - accent.red()) + std::abs(at.green() - accent.green()) +
                       std::abs(at.blue() - accent.blue()) <
                   40;
        };
        QVERIFY(is_accent(after, 1.5, 4));
        QVERIFY(is_accent(after, 1.5, 5));
        QVERIFY(is_accent(after, 1, 4.5));
        QVERIFY(is_accent(after, 2, 4.5));
        QVERIFY(!is_accent(before, 1.5, 4));
        QVERIFY(!is_accent(after, 3.5, 4));
    }

    void a_bar_title_that_is_given_is_cut_rather_than_dropped() {
        FigureOptions options;
        options.bar_title =
            "a title that is by far too long for the bar beside this small matrix, which it is";
        const auto svg = [&] {
            return QString::fromUtf8(
                export_figure(drawn(samples::sentence(), options), ExportFormat::svg, wide(85)));
        };
        QVERIFY(svg().contains(QLatin1String(">a title")));
        options.bar_title = "";
        QVERIFY(!svg().contains(QLatin1String(">a title")));
        QVERIFY(!svg().contains(QLatin1String(">weights<")));
        options.bar_title = "α";
        QVERIFY(svg().contains(QString::fromUtf8(">α<")));
    }
};

QTEST_MAIN(FigureOptionsPaintingTest)
#include "figure_options_painting_test.moc"
