// Where things lie, without looking at pixels: nothing overlaps or leaves the area, and every point finds its
// cell.

#include "tests/golden/sample_figures.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "tests/ui/text_recorder.h"
#include "ui/render/head_lines.h"
#include "ui/render/painter.h"
#include "ui/render/typeface.h"

#include <QPainter>
#include <QTest>

#include <algorithm>
#include <cmath>
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

    /// A bar that is narrower than its three numbers, with labels on its left and a sign on its right.
    void a_narrow_bar_on_a_screen_has_its_zero() {
        Figure figure;
        for (const Index columns : {1, 6, 6}) {
            Panel panel;
            panel.title = "Part";
            panel.rows = 12;
            panel.columns = columns;
            panel.values = std::vector<double>(static_cast<std::size_t>(12 * columns), 0.5);
            panel.scale = {.map = "diverging", .low = -1.44, .high = 1.44};
            panel.row_axis.labels.assign(12, "street");
            panel.column_axis.labels.assign(static_cast<std::size_t>(columns), "it");
            if (!figure.panels.empty())
                panel.operator_before = figure.panels.size() == 1 ? "×" : "=";
            figure.panels.push_back(panel);
        }
        figure.panels.back().scale.high = 2.08;
        figure.panels.back().scale.low = -2.08;
        figure.columns = 3;
        figure.theme = FigureTheme::projector;
        figure.uses_height = true;
        int narrow = 0;
        for (int height = 270; height <= 350; height += 10) {
            const QRectF area(0, 0, 1250, height);
            const FigureLayout layout = layout_figure(figure, area, 96.0 / 72);
            TextRecorder recorder(area.size().toSize());
            QPainter painter(&recorder);
            paint_figure(painter, figure, layout, 96.0 / 72);
            painter.end();
            const QRectF bar = layout.panels[0].colour_bar;
            narrow += bar.width() < 80;
            QStringList numbers;
            double last = -1e9;
            for (const PaintedText& each : recorder.texts()) {
                if (each.baseline.y() < bar.bottom())
                    continue;
                const QRectF place = each.area.boundingRect();
                QVERIFY2(place.left() > last, qPrintable(each.text));
                last = place.right();
                numbers += each.text;
            }
            QVERIFY2(numbers.value(1) == QStringLiteral("0"), qPrintable(numbers.join(u' ')));
        }
        QVERIFY(narrow > 0);
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

    void rows_of_a_product_lie_level() {
        const Figure figure = figure_of(samples::sentence(), ViewKind::stages, FigureTheme::light, "scores");
        const FigureLayout layout = layout_figure(figure, QRectF(0, 0, 1000, 600), 96.0 / 72);
        const std::size_t last = figure.panels.size() - 1;
        QCOMPARE(layout.panels[last - 2].cells.top(), layout.panels[last].cells.top());
        QCOMPARE(layout.panels[last - 2].cells.height(), layout.panels[last].cells.height());
        QCOMPARE(layout.panels[last - 1].cells.width(), layout.panels[last].cells.width());
    }

    void text_grows_with_the_cells_data() {
        QTest::addColumn<Figure>("figure");
        QTest::addColumn<bool>("grows");
        const auto small = [](FigureTheme theme, ViewKind view = ViewKind::heatmap) {
            return figure_of(samples::band(3, 3), view, theme);
        };
        for (const FigureTheme theme : {FigureTheme::light, FigureTheme::dark, FigureTheme::projector})
            QTest::addRow("three words, theme %d", int(theme)) << small(theme) << true;
        QTest::newRow("lines of three words") << small(FigureTheme::light, ViewKind::lines) << true;
        QTest::newRow("on paper") << small(FigureTheme::paper) << false;
        QTest::newRow("many words") << figure_of(samples::band(30, 30), ViewKind::heatmap) << false;
        Figure chosen = small(FigureTheme::light);
        chosen.type.size = 10;
        QTest::newRow("of a size that somebody chose") << chosen << false;
    }
    void text_grows_with_the_cells() {
        QFETCH(Figure, figure);
        QFETCH(bool, grows);
        constexpr double unit = 96.0 / 72, largest = 28, of_a_class = 18;
        const FittedLayout fitted = fit_layout(figure, QRectF(0, 0, 1100, 820), unit);
        QCOMPARE(fitted.unit > unit, grows);
        if (!grows)
            return;
        const PanelLayout& place = fitted.layout.panels[0];
        const double cell = place.cells.height() / static_cast<double>(figure.panels[0].rows);
        QVERIFY2(place.label_size >= of_a_class && place.label_size <= 0.2 * cell + 1,
                 qPrintable(QString::number(place.label_size)));
        TextRecorder recorder(QSize(1100, 820));
        QPainter painter(&recorder);
        paint_figure(painter, figure, fitted.layout, fitted.unit);
        painter.end();
        for (const PaintedText& each : recorder.texts())
            QVERIFY2(each.pixels >= of_a_class - 3 && each.pixels <= largest,
                     qPrintable(QStringLiteral("%1: %2").arg(each.text).arg(each.pixels)));
    }

    /// Two matrices side by side are as wide as the area; their cells take what is left of its height.
    void a_row_of_matrices_uses_the_height_on_a_screen() {
        Figure figure = figure_of(samples::sentence(), ViewKind::stages);
        std::erase_if(figure.panels, [](const Panel& panel) { return panel.thumbnail; });
        const QRectF area(0, 0, 813, 590);
        const auto heights = [&] {
            const FittedLayout fitted = fit_layout(figure, area, 96.0 / 72);
            double least = area.height(), widest = 0;
            for (const PanelLayout& place : fitted.layout.panels) {
                least = std::min(least, place.cells.height());
                widest = std::max(widest, place.cells.right());
            }
            return std::pair(least, widest);
        };
        const auto [in_print, print_right] = heights();
        figure.uses_height = true;
        const auto [on_screen, screen_right] = heights();
        QVERIFY2(on_screen > 1.2 * in_print,
                 qPrintable(QStringLiteral("%1 %2").arg(on_screen).arg(in_print)));
        QVERIFY(on_screen <= 1.5 * in_print + 1 && screen_right <= area.right());
    }

    /// Where the height decides how large they are, the words of their columns take what is left of the
    /// width.
    void a_low_row_of_matrices_uses_the_width_on_a_screen() {
        Figure figure = figure_of(samples::sentence(), ViewKind::stages);
        std::erase_if(figure.panels, [](const Panel& panel) { return panel.thumbnail; });
        const auto strides = [&figure](const QRectF& area) {
            int sum = 0;
            for (const PanelLayout& place : layout_figure(figure, area, 96.0 / 72).panels)
                sum += place.cells.right() <= area.right() ? place.column_stride : 1000;
            return sum;
        };
        bool has_more_words = false;
        for (int height = 150; height < 400 && !has_more_words; height += 5) {
            const QRectF area(0, 0, 1200, height);
            figure.uses_height = false;
            const int in_print = strides(area);
            figure.uses_height = true;
            has_more_words = strides(area) < in_print;
        }
        QVERIFY(has_more_words);
    }

    /// A projector's type needs 19 pixels a word: cells of 10 to 12 are twice as wide.
    void a_low_row_of_matrices_names_each_column_on_a_projector() {
        Figure figure;
        for (const char* joined : {"", "exp\n→"}) {
            Panel panel;
            panel.title = "Scores";
            panel.rows = panel.columns = 12;
            panel.values = std::vector<double>(144, 0.5);
            panel.scale.high = figure.panels.empty() ? 2 : 1;
            panel.row_axis.labels.assign(12, "street");
            panel.column_axis.labels.assign(12, "street");
            panel.operator_before = joined;
            figure.panels.push_back(panel);
        }
        figure.columns = 2;
        figure.theme = FigureTheme::projector;
        figure.uses_height = true;
        int seen = 0;
        for (double height = 300; height <= 420; height += 5) {
            const QRectF area(0, 0, 1250, height);
            const FigureLayout layout = layout_figure(figure, area, 96.0 / 72);
            const PanelLayout& last = layout.panels.back();
            if (const double cell = last.cells.height() / 12; cell < 10 || cell > 12)
                continue;
            ++seen;
            QVERIFY2(last.column_stride == 1, qPrintable(QString::number(height)));
            QVERIFY(last.frame.right() <= area.right() + 0.5);
        }
        QVERIFY(seen > 0);
    }

    /// A class reads the words: titles share their lines before every second word is left out.
    void each_of_twelve_words_is_named_on_a_projector() {
        const std::vector<std::string> words{"The",    "animal",  "did", "n't", "cross", "the",
                                             "street", "because", "it",  "was", "too",   "tired"};
        const auto panel = [](const char* title, const AxisLabels& rows, Index row_count,
                              const AxisLabels& columns, Index column_count) {
            Panel made;
            made.title = title;
            made.subtitle = std::to_string(row_count) + " × " + std::to_string(column_count);
            made.rows = row_count;
            made.columns = column_count;
            made.values = std::vector<double>(static_cast<std::size_t>(row_count * column_count), 0.5);
            made.row_axis = rows;
            made.column_axis = columns;
            return made;
        };
        AxisLabels query, key, feature;
        query.title = "query";
        key.title = "key";
        feature.title = "feature";
        query.labels = key.labels = words;
        Figure figure;
        figure.title = "Multi-head attention";
        figure.subtitle = "head 1 of 3";
        figure.caption = "Query and Key share a colour scale.";
        figure.panels = {panel("Query", query, 12, feature, 1), panel("Keyᵀ", feature, 1, key, 12),
                         panel("Scores", query, 12, key, 12)};
        figure.panels[1].transposed = true;
        figure.panels[1].operator_before = "×";
        figure.panels[2].operator_before = "=";
        figure.panels[2].scale.high = 2;
        figure.columns = 3;
        figure.theme = FigureTheme::projector;
        figure.uses_height = true;
        for (const QSize size : {QSize(1250, 496), QSize(1250, 520), QSize(1004, 540)}) {
            const QRectF area(QPointF(0, 0), QSizeF(size));
            const FigureLayout layout = layout_figure(figure, area, 96.0 / 72);
            for (const PanelLayout& place : layout.panels) {
                QCOMPARE(place.row_stride, 1);
                QCOMPARE(place.column_stride, 1);
                QVERIFY(area.adjusted(-0.5, -0.5, 0.5, 0.5).contains(place.frame));
            }
            TextRecorder recorder(size);
            QPainter painter(&recorder);
            paint_figure(painter, figure, layout, 96.0 / 72);
            painter.end();
            const std::vector<PaintedText>& texts = recorder.texts();
            for (auto each = texts.begin(); each != texts.end(); ++each) {
                QVERIFY2(each->pixels >= 18, qPrintable(each->text));
                for (auto other = std::next(each); other != texts.end(); ++other)
                    QVERIFY2(!each->area.intersects(other->area),
                             qPrintable(each->text + QStringLiteral(" over ") + other->text));
            }
            for (const char* text :
                 {"Multi-head attention", "head 1 of 3", "12 × 12", "key", "because", "tired"})
                QVERIFY2(std::ranges::count(texts, QString::fromUtf8(text), &PaintedText::text) > 0, text);
        }
        // With more room each text has its line again.
        const FigureLayout large = layout_figure(figure, QRectF(0, 0, 1600, 800), 96.0 / 72);
        QVERIFY(!large.panels[2].subtitle_beside && !large.panels[2].column_title_beside);
    }

    /// Cells are square as long as nothing speaks against it: numbers do, where there is room beside the map.
    void cells_are_wider_on_a_screen_where_their_numbers_have_no_room_else() {
        Figure figure = figure_of(samples::band(7, 7), ViewKind::heatmap, FigureTheme::projector);
        const QRectF area(0, 0, 960, 480);
        int more = 0;
        for (double height = 300; height <= 480; height += 10) {
            const auto place = [&] {
                return layout_figure(figure, QRectF(0, 0, area.width(), height), 96.0 / 72).panels[0];
            };
            figure.uses_height = false;
            const PanelLayout in_print = place();
            figure.uses_height = true;
            const PanelLayout on_screen = place();
            const double cell = on_screen.cells.height() / 7, wide = on_screen.cells.width() / 7;
            QVERIFY2(on_screen.values || cell < 25, qPrintable(QString::number(height)));
            more += on_screen.values && !in_print.values;
            QVERIFY(wide <= 2.001 * cell && on_screen.frame.right() <= area.right());
            QVERIFY(on_screen.cells.height() >= 0.96 * in_print.cells.height());
            if (in_print.values)  // they had room
                QVERIFY(std::abs(wide - cell) < 0.01);
        }
        QVERIFY(more > 0);
    }

    /// Between pictures of a lesson a map has a few pixels more or less: its numbers stay the same.
    void decimals_do_not_follow_the_size_of_cells_on_a_screen() {
        for (const auto& [theme, counts] : {std::pair(FigureTheme::projector, std::set<int>{2}),
                                            std::pair(FigureTheme::light, std::set<int>{2, 4}),
                                            std::pair(FigureTheme::dark, std::set<int>{2, 4})}) {
            Figure figure = figure_of(samples::band(6, 6), ViewKind::heatmap, theme);
            figure.uses_height = true;
            std::set<int> seen;
            for (int side = 200; side <= 760; side += 4) {
                const FittedLayout fitted = fit_layout(figure, QRectF(0, 0, side + 100, side), 96.0 / 72);
                if (const PanelLayout& place = fitted.layout.panels[0]; place.values)
                    seen.insert(place.value_decimals);
            }
            QVERIFY2(seen == counts, qPrintable(QString::number(int(theme))));
        }
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
