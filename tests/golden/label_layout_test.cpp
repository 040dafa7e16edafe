// Labels of rows and columns, without looking at pixels: which are drawn, how large, and whether they are
// whole where there is room.

#include "core/figure/panel_part.h"
#include "tests/golden/sample_figures.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "tests/ui/text_recorder.h"
#include "ui/render/label_plan.h"
#include "ui/render/painter.h"
#include "ui/render/typeface.h"

#include <QPainter>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace headlight::label_layout_test {

using sample_figures::figure_of;
using sample_figures::themes;

class LabelLayoutTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void labels_thin_out_instead_of_overlapping() {
        for (const Index size : {8, 64, 512}) {
            const Figure figure = figure_of(samples::band(size, size), ViewKind::heatmap);
            const PanelLayout panel = layout_figure(figure, QRectF(0, 0, 700, 500), 96.0 / 72).panels[0];
            QVERIFY(panel.row_stride * panel.cells.height() / double(size) >= panel.label_size);
            QVERIFY(panel.column_stride * panel.cells.width() / double(size) >= panel.label_size);
            QCOMPARE(panel.values, size == 8);
        }
    }

    void a_dotted_underline_is_explained_where_one_is_drawn() {
        Figure figure = figure_of(samples::band(64, 64), ViewKind::heatmap);
        Panel& panel = figure.panels.front();
        panel.selected_row.reset();
        panel.selected_column.reset();
        const std::string unknown = "Dotted underline: not in the word vectors.";
        figure.caption = "Σ: row sums.  " + unknown;
        const auto said = [&](Index marked, double side) {
            for (AxisLabels* axis : {&panel.row_axis, &panel.column_axis}) {
                axis->labels.assign(64, "word");
                axis->marked.assign(64, false);
                axis->marked[static_cast<std::size_t>(marked)] = true;
            }
            return drawn_caption(figure, layout_figure(figure, QRectF(0, 0, side, side), 1));
        };
        QCOMPARE(said(1, 2000), figure.caption);
        QCOMPARE(said(0, 300), figure.caption);  // the first one stays
        QCOMPARE(said(1, 300), std::string("Σ: row sums."));
    }

    void emoji_stay_upright_in_turned_labels() {
        Figure figure = figure_of(samples::band(12, 12), ViewKind::heatmap);
        figure.panels.front().column_axis.labels.assign(12, "␣😀");
        const QSize size(300, 220);
        const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), QSizeF(size)), 96.0 / 72);
        QVERIFY(layout.panels[0].column_angle > 0);
        TextRecorder recorder(size);
        QPainter painter(&recorder);
        paint_figure(painter, figure, layout, 96.0 / 72);
        painter.end();
        int upright = 0, turned = 0;
        QPointF below;
        for (const PaintedText& text : recorder.texts()) {
            const bool is_level = std::abs(text.area[0].y() - text.area[1].y()) < 0.01;
            if (text.text == QStringLiteral("␣")) {
                QVERIFY(!is_level);
                below = text.baseline;
                ++turned;
            } else if (text.text == QStringLiteral("😀")) {
                QVERIFY(is_level);
                QVERIFY(text.baseline.y() < below.y());  // it comes after the sign, upwards
                ++upright;
            }
        }
        QVERIFY(turned > 0);
        QCOMPARE(upright, turned);
    }

    void single_characters_stand_upright_data() {
        QTest::addColumn<bool>("has_word");
        QTest::addColumn<bool>("is_selected");
        QTest::newRow("characters") << false << false;
        QTest::newRow("characters and a word") << true << false;
        QTest::newRow("one selected") << false << true;
        QTest::newRow("one selected beside a word") << true << true;
    }
    void single_characters_stand_upright() {
        QFETCH(bool, has_word);
        QFETCH(bool, is_selected);
        Figure figure = figure_of(samples::band(16, 16), ViewKind::heatmap, FigureTheme::paper);
        AxisLabels& columns = figure.panels.front().column_axis;
        for (std::size_t at = 0; at < columns.labels.size(); ++at)
            columns.labels[at] = std::string(1, static_cast<char>('K' + at));
        if (has_word)
            columns.labels.front() = "</s>";
        if (is_selected)  // by no round number: others that stand too near give way
            figure.panels.front().selected_column = 5;
        for (int width = 110; width <= 300; width += 10) {
            const double unit = 4;
            const QRectF area(0, 0, unit * width, unit * natural_height(figure, width));
            const FigureLayout layout = layout_figure(figure, area, unit);
            TextRecorder recorder(area.size().toSize());
            QPainter painter(&recorder);
            paint_figure(painter, figure, layout, unit);
            painter.end();
            const PanelLayout& place = layout.panels.front();
            QVERIFY(has_word || place.column_angle == 0);
            if (place.column_angle == 45)
                continue;  // as the word beside them
            QList<QRectF> upright;
            for (const PaintedText& text : recorder.texts()) {
                if (text.text.size() != 1 ||
                    !place.column_label_area.adjusted(-9, -9, 9, 9).contains(text.baseline))
                    continue;
                QVERIFY2(std::abs(text.area[0].y() - text.area[1].y()) < 0.01, qPrintable(text.text));
                QVERIFY(text.area.boundingRect().bottom() <= place.cells.top());
                for (const QRectF& other : upright)
                    QVERIFY2(!other.intersects(text.area.boundingRect()), qPrintable(text.text));
                upright += text.area.boundingRect();
            }
            QVERIFY2(upright.size() > (is_selected ? 0 : 2), qPrintable(QString::number(width)));
        }
    }

    void one_long_word_leaves_the_matrix_its_room() {
        Figure figure = figure_of(samples::band(6, 6), ViewKind::heatmap, FigureTheme::paper);
        figure.panels.front().column_axis.labels.front() = "Donaudampfschifffahrtsgesellschaftskapitän";
        for (const double width : {115.0, 142.0, 240.0}) {
            const FigureLayout layout =
                layout_figure(figure, QRectF(0, 0, 4 * width, 4 * natural_height(figure, width)), 4);
            const PanelLayout& place = layout.panels.front();
            QVERIFY2(place.column_label_area.height() <= 0.36 * layout.area.width(),
                     qPrintable(QString::number(width)));
        }
    }

    void no_label_is_left_out_where_it_has_room() {
        constexpr double enough = 1.05;  // ems from one baseline to the next
        for (const FigureTheme theme : themes) {
            const Figure figure = figure_of(samples::band(15, 15), ViewKind::heatmap, theme);
            for (double height = 150; height < 600; height += 2) {
                const PanelLayout panel =
                    layout_figure(figure, QRectF(0, 0, 900, height), 96.0 / 72).panels[0];
                const double pitch = panel.cells.height() / 15;
                QVERIFY2((panel.row_stride == 1) == (pitch >= enough * panel.label_size),
                         qPrintable(QString::number(height)));
            }
        }
    }

    void a_selected_token_is_named_wherever_it_is() {
        Figure figure = figure_of(samples::band(30, 30), ViewKind::heatmap);
        Panel& panel = figure.panels.front();
        panel.row_axis.labels.clear();
        panel.column_axis.labels.clear();
        for (int i = 10; i < 40; ++i)
            panel.row_axis.labels.push_back("row" + std::to_string(i));
        for (int i = 10; i < 40; ++i)
            panel.column_axis.labels.push_back("key" + std::to_string(i));
        const QSize size(400, 300);
        for (Index at = 0; at < 30; ++at) {
            panel.selected_row = at;
            panel.selected_column = 29 - at;
            const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), QSizeF(size)), 96.0 / 72);
            QVERIFY(layout.panels[0].row_stride > 1 && layout.panels[0].column_stride > 1);
            TextRecorder recorder(size);
            QPainter painter(&recorder);
            paint_figure(painter, figure, layout, 96.0 / 72);
            painter.end();
            QList<PaintedText> labels;
            for (const PaintedText& text : recorder.texts())
                if (text.text.startsWith(QLatin1String("row")) || text.text.startsWith(QLatin1String("key")))
                    labels << text;
            for (const std::string& wanted :
                 {panel.row_axis.labels[std::size_t(at)], panel.column_axis.labels[std::size_t(29 - at)]})
                QVERIFY2(std::ranges::count(labels, QString::fromStdString(wanted), &PaintedText::text) == 1,
                         wanted.c_str());
            for (qsizetype i = 0; i < labels.size(); ++i)
                for (qsizetype j = 0; j < i; ++j) {
                    const QRectF both = labels[i].area.boundingRect() & labels[j].area.boundingRect();
                    QVERIFY2(both.width() < 1 || both.height() < 1,
                             qPrintable(labels[i].text + u' ' + labels[j].text));
                }
        }
    }

    /// The stride is a round number: often there is room nearer to the selected one.
    void numbers_beside_a_selected_one_stay_where_they_have_room() {
        Figure figure = figure_of(samples::band(160, 160), ViewKind::heatmap);
        Panel& panel = figure.panels.front();
        panel.row_axis.labels.clear();
        panel.column_axis.labels.clear();
        panel.selected_row = panel.selected_column = 0;
        int seen = 0;
        for (int side = 140; side <= 600; side += 20) {
            const QSize size(side, side);
            const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), QSizeF(size)), 96.0 / 72);
            const PanelLayout& place = layout.panels[0];
            TextRecorder recorder(size);
            QPainter painter(&recorder);
            paint_figure(painter, figure, layout, 96.0 / 72);
            painter.end();
            // From 1, which is selected, to the stride are fewer columns than the stride.
            const auto drawn = std::ranges::count_if(recorder.texts(), [&place](const PaintedText& each) {
                return each.text == QString::number(place.column_stride) &&
                       each.baseline.y() < place.cells.top();
            });
            if (place.column_stride > 2 && place.column_stride <= panel.columns &&
                place.column_apart < place.column_stride) {
                QVERIFY2(drawn >= 1, qPrintable(QString::number(side)));
                ++seen;
            }
        }
        QVERIFY(seen > 0);
    }

    void lines_name_their_first_and_last_word_in_even_steps_data() {
        QTest::addColumn<Index>("tokens");
        QTest::addColumn<int>("height");
        for (const Index tokens : {5, 12, 13, 20, 31, 40})
            for (const int height : {260, 420, 640})
                QTest::addRow("%td in %d", std::ptrdiff_t(tokens), height) << tokens << height;
    }
    void lines_name_their_first_and_last_word_in_even_steps() {
        QFETCH(Index, tokens);
        QFETCH(int, height);
        Figure figure = figure_of(samples::band(tokens, tokens), ViewKind::lines, FigureTheme::projector);
        Panel& panel = figure.panels.front();
        panel.selected_row.reset();
        panel.selected_column.reset();
        panel.row_axis.labels.clear();
        for (Index i = 0; i < tokens; ++i)
            panel.row_axis.labels.push_back("w" + std::to_string(i));
        panel.column_axis.labels = panel.row_axis.labels;
        const QSize size(900, height);
        const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), QSizeF(size)), 96.0 / 72);
        TextRecorder recorder(size);
        QPainter painter(&recorder);
        paint_figure(painter, figure, layout, 96.0 / 72);
        painter.end();
        const QRectF& side = layout.panels[0].row_label_area;
        std::vector<Index> named;
        double bottom = -1000;  // of the label before
        for (const PaintedText& each : recorder.texts()) {
            bool is_label = false;
            const Index token = each.text.mid(1).toLongLong(&is_label);
            if (!is_label || each.area.boundingRect().center().x() > side.right())
                continue;
            named.push_back(token);
            QVERIFY2(each.baseline.y() - bottom >= layout.panels[0].label_size - 0.5, qPrintable(each.text));
            bottom = each.baseline.y();
        }
        QVERIFY(named.size() >= 2);
        QCOMPARE(named.front(), Index(0));
        QCOMPARE(named.back(), tokens - 1);
        for (std::size_t at = 2; at + 1 < named.size(); ++at)
            QCOMPARE(named[at] - named[at - 1], named[1] - named[0]);
    }

    void labels_stay_where_they_are_while_somebody_moves_about() {
        AxisLabels tokens, numbers;
        for (int token = 0; token < 300; ++token)
            tokens.labels.push_back("t" + std::to_string(token));
        for (const AxisLabels& whole : {numbers, tokens})
            for (const int stride : {1, 2, 5, 10, 20})
                for (const AxisSlice& slice : {AxisSlice{0, 40}, AxisSlice{17, 60}, AxisSlice{111, 100}}) {
                    const AxisLabels part = part_of(part_of(whole, {7, 250}), slice);
                    for (Index at = 0; at < slice.count; ++at) {
                        const Index place = 7 + slice.first + at;
                        QCOMPARE(label_text(part, at), label_text(whole, place));
                        QCOMPARE(label_shows(part, at, slice.count, stride),
                                 label_shows(whole, place, 300, stride));
                    }
                }
        QVERIFY(label_shows(numbers, 1'799, 5'000, 100));  // 1800
        for (const Index count : {18, 19, 500}) {          // from 1782 on
            const AxisLabels part = part_of(numbers, {1'781, count});
            QCOMPARE(label_shows(part, 0, count, 100), count == 18);
            QCOMPARE(label_shows(part, 18, count, 100), true);
        }
        QVERIFY(!label_shows(numbers, 49, 160, 50, {0}));
        QVERIFY(label_shows(numbers, 49, 160, 50, {0}, 36));
        QVERIFY(!label_shows(numbers, 49, 160, 50, {20}, 36));
    }

    void panels_of_other_parts_name_their_own_rows() {
        Figure figure;
        for (const Index count : {9, 200}) {
            Panel& panel = figure.panels.emplace_back();
            panel.rows = panel.columns = count;
            panel.values = std::vector<double>(std::size_t(count * count), 0.5);
            panel.row_axis.first = panel.column_axis.first = 100;
        }
        figure.columns = 2;
        const FigureLayout layout = layout_figure(figure, QRectF(0, 0, 1000, 500), 96.0 / 72);
        QVERIFY(!layout.panels[0].row_label_area.isEmpty());
        QVERIFY(!layout.panels[1].row_label_area.isEmpty());
        figure.panels[0] = figure.panels[1];
        QVERIFY(layout_figure(figure, QRectF(0, 0, 1000, 500), 96.0 / 72).panels[1].row_label_area.isEmpty());
    }

    void rows_are_named_again_behind_rows_of_other_tokens() {
        Figure figure = figure_of(samples::sentence(), ViewKind::grid, FigureTheme::light);
        const Panel panel = figure.panels.front();
        figure.panels.assign(3, panel);
        figure.columns = 3;
        // Between them stands, as encoder states do, a matrix whose columns are no tokens.
        figure.panels[1].column_axis.labels.assign(static_cast<std::size_t>(panel.columns), "x");
        const auto is_third_named = [&figure] {
            return layout_figure(figure, QRectF(0, 0, 300, 200), 1).panels[2].row_labels;
        };
        QVERIFY2(!is_third_named(), "the same words stand at the first");
        figure.panels[1].row_axis.labels.assign(static_cast<std::size_t>(panel.rows), "other");
        QVERIFY(is_third_named());
        figure.panels[1].row_axis.labels.clear();
        QVERIFY2(!is_third_named(), "numbers are not taken for its words");
    }

    void row_labels_that_stand_once_are_whole_at_180_mm() {
        Figure figure = figure_of(samples::sentence(), ViewKind::grid, FigureTheme::paper);
        Panel panel = figure.panels.front();
        panel.row_axis.labels.assign(static_cast<std::size_t>(panel.rows), "international");
        panel.column_axis.labels = panel.row_axis.labels;
        figure.panels.assign(8, panel);
        figure.columns = 4;
        constexpr double unit = 10, width = 180 / 25.4 * 72;
        const QRectF area(0, 0, width * unit, natural_height(figure, width) * unit);
        const PanelLayout place = layout_figure(figure, area, unit).panels[0];
        const TextMeasure text(place.label_size, Face::regular);
        QVERIFY2(text.width(QStringLiteral("international")) <= place.row_label_area.width() * 1.001,
                 qPrintable(QString::number(place.row_label_area.width() / unit)));
    }

    void words_are_whole_where_the_page_has_room_below() {
        Figure figure = figure_of(samples::sentence(), ViewKind::grid, FigureTheme::paper);
        for (Panel& panel : figure.panels)
            panel.column_axis.labels.assign(static_cast<std::size_t>(panel.columns), "international");
        figure.columns = 4;
        constexpr double unit = 10, width = 85 / 25.4 * 72;
        const QRectF area(0, 0, width * unit, natural_height(figure, width) * unit);
        const PanelLayout place = layout_figure(figure, area, unit).panels[0];
        QCOMPARE(place.column_angle, 90.0);
        const TextMeasure text(place.label_size, Face::regular);
        QVERIFY2(text.width(QStringLiteral("international")) <= place.column_label_area.height() * 1.001,
                 qPrintable(QString::number(place.column_label_area.height() / unit)));
    }

    void words_are_whole_where_the_window_has_room_beside() {
        for (const ViewKind view : {ViewKind(ViewKind::heatmap), ViewKind(ViewKind::lines)}) {
            Figure figure = figure_of(samples::sentence(), view);
            const std::string wide = "more than a dozen ems of it";
            for (Panel& panel : figure.panels)
                panel.row_axis.labels.assign(static_cast<std::size_t>(panel.rows), wide);
            const PanelLayout place = layout_figure(figure, QRectF(0, 0, 1200, 400), 96.0 / 72).panels[0];
            const TextMeasure text(place.label_size, Face::regular);
            QVERIFY2(text.width(QString::fromStdString(wide)) <= place.row_label_area.width() * 1.001,
                     qPrintable(QString::number(place.row_label_area.width())));
        }
    }

    void labels_keep_a_size_that_can_be_read_in_print() {
        for (const Index tokens : {24, 40, 60}) {
            Figure figure = figure_of(samples::band(tokens, tokens), ViewKind::heatmap, FigureTheme::paper);
            Panel& panel = figure.panels.front();
            for (Index i = 0; i < tokens; ++i)
                panel.row_axis.labels.push_back("token" + std::to_string(i));
            panel.column_axis.labels = panel.row_axis.labels;
            constexpr double unit = 10, width = 85 / 25.4 * 72;
            const QRectF area(0, 0, width * unit, natural_height(figure, width) * unit);
            const PanelLayout place = layout_figure(figure, area, unit).panels[0];
            QVERIFY2(place.label_size >= 6 * unit, qPrintable(QString::number(place.label_size / unit)));
            QVERIFY(place.row_stride * place.cells.height() / double(tokens) >= place.label_size);
        }
    }

    void a_label_that_is_not_drawn_takes_no_room() {
        Figure figure = figure_of(samples::band(457, 457), ViewKind::heatmap);
        Panel& panel = figure.panels.front();
        panel.row_axis.labels.assign(457, "a");
        panel.row_axis.labels[1] = panel.row_axis.labels[331] = "a word that is much longer than the others";
        panel.column_axis.labels = panel.row_axis.labels;
        const PanelLayout place = layout_figure(figure, QRectF(0, 0, 700, 500), 96.0 / 72).panels[0];
        QVERIFY(place.row_stride > 1);
        QVERIFY2(place.row_label_area.width() < 3 * place.label_size,
                 qPrintable(QString::number(place.row_label_area.width())));
        QVERIFY(place.column_label_area.height() < 3 * place.label_size);
    }

    void numbers_stand_for_words_where_one_in_many_has_room() {
        const Figure figure = figure_of(samples::band(512, 512), ViewKind::heatmap);
        const QSize size(700, 500);
        const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), QSizeF(size)), 96.0 / 72);
        QVERIFY(layout.panels[0].rows_by_place && layout.panels[0].columns_by_place);
        TextRecorder recorder(size);
        QPainter painter(&recorder);
        paint_figure(painter, figure, layout, 96.0 / 72);
        painter.end();
        const auto is_drawn = [&](const QString& wanted) {
            return std::ranges::count(recorder.texts(), wanted, &PaintedText::text);
        };
        for (const char* number : {"1", "100", "500"})
            QVERIFY2(is_drawn(QLatin1String(number)) >= 2, number);  // for rows and for columns
        QVERIFY(is_drawn(QStringLiteral("w1")) == 0 && is_drawn(QStringLiteral("w100")) == 0);
    }

    /// Bold digits are wider than those of the numbers above and below it.
    void a_selected_number_is_whole_where_numbers_stand_for_words() {
        Figure figure = figure_of(samples::band(512, 512), ViewKind::heatmap);
        Panel& panel = figure.panels.front();
        const QSize size(700, 500);
        for (const Index row : {145, 302, 319, 470, 487}) {
            panel.selected_row = row;
            const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), QSizeF(size)), 96.0 / 72);
            const PanelLayout& place = layout.panels[0];
            QVERIFY(place.rows_by_place);
            const TextMeasure bold(place.label_size, Face::bold, figure_style(figure).family);
            QVERIFY2(bold.width(QString::number(row + 1)) <= place.row_label_area.width() * 1.001,
                     QByteArray::number(row + 1));
        }
    }
};

QTEST_MAIN(LabelLayoutTest)

}  // namespace headlight::label_layout_test

#include "label_layout_test.moc"
