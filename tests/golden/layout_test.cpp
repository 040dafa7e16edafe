// Where things lie, without looking at pixels: nothing overlaps or leaves the area, and every point finds its
// cell.

#include "tests/golden/sample_figures.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "tests/ui/text_recorder.h"
#include "ui/render/head_lines.h"
#include "ui/render/paint_context.h"
#include "ui/render/painter.h"
#include "ui/render/typeface.h"

#include <QPainter>
#include <QTest>

#include <algorithm>
#include <set>

namespace headlight::layout_test {

using sample_figures::figure_of;
using sample_figures::themes;

namespace {

QString place(const std::optional<CellHit>& hit) {
    if (!hit)
        return QStringLiteral("outside");
    const auto index = [](const std::optional<Index>& i) {
        return i ? QString::number(*i) : QStringLiteral("-");
    };
    return QStringLiteral("%1: %2 %3").arg(hit->panel).arg(index(hit->row), index(hit->column));
}

constexpr ViewKind views[] = {ViewKind::stages, ViewKind::heatmap, ViewKind::grid, ViewKind::steps,
                              ViewKind::lines};

}  // namespace

class LayoutTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void a_title_of_a_difference_is_shortened_on_both_sides_of_the_sign() {
        const TextMeasure text(12, Face::bold);
        const QString left = QStringLiteral("the first of two long names"), minus = QStringLiteral(" − "),
                      right = QStringLiteral("the second of two long names");
        const QString whole = left + minus + right;
        QCOMPARE(text.elided(whole, text.width(whole) + 1), whole);
        for (const double share : {0.9, 0.6, 0.3}) {
            const QString shown = text.elided(whole, share * text.width(whole));
            QVERIFY2(text.width(shown) <= share * text.width(whole) + 0.01, qPrintable(shown));
            QCOMPARE(shown.count(minus), 1);
            // Where fewer than three letters of its end would be left, a side has its beginning alone.
            const bool has_end =
                shown.endsWith(QChar('s')) || (share < 0.5 && shown.endsWith(QStringLiteral("the s…")));
            QVERIFY2(shown.startsWith(QStringLiteral("the")) && has_end, qPrintable(shown));
        }
        // A short side keeps its letters: the room is the other's.
        const QString uneven = QStringLiteral("a − ") + right + right;
        QVERIFY(text.elided(uneven, 0.5 * text.width(uneven)).startsWith(QStringLiteral("a − the")));
    }

    void a_name_is_cut_behind_a_word_where_one_has_room() {
        const TextMeasure text(12, Face::regular);
        const QString whole = QStringLiteral("Scores with position bias");
        QCOMPARE(text.elided_at_word(whole, text.width(whole) + 1), whole);
        for (const char* shown : {"Scores with position…", "Scores with…", "Scores…"})
            QCOMPARE(text.elided_at_word(whole, text.width(QString::fromUtf8(shown)) + 1),
                     QString::fromUtf8(shown));
        const double less = text.width(QStringLiteral("Scor…"));
        QCOMPARE(text.elided_at_word(whole, less), text.elided(whole, less));
        // What a sum comes to keeps its sign.
        const QString sum = QStringLiteral("1.5 × 2 + 0.5 × 3 + 2 × 4 = 12.5");
        for (const char* shown : {"1.5 × 2 + 0.5 × 3… = 12.5", "1.5 × 2 + 0.5… = 12.5"})
            QCOMPARE(text.elided_at_word(sum, text.width(QString::fromUtf8(shown)) + 1),
                     QString::fromUtf8(shown));
    }

    void a_number_stays_on_the_line_of_its_word() {
        const TextMeasure text(12, Face::regular);
        const QString head = QStringLiteral("head 3 of 4");
        const QStringList lines = text.lines(head, text.width(QStringLiteral("head 3 of")) + 1, 2);
        QCOMPARE(lines, QStringList({QStringLiteral("head 3"), QStringLiteral("of 4")}));
        const QString narrow = QStringLiteral("head 3");
        QCOMPARE(text.lines(narrow, text.width(QStringLiteral("head")) + 1, 2),
                 QStringList({QStringLiteral("head"), QStringLiteral("3")}));
        QCOMPARE(text.lines(narrow, text.width(narrow) + 1, 2), QStringList{narrow});
        const QString size = QString::fromUtf8("exp(score), 15 × 15");
        QCOMPARE(text.lines(size, text.width(QString::fromUtf8("exp(score), 15 ×")) + 1, 2),
                 QStringList({QStringLiteral("exp(score),"), QString::fromUtf8("15 × 15")}));
    }

    void numbers_below_bars_stand_clear_of_each_other() {
        Figure figure;
        for (int at = 0; at < 6; ++at) {
            Panel panel;
            panel.title = "Statistic " + std::to_string(at);
            panel.rows = 6;
            panel.columns = 4;
            panel.values = std::vector<double>(24, 0.1 * at);
            panel.scale.low = 0.5 * at;
            panel.scale.high = 0.5 * at + (at % 2 ? 0.02 : 12.5);
            panel.scale.clips_high = at == 3;
            panel.column_axis.labels = {"1", "2", "3", "4"};
            panel.row_axis.labels = {"1", "2", "3", "4", "5", "6"};
            figure.panels.push_back(panel);
        }
        figure.columns = 3;
        for (const QSize size : {QSize(900, 600), QSize(420, 380), QSize(300, 300)}) {
            TextRecorder recorder(size);
            QPainter painter(&recorder);
            const QRectF area(QPointF(0, 0), QSizeF(size));
            const auto [unit, layout] = fit_layout(figure, area, 1);
            paint_figure(painter, figure, layout, unit);
            painter.end();
            for (std::size_t row = 0; row < 6; row += 3) {
                const QRectF bar = layout.panels[row].colour_bar;
                double last = -1e9;
                int ticks = 0;
                for (const PaintedText& each : recorder.texts()) {
                    // What is painted just below the row's bars, from left to right.
                    if (each.baseline.y() < bar.bottom() ||
                        each.baseline.y() > bar.bottom() + 1.3 * each.pixels ||
                        each.text.startsWith(QLatin1String("Statistic")))
                        continue;
                    const double width = TextMeasure(each.pixels, Face::regular).width(each.text);
                    QVERIFY2(each.baseline.x() > last,
                             qPrintable(QStringLiteral("%1 at %2").arg(each.text).arg(size.width())));
                    last = each.baseline.x() + width;
                    ++ticks;
                }
                QVERIFY(ticks >= 3);
            }
        }
    }

    void every_cell_is_hit_in_its_middle_and_at_its_corners_data() {
        QTest::addColumn<Figure>("figure");
        QTest::addColumn<QSizeF>("size");
        for (const QSizeF& size : {QSizeF(300, 260), QSizeF(900, 500), QSizeF(400, 1200)}) {
            const auto row = [&](const char* name, const Figure& figure) {
                QTest::addRow("%s %dx%d", name, int(size.width()), int(size.height())) << figure << size;
            };
            row("heatmap", figure_of(samples::sentence(), ViewKind::heatmap));
            row("grid", figure_of(samples::sentence(), ViewKind::grid));
            row("stages", figure_of(samples::sentence(), ViewKind::stages, FigureTheme::dark, "scores"));
            row("row sums", figure_of(samples::masked_out(), ViewKind::heatmap));
            row("wide", figure_of(samples::band(3, 40), ViewKind::heatmap));
        }
    }

    void every_cell_is_hit_in_its_middle_and_at_its_corners() {
        QFETCH(Figure, figure);
        QFETCH(QSizeF, size);
        const FigureLayout layout = layout_figure(figure, QRectF(QPointF(20, 10), size), 96.0 / 72);
        for (std::size_t i = 0; i < figure.panels.size(); ++i) {
            const Panel& panel = figure.panels[i];
            const QRectF cells = layout.panels[i].cells;
            if (panel.thumbnail)
                continue;
            const double width = cells.width() / double(panel.columns),
                         height = cells.height() / double(panel.rows);
            for (Index row = 0; row < panel.rows; ++row) {
                for (Index column = 0; column < panel.columns; ++column) {
                    const QPointF corner(cells.left() + double(column) * width,
                                         cells.top() + double(row) * height);
                    const QString expected = QStringLiteral("%1: %2 %3").arg(i).arg(row).arg(column);
                    for (const QPointF& inside :
                         {QPointF(0.5, 0.5), QPointF(0.01, 0.01), QPointF(0.99, 0.99)})
                        QCOMPARE(place(hit_test(figure, layout,
                                                corner + QPointF(inside.x() * width, inside.y() * height))),
                                 expected);
                }
            }
        }
    }

    void labels_titles_and_sums_are_hit_as_rows_columns_and_panels() {
        const Figure figure = figure_of(samples::masked_out(), ViewKind::heatmap);
        const FigureLayout layout = layout_figure(figure, QRectF(0, 0, 600, 400), 96.0 / 72);
        const PanelLayout& panel = layout.panels[0];
        const double row = panel.cells.height() / 4, column = panel.cells.width() / 6;
        const struct {
            QPointF point;
            const char* expected;
        } rows[] = {
            {{panel.row_label_area.center().x(), panel.cells.top() + 2.5 * row}, "0: 2 -"},
            {{panel.row_sums.center().x(), panel.cells.top() + 3.5 * row}, "0: 3 -"},
            {{panel.cells.left() + 4.5 * column, panel.column_label_area.center().y()}, "0: - 4"},
            {panel.title.center(), "0: - -"},
            {layout.title.topLeft(), "outside"},
            {layout.colour_bar.center(), "outside"},
            {{-5, -5}, "outside"},
        };
        for (const auto& [point, expected] : rows)
            QCOMPARE(place(hit_test(figure, layout, point)), QString::fromLatin1(expected));
    }

    void tokens_beside_lines_are_rows_and_columns() {
        const Figure figure = figure_of(samples::masked_out(), ViewKind::lines);
        const FigureLayout layout = layout_figure(figure, QRectF(0, 0, 500, 400), 96.0 / 72);
        const QRectF cells = layout.panels[0].cells;
        QCOMPARE(place(hit_test(figure, layout, {cells.left() - 8, cells.top() + 0.9 * cells.height()})),
                 QStringLiteral("0: 3 -"));
        QCOMPARE(place(hit_test(figure, layout, {cells.right() + 8, cells.top() + 0.9 * cells.height()})),
                 QStringLiteral("0: - 5"));
        QCOMPARE(place(hit_test(figure, layout, cells.topLeft() + QPointF(1, 1))), QStringLiteral("0: - -"));
    }

    void a_line_is_hit_as_that_of_its_head() {
        const Figure figure =
            figure_of(samples::sentence(), ViewKind::lines, FigureTheme::light, "weights", {3, 1});
        const FigureLayout layout = layout_figure(figure, QRectF(0, 0, 500, 400), 96.0 / 72);
        const PanelLayout& panel = layout.panels[0];
        QCOMPARE(layout.panels[1].cells, panel.cells);
        const std::span<const Panel> heads = panels_in_place(figure, figure.panels[0]);
        QCOMPARE(heads.size(), std::size_t(2));
        std::set<std::size_t> hit;
        for (const HeadLine& line : lines_in_place(heads)) {
            const QPointF begin = LinePlaces(heads, panel).path(line).pointAtPercent(0.01);
            const auto found = LinePlaces(heads, panel).nearest(begin);
            QVERIFY(found);
            // Many begin at one token, side by side only with those of other heads.
            QCOMPARE(found->head, line.head);
            QCOMPARE(found->cell.row, line.cell.row);
            const QString expected = QStringLiteral("%1: %2 %3").arg(found->head);
            QCOMPARE(place(hit_test(figure, layout, begin)),
                     expected.arg(found->cell.row).arg(found->cell.column));
            hit.insert(line.head);
        }
        QCOMPARE(hit.size(), std::size_t(2));
        QCOMPARE(place(hit_test(figure, layout, {panel.cells.left() - 8, panel.cells.top() + 2})),
                 QStringLiteral("0: 0 -"));
    }

    void the_legend_of_heads_stands_between_title_and_tokens_data() {
        QTest::addColumn<double>("width");
        for (const double width : {700.0, 400.0, 220.0, 150.0})
            QTest::addRow("%d wide", int(width)) << width;
    }
    void the_legend_of_heads_stands_between_title_and_tokens() {
        QFETCH(double, width);
        const Figure figure =
            figure_of(samples::sentence(), ViewKind::lines, FigureTheme::paper, "weights", {0, 1, 2, 3});
        const FigureLayout layout = layout_figure(figure, QRectF(0, 0, width, 500), 96.0 / 72);
        const PanelLayout& panel = layout.panels[0];
        QVERIFY(panel.legend.top() >= panel.title.bottom());
        QVERIFY(panel.legend.bottom() <= panel.row_title.top() + 1);
        TextRecorder recorder(QSize(int(width), 500));
        QPainter painter(&recorder);
        paint_figure(painter, figure, layout, 96.0 / 72);
        painter.end();
        const QString title = QString::fromStdString(figure.panels[0].title);
        for (const PaintedText& painted : recorder.texts())
            if (painted.text.size() > 8 && title.contains(painted.text))
                QVERIFY2(painted.baseline.y() <= panel.legend.top() + 1, qPrintable(painted.text));
        for (int head = 1; head <= 4; ++head) {
            const QString name = QStringLiteral("head %1").arg(head);
            const auto found = std::ranges::find(recorder.texts(), name, &PaintedText::text);
            QVERIFY2(found != recorder.texts().end(), qPrintable(name));
            QVERIFY(panel.legend.contains(found->baseline));
            QVERIFY(found->baseline.x() + TextMeasure(found->pixels, Face::regular).width(name) <=
                    panel.frame.right() + 1);
        }
    }

    void the_legend_of_a_text_stays_below_it_data() {
        QTest::addColumn<double>("width");
        for (const double width : {700.0, 400.0, 220.0})
            QTest::addRow("%d wide", int(width)) << width;
    }
    void the_legend_of_a_text_stays_below_it() {
        QFETCH(double, width);
        const Figure figure = figure_of(samples::sentence(), ViewKind::text);
        const FigureLayout layout = layout_figure(figure, QRectF(0, 0, width, 300), 96.0 / 72);
        const PanelLayout& panel = layout.panels[0];
        TextRecorder recorder(QSize(int(width), 300));
        QPainter painter(&recorder);
        paint_figure(painter, figure, layout, 96.0 / 72);
        painter.end();
        QList<QRectF> entries;
        for (const PaintedText& painted : recorder.texts())
            if (painted.text.startsWith(QLatin1String("looks at")) ||
                painted.text.startsWith(QLatin1String("is looked at"))) {
                const double size = painted.pixels;
                entries << QRectF(painted.baseline.x(), painted.baseline.y() - 0.7 * size,
                                  TextMeasure(size, Face::regular).width(painted.text), 0.7 * size);
            }
        QCOMPARE(entries.size(), 2);
        QVERIFY(!entries[0].intersects(entries[1]));
        for (const QRectF& entry : entries) {
            QVERIFY(panel.legend.adjusted(-1, 0, 1, 1).contains(entry));
            for (const QRectF& token : panel.tokens)
                QVERIFY(!token.intersects(entry));
        }
    }

    void the_page_of_a_text_stays_clear_of_its_legend() {
        Trace trace = samples::band(60, 60);
        trace.tokens.query = trace.tokens.key = std::vector<std::string>(60, "understanding");
        const Figure figure = figure_of(trace, ViewKind::text);
        for (const int width : {240, 300, 380}) {
            const FigureLayout layout = layout_figure(figure, QRectF(0, 0, width, 300), 96.0 / 72);
            QVERIFY(layout.panels[0].text_pages > 1);
            TextRecorder recorder(QSize(width, 300));
            QPainter painter(&recorder);
            paint_figure(painter, figure, layout, 96.0 / 72);
            painter.end();
            QList<QRectF> entries;
            for (const PaintedText& painted : recorder.texts())
                if (painted.text.startsWith(QLatin1String("page ")) ||
                    painted.baseline.y() > layout.panels[0].legend.top() + painted.pixels)
                    entries << QRectF(painted.baseline.x(), painted.baseline.y() - 0.7 * painted.pixels,
                                      TextMeasure(painted.pixels, Face::regular).width(painted.text),
                                      0.7 * painted.pixels);
            QVERIFY2(entries.size() > 1, qPrintable(QString::number(width)));
            for (qsizetype i = 0; i < entries.size(); ++i)
                for (qsizetype j = 0; j < i; ++j)
                    QVERIFY2(!entries[i].intersects(entries[j]), qPrintable(QString::number(width)));
        }
    }

    void names_under_thumbnails_keep_apart() {
        Figure figure = figure_of(samples::sentence(), ViewKind::stages);
        for (Panel& panel : figure.panels)
            panel.title = "A name that is too long for its place";
        for (const double width : {300.0, 480.0, 900.0}) {
            const FigureLayout layout = layout_figure(figure, QRectF(0, 0, width, 500), 96.0 / 72);
            for (std::size_t i = 0; i < figure.panels.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    if (figure.panels[i].thumbnail && figure.panels[j].thumbnail)
                        QVERIFY2(!layout.panels[i]
                                      .title.adjusted(0.5, 0.5, -0.5, -0.5)
                                      .intersects(layout.panels[j].title),
                                 qPrintable(QStringLiteral("%1 and %2, %3 wide").arg(i).arg(j).arg(width)));
        }
    }

    void thumbnails_are_hit_as_a_whole() {
        const Figure figure = figure_of(samples::sentence(), ViewKind::stages);
        const FigureLayout layout = layout_figure(figure, QRectF(0, 0, 1000, 600), 96.0 / 72);
        QCOMPARE(place(hit_test(figure, layout, layout.panels[2].cells.center())), QStringLiteral("2: - -"));
        QCOMPARE(place(hit_test(figure, layout, layout.panels[2].title.center())), QStringLiteral("2: - -"));
    }

    void parts_stay_inside_and_apart_data() {
        QTest::addColumn<Figure>("figure");
        QTest::addColumn<QSizeF>("size");
        QTest::addColumn<double>("unit");
        for (const FigureTheme theme : themes) {
            for (const ViewKind view : views) {
                const Figure figure = figure_of(samples::sentence(), view, theme, "context");
                const QSizeF natural = natural_size(figure);
                const auto row = [&](const char* name, const QSizeF& size, double unit) {
                    QTest::addRow("view %s theme %d %s", qPrintable(QString::fromUtf8(view.word())),
                                  int(theme), name)
                        << figure << size << unit;
                };
                row("natural", natural, 1);
                row("on a screen", natural * 96 / 72, 96.0 / 72);
                row("wide", QSizeF(2 * natural.width(), natural.height()), 1);
                row("narrower", QSizeF(0.8 * natural.width(), natural_height(figure, 0.8 * natural.width())),
                    1);
            }
        }
    }

    void parts_stay_inside_and_apart() {
        QFETCH(Figure, figure);
        QFETCH(QSizeF, size);
        QFETCH(double, unit);
        const QRectF area(QPointF(), size);
        const FigureLayout layout = layout_figure(figure, area, unit);
        const QRectF roomy = area.adjusted(-0.5, -0.5, 0.5, 0.5);
        QList<QRectF> parts{layout.title, layout.colour_bar, layout.caption};
        for (const PanelLayout& panel : layout.panels)
            parts += panel.frame;
        for (qsizetype i = 0; i < parts.size(); ++i) {
            QVERIFY2(parts[i].isEmpty() || roomy.contains(parts[i]), qPrintable(QString::number(i)));
            for (qsizetype j = 0; j < i; ++j) {
                const QRectF common = parts[i] & parts[j];
                QVERIFY2(std::min(common.width(), common.height()) < 0.5,
                         qPrintable(QStringLiteral("%1 %2").arg(i).arg(j)));
            }
        }
        for (const PanelLayout& panel : layout.panels) {
            QVERIFY(panel.frame.adjusted(-0.5, -0.5, 0.5, 0.5).contains(panel.cells));
            QVERIFY(!panel.row_label_area.intersects(panel.cells));
            QVERIFY(!panel.column_label_area.intersects(panel.cells));
        }
    }

    void lines_between_cells_are_equally_wide() {
        Figure figure = figure_of(samples::band(11, 11), ViewKind::heatmap, FigureTheme::paper);
        Panel& panel = figure.panels.front();
        panel.values_in_cells = false;
        panel.forbidden.clear();
        panel.values = std::vector<double>(panel.values.size(), 0.5);
        for (const double dpi : {96, 150, 220, 300, 600}) {
            const double unit = dpi / 72;
            QImage image(QSizeF(241 * unit, 260 * unit).toSize(), QImage::Format_RGB32);
            image.fill(Qt::white);
            const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), image.size()), unit);
            QPainter painter(&image);
            paint_figure(painter, figure, layout, unit);
            painter.end();
            const QRectF cells = layout.panels[0].cells;
            const double side = cells.width() / 11;
            QList<int> widths;
            const int y = int(cells.top() + 0.5 * side);
            for (int x = int(cells.left() + 0.5 * side); x < int(cells.right() - 0.5 * side); ++x) {
                if (image.pixel(x, y) != qRgb(255, 255, 255))
                    continue;
                if (image.pixel(x - 1, y) != qRgb(255, 255, 255))
                    widths += 0;
                ++widths.last();
            }
            QCOMPARE(widths, QList<int>(10, std::max(1, qRound(0.4 * unit))));
        }
    }

    void large_cells_end_where_the_lines_between_them_are() {
        Figure figure = figure_of(samples::band(4, 4), ViewKind::heatmap, FigureTheme::paper);
        Panel& panel = figure.panels.front();
        panel.values_in_cells = false;
        panel.forbidden.clear();
        std::vector<double> values(panel.values.size());
        for (std::size_t at = 0; at < values.size(); ++at)
            values[at] = (at / 4 + at) % 2 == 0 ? 0 : 1;
        panel.values = values;
        for (const CellDrawing drawing : {CellDrawing::one_image, CellDrawing::device_pixels}) {
            QImage image(3000, 3000, QImage::Format_RGB32);
            image.fill(Qt::white);
            const double unit = 12;
            const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), image.size()), unit);
            QPainter painter(&image);
            paint_figure(painter, figure, layout, unit, {.cells = drawing});
            painter.end();
            const QRectF cells = layout.panels[0].cells;
            const double width = cells.width() / 4, height = cells.height() / 4;
            const int line = 5;  // from its middle
            for (int cell = 0; cell < 4; ++cell) {
                const QPointF middle = cells.topLeft() + QPointF((cell + 0.5) * width, (cell + 0.5) * height);
                const QRgb colour = image.pixel(middle.toPoint());
                for (const double side : {-1.0, 1.0}) {
                    const QPointF right_left(side * (0.5 * width - line), 0),
                        down_up(0, side * (0.5 * height - line));
                    QCOMPARE(image.pixel((middle + right_left).toPoint()), colour);
                    QCOMPARE(image.pixel((middle + down_up).toPoint()), colour);
                }
            }
        }
    }

    void rows_of_a_product_lie_level() {
        const Figure figure = figure_of(samples::sentence(), ViewKind::stages, FigureTheme::light, "scores");
        const FigureLayout layout = layout_figure(figure, QRectF(0, 0, 1000, 600), 96.0 / 72);
        const std::size_t last = figure.panels.size() - 1;
        QCOMPARE(layout.panels[last - 2].cells.top(), layout.panels[last].cells.top());
        QCOMPARE(layout.panels[last - 2].cells.height(), layout.panels[last].cells.height());
        QCOMPARE(layout.panels[last - 1].cells.width(), layout.panels[last].cells.width());
    }

    void a_bright_cell_survives_any_size() {
        const Figure figure = figure_of(samples::band(400, 400), ViewKind::heatmap);
        for (const int size : {120, 200, 333, 500}) {
            QImage image(size, size, QImage::Format_RGB32);
            const double unit = 0.5;
            const FigureLayout layout = layout_figure(figure, QRectF(0, 0, size, size), unit);
            QPainter painter(&image);
            paint_figure(painter, figure, layout, unit);
            painter.end();
            int bright = 0;
            const QRect cells = layout.panels[0].cells.toRect();
            for (int y = cells.top(); y <= cells.bottom(); ++y)
                for (int x = cells.left(); x <= cells.right(); ++x)
                    bright += image.pixel(x, y) == qRgb(253, 231, 37);
            QVERIFY2(bright >= 1, qPrintable(QString::number(size)));
        }
    }

    void tiny_areas_and_empty_figures_are_survived() {
        QImage image(40, 40, QImage::Format_RGB32);
        for (const ViewKind view : views) {
            for (const double size : {0.0, 1.0, 40.0}) {
                const Figure figure = figure_of(samples::sentence(), view);
                QPainter painter(&image);
                paint_figure(painter, figure, layout_figure(figure, QRectF(0, 0, size, size), 1), 1);
            }
        }
        QPainter painter(&image);
        paint_figure(painter, Figure(), layout_figure(Figure(), QRectF(0, 0, 40, 40), 1), 1);
        Figure hollow;
        hollow.panels.resize(2);
        paint_figure(painter, hollow, layout_figure(hollow, QRectF(0, 0, 40, 40), 1), 1);
        QVERIFY(!natural_size(Figure()).isNull());
    }
};

QTEST_MAIN(LayoutTest)

}  // namespace headlight::layout_test

#include "layout_test.moc"
