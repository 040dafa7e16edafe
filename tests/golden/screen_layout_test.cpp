// Where things lie on screens and projectors: type grows with the cells, and rows of matrices use the height
// and the width.

#include "tests/golden/sample_figures.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "tests/ui/text_recorder.h"
#include "ui/render/painter.h"

#include <QPainter>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace headlight::screen_layout_test {

using sample_figures::figure_of;

class ScreenLayoutTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

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

    void text_grows_with_the_cells_data() {
        QTest::addColumn<Figure>("figure");
        QTest::addColumn<bool>("grows");
        const auto small = [](FigureTheme theme, ViewKind view = ViewKind::heatmap) {
            return figure_of(samples::band(3, 3), view, theme);
        };
        for (const FigureTheme theme :
             {FigureTheme::light, FigureTheme::dark, FigureTheme::projector, FigureTheme::contrast})
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
};

QTEST_MAIN(ScreenLayoutTest)

}  // namespace headlight::screen_layout_test

#include "screen_layout_test.moc"
