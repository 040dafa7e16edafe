// Where the panels of a composed figure lie, and what the painter writes: equal matrices, filled rows,
// letters, titles over neighbours, bars, arrows.

#include "core/io/figure_source.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "tests/ui/text_recorder.h"
#include "ui/render/chart.h"
#include "ui/render/export.h"
#include "ui/render/figure_in_width.h"
#include "ui/render/painter.h"

#include <QImage>
#include <QTest>

#include <algorithm>

namespace headlight::composed_layout_test {

namespace {

Figure composed(const std::vector<std::string>& panels, FigureOptions options = {}) {
    FigureSource source;
    source.trace = std::make_shared<const Trace>(samples::sentence());
    ViewSettings view;
    view.view = ViewKind::heatmap;
    view.theme = FigureTheme::paper;
    for (const std::string& words : panels)
        options.panels.push_back(parse_panel_words(words));
    view.options = options;
    return figure_of(source, view);
}

Panel curves_panel() {
    Panel panel;
    panel.kind = Panel::Kind::curves;
    panel.title = "Loss";
    panel.rows = 3;
    panel.columns = 2;
    panel.values = std::vector<double>{4, 3, 2, 2.5, 1, 1.5};
    panel.row_axis.labels = {"0", "50", "100"};
    panel.column_axis.labels = {"additive", "dot"};
    panel.curves =
        std::make_shared<const Curves>(Curves{{0, 50, 100}, "steps", "cross-entropy", false, "", {}});
    return panel;
}

constexpr double unit = 16;

ExportOptions in_pixels(int width) {
    ExportOptions options;
    options.width_px = width;
    return options;
}

ExportOptions in_millimetres(double width) {
    ExportOptions options;
    options.width_mm = width;
    return options;
}

FigureLayout layout_of(const Figure& figure, double width) {
    return layout_figure(figure, QRectF(0, 0, unit * width, unit * natural_height(figure, width)), unit);
}

/// What is written, one line after another.
QStringList written(const Figure& figure, double width) {
    const FigureLayout layout = layout_of(figure, width);
    TextRecorder recorder(layout.area.size().toSize());
    {
        QPainter painter(&recorder);
        paint_figure(painter, figure, layout, unit);
    }
    QStringList texts;
    for (const PaintedText& each : recorder.texts())
        texts += each.text;
    return texts;
}

void nothing_leaves_or_overlaps(const Figure& figure, double width) {
    const FigureLayout layout = layout_of(figure, width);
    for (std::size_t i = 0; i < layout.panels.size(); ++i) {
        if (figure.panels[i].blank)
            continue;
        const QRectF frame = layout.panels[i].frame;
        QVERIFY2(layout.area.adjusted(-1, -1, 1, 1).contains(frame), qPrintable(QString::number(i)));
        for (std::size_t other = 0; other < i; ++other)
            QVERIFY2(figure.panels[other].blank ||
                         !frame.adjusted(1, 1, -1, -1)
                              .intersects(layout.panels[other].frame.adjusted(1, 1, -1, -1)),
                     qPrintable(QStringLiteral("%1 and %2").arg(i).arg(other)));
    }
}

}  // namespace

class ComposedLayoutTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void matrices_of_one_size_are_equal_in_every_row() {
        const Figure figure = composed({"head=1", "head=2", "head=3 new-row", "view=lines head=4"});
        nothing_leaves_or_overlaps(figure, 300);
        const FigureLayout layout = layout_of(figure, 300);
        const QSizeF size = layout.panels[0].cells.size();
        for (const std::size_t at : {1, 2})
            QVERIFY(std::abs(layout.panels[at].cells.width() - size.width()) < 1e-6 &&
                    std::abs(layout.panels[at].cells.height() - size.height()) < 1e-6);
        QCOMPARE(layout.panels[2].cells.top(), layout.panels[3].cells.top());
    }

    void what_may_be_wider_fills_its_row() {
        const Figure figure = composed({"head=1", "head=2", "head=3", "head=4 new-row", "view=lines"});
        const FigureLayout layout = layout_of(figure, 360);
        const auto right = [&](std::size_t at) { return layout.panels[at].frame.right(); };
        QVERIFY2(std::abs(right(2) - right(4)) < 2, qPrintable(QString::number(right(2) - right(4))));
        QVERIFY(layout.panels[4].cells.width() > 1.1 * layout.panels[3].cells.width());
    }

    void a_row_is_as_high_as_it_is_asked_to_be() {
        const FigureLayout layout = layout_of(composed({"head=1 height=2", "head=2", "head=3 new-row"}), 300);
        QVERIFY(std::abs(layout.panels[0].cells.height() - 2 * layout.panels[2].cells.height()) < 1e-6);
        QCOMPARE(layout.panels[1].cells.height(), layout.panels[0].cells.height());
    }

    void words_take_no_room_from_matrices() {
        const Figure alone = composed({"head=1", "view=lines"});
        const Figure with_text = composed({"head=1", "view=lines", "view=text query=5 new-row"});
        const FigureLayout before = layout_of(alone, 360), after = layout_of(with_text, 360);
        QVERIFY(after.panels[0].cells.height() > 0.9 * before.panels[0].cells.height());
        QVERIFY(after.panels[2].cells.height() < 0.6 * after.panels[0].cells.height());
        QVERIFY(std::abs(after.panels[2].frame.right() - after.panels[1].frame.right()) < 2);
        nothing_leaves_or_overlaps(with_text, 360);
    }

    void curves_stand_beside_matrices() {
        Figure figure = composed({"head=1", "head=2"});
        figure.panels.push_back(curves_panel());
        figure.columns = 3;
        for (const double width : {320.0, 400.0}) {
            nothing_leaves_or_overlaps(figure, width);
            QVERIFY(has_room(figure, width));
            const FigureLayout layout = layout_of(figure, width);
            QVERIFY(layout.panels[2].plot.width() > 30 * unit);
            QVERIFY(layout.panels[2].plot.top() >= layout.panels[2].title.bottom() - 1e-6);
        }
        const QStringList texts = written(figure, 400);
        for (const char* text : {"steps", "cross-entropy", "additive", "dot", "Loss"})
            QVERIFY2(texts.contains(QString::fromLatin1(text)), text);
    }

    void a_bar_is_shared_by_neighbours_and_named() {
        const Figure figure = composed(
            {"head=1 range=fitted rows=2..4 share=a", "head=2 range=fitted share=a", "stage=scaled_scores"});
        const FigureLayout layout = layout_of(figure, 480);
        QVERIFY(layout.colour_bar.isEmpty());
        const QRectF shared = layout.panels[0].colour_bar;
        QCOMPARE(shared.left(), layout.panels[0].cells.left());
        QCOMPARE(shared.right(), layout.panels[1].cells.right());
        QVERIFY(layout.panels[1].colour_bar.isEmpty());
        QVERIFY(!layout.panels[2].colour_bar.isEmpty());
        const QStringList texts = written(figure, 480);
        QCOMPARE(texts.count(QStringLiteral("weights")), 1);
        QCOMPARE(texts.count(QStringLiteral("scaled scores")), 1);
    }

    void neighbours_that_count_the_same_have_one_title() {
        Figure figure = composed({"head=1", "head=2", "head=3"});
        figure.panels.push_back(curves_panel());
        figure.columns = 4;
        QCOMPARE(written(figure, 420).count(QStringLiteral("key (what is looked at)")), 1);
        const FigureLayout layout = layout_of(figure, 420);
        QCOMPARE(layout.panels[0].column_title.right(), layout.panels[2].cells.right());
    }

    void what_has_no_room_for_its_titles_is_refused() {
        const std::vector<std::string> panels{"head=1", "head=2 rows=1..7", "head=3 rows=1..6",
                                              "head=4 rows=1..5", "head=1 rows=1..4"};
        FigureOptions in_one_row;
        in_one_row.panel_columns = 5;
        const Figure figure = composed(panels, in_one_row);
        QVERIFY(!has_room(figure, 230));
        QVERIFY(has_room(figure, 900));
    }

    void numbers_beside_a_flat_chart_do_not_touch() {
        Chart chart;
        chart.lines = {{QStringLiteral("a"), {}, {{0, 0}, {100, 2.6}}}};
        chart.x = linear_axis(QStringLiteral("steps"), 100);
        chart.y = linear_axis(QStringLiteral("loss"), 2.6);
        TextRecorder recorder(QSize(300, 90));
        {
            QPainter painter(&recorder);
            QFont font;
            font.setPixelSize(12);
            paint_chart(painter, QRectF(0, 0, 300, 90), chart, chart_look_for_paper(font));
        }
        std::vector<double> levels;
        for (const PaintedText& each : recorder.texts())
            if (each.baseline.x() < 60 && each.text != QLatin1String("loss"))
                levels.push_back(each.baseline.y());
        QVERIFY(levels.size() >= 2);
        std::ranges::sort(levels);
        for (std::size_t i = 1; i < levels.size(); ++i)
            QVERIFY2(levels[i] - levels[i - 1] >= 10, qPrintable(QString::number(levels[i] - levels[i - 1])));
    }

    void one_scale_has_one_bar() {
        const FigureLayout layout = layout_of(composed({"head=1", "view=lines", "head=2"}), 360);
        QVERIFY(!layout.colour_bar.isEmpty());
        QVERIFY(layout.panels[0].colour_bar.isEmpty());
    }

    void letters_stand_outside_or_inside() {
        FigureOptions options;
        options.letters = true;
        options.letters_at = LetterPlace::outside;
        const std::vector<std::string> panels{"head=1 title=first", "view=lines title=second"};
        const Figure outside = composed(panels, options);
        nothing_leaves_or_overlaps(outside, 260);
        QVERIFY(written(outside, 260).contains(QStringLiteral("(b)")));
        QVERIFY(written(outside, 260).contains(QStringLiteral("second")));
        const FigureLayout layout = layout_of(outside, 260);
        QVERIFY(layout.panels[1].cells.left() - layout.panels[1].frame.left() > 8 * unit);
        options.letters_at = LetterPlace::inside;
        const QStringList inside = written(composed(panels, options), 260);
        QVERIFY(inside.contains(QStringLiteral("(a)")));
        QVERIFY2(inside.contains(QStringLiteral("(b) second")), "lines have no corner to spare");
    }

    void a_title_stands_once_over_neighbours() {
        const Figure figure = composed({"head=1 over=Encoder", "head=2 over=Encoder", "head=3"});
        const FigureLayout layout = layout_of(figure, 360);
        QCOMPARE(layout.titles_over.size(), std::size_t(1));
        const QRectF over = layout.titles_over.front().area;
        QCOMPARE(over.left(), layout.panels[0].frame.left());
        QCOMPARE(over.right(), layout.panels[1].frame.right());
        QVERIFY(over.bottom() <= layout.panels[0].title.top() + 1e-6);
        QCOMPARE(written(figure, 360).count(QStringLiteral("Encoder")), 1);
    }

    void arrows_and_texts_are_painted_on_the_cells() {
        const Figure plain = composed({"head=1 values=no"});
        const Figure noted = composed({"head=1 values=no note=\"2,6>7,2\""});
        const ExportOptions options = in_pixels(600);
        const QImage before = render_image(plain, options), after = render_image(noted, options);
        QCOMPARE(before.size(), after.size());
        // Nothing but the way of the arrow has changed, and the cell that it ends in has.
        const double scale = 300 / 72.0;
        const FigureLayout layout = layout_figure(drawn_in_width(noted, after.width() / scale),
                                                  QRectF(0, 0, after.width(), after.height()), scale);
        const QRectF cells = layout.panels.front().cells;
        const auto middle = [&](double row, double column) {
            return QPointF(cells.left() + cells.width() * (column - 0.5) / 8,
                           cells.top() + cells.height() * (row - 0.5) / 8);
        };
        const QRectF way = QRectF(middle(2, 6), middle(7, 2)).normalized().adjusted(-20, -20, 20, 20);
        int changed = 0;
        for (int y = 0; y < after.height(); ++y)
            for (int x = 0; x < after.width(); ++x)
                if (before.pixel(x, y) != after.pixel(x, y)) {
                    ++changed;
                    QVERIFY2(way.contains(QPointF(x, y)), qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
                }
        QVERIFY(changed > 200);
        const QPoint between = ((middle(2, 6) + middle(7, 2)) / 2).toPoint();
        QVERIFY(before.pixel(between) != after.pixel(between));
        QVERIFY(
            written(composed({"head=1 note=\"3,2 the bank\""}), 200).contains(QStringLiteral("the bank")));
    }

    void every_format_of_pictures_takes_it() {
        Figure figure = composed({"head=1 note=\"3,2 here\"", "view=lines", "view=steps steps=3,6 new-row"});
        for (const Exporter& exporter : exporters()) {
            if (exporter.format == ExportFormat::fods || exporter.format == ExportFormat::py)
                continue;  // are made of the session, not of the picture
            const QByteArray bytes = export_figure(figure, exporter, in_millimetres(120));
            QVERIFY2(bytes.size() > 100, qPrintable(QString::fromStdString(exporter.about)));
        }
        const QByteArray svg = export_figure(figure, ExportFormat::svg, in_millimetres(120));
        QVERIFY(svg.contains(">here<"));
    }
};

QTEST_MAIN(ComposedLayoutTest)

}  // namespace headlight::composed_layout_test

#include "composed_layout_test.moc"
