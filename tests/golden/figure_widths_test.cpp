// Figures in every width from that of a narrow column to that of a poster: each is laid out, in the
// proportions of print.

#include "tests/golden/drawn_widths.h"
#include "tests/support/long_tests.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "ui/render/figure_style.h"
#include "ui/render/panel_shape.h"

#include <QTest>

#include <utility>

namespace headlight::figure_widths_test {

using drawn_widths::columns_in;
using drawn_widths::compared;
using drawn_widths::drawn_at;
using drawn_widths::figure_of;
using drawn_widths::layout_in;
using drawn_widths::unit;

namespace {

/// Heads of a difference of two runs, each with the names of both.
Figure eight_differences() {
    Figure figure = figure_of(samples::sentence(), ViewKind::grid, FigureTheme::paper);
    for (std::size_t at = 0; at < 4; ++at)
        figure.panels.push_back(figure.panels[at]);
    for (Panel& panel : figure.panels)
        panel.subtitle = "Multi-head attention, “…river was green today .” − “…money was green today .”";
    figure.columns = 4;
    return figure;
}

/// Three matrices under names of mechanisms.
Figure named_by_a_person() {
    Figure figure =
        figure_of(samples::sentence(), ViewKind::heatmap, FigureTheme::paper, {"head=1", "head=2", "head=1"});
    figure.panels[0].title = "Multi-head attention with rotary position embedding";
    figure.panels[1].title = "Multi-head attention";
    figure.panels[2].title = "Differential attention";
    return figure;
}

}  // namespace

class FigureWidthsTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void every_width_is_laid_out_data() {
        QTest::addColumn<Figure>("figure");
        const std::pair<const char*, Trace> traces[] = {{"a sentence", samples::sentence()},
                                                        {"masked out", samples::masked_out()},
                                                        {"3 x 40", samples::band(3, 40)},
                                                        {"60 x 60", samples::band(60, 60)}};
        std::size_t first = 0;  // of two themes, which take turns from view to view and from trace to trace
        for (const auto& [name, trace] : traces) {
            std::size_t turn = first++;
            for (const ViewKind view : {ViewKind::stages, ViewKind::heatmap, ViewKind::grid, ViewKind::lines,
                                        ViewKind::statistics, ViewKind::text}) {
                std::size_t theme_number = turn++;
                for (const auto& [theme_name, theme] :
                     {std::pair("paper", FigureTheme::paper), std::pair("projector", FigureTheme::projector)})
                    if (test::has_turn(theme_number++, 2))
                        QTest::addRow("%s, %s, %s", name, std::string(view.word()).c_str(), theme_name)
                            << figure_of(trace, view, theme);
            }
        }
        const auto composed = [](const std::vector<std::string>& panels) {
            return figure_of(samples::sentence(), ViewKind::heatmap, FigureTheme::paper, panels);
        };
        QTest::addRow("two panels") << composed({"head=1", "head=2"});
        QTest::addRow("panels of all kinds")
            << composed({"head=1", "view=lines head=2", "view=text new-row"});
    }
    void every_width_is_laid_out() {
        QFETCH(Figure, figure);
        // Every millimetre where one decides whether a title has room, fewer where nothing changes any more.
        const double step = test::is_long() ? 1 : 2.5;
        for (double mm = narrowest_certain_mm; mm <= 200; mm += (mm < 60 ? 2 : 14) * step) {
            const QByteArray width = QByteArray::number(mm) + " mm";
            QVERIFY2(figure_in_width(figure, mm * points_per_mm), width.constData());
            const FigureLayout layout = layout_in(figure, mm);
            for (std::size_t at = 0; at < layout.panels.size(); ++at) {
                const Panel& panel = figure.panels[at];
                if (panel.thumbnail || panel.blank || panel.lies_over)
                    continue;
                QVERIFY2(!layout.panels[at].cells.isEmpty(), width.constData());
                QVERIFY2(layout.area.adjusted(-unit, -unit, unit, unit).contains(layout.panels[at].frame),
                         width.constData());
            }
        }
    }

    void an_exported_text_has_no_pages_data() {
        QTest::addColumn<Figure>("figure");
        const auto of_text = [](Index tokens) {
            Trace trace = samples::band(tokens, tokens);
            std::vector<std::string> words;
            for (Index token = 0; token < tokens; ++token)
                words.push_back(token % 3 == 0 ? "the" : token % 3 == 1 ? "garden" : "understanding");
            trace.tokens.query = trace.tokens.key = words;
            return figure_of(trace, ViewKind::text, FigureTheme::paper);
        };
        for (const Index tokens : {5, 9, 10, 21, 60})
            QTest::addRow("%d tokens", int(tokens)) << of_text(tokens);
        QTest::newRow("beside other panels") << figure_of(
            samples::sentence(), ViewKind::heatmap, FigureTheme::paper, {"head=1", "view=text new-row"});
    }
    void an_exported_text_has_no_pages() {
        QFETCH(Figure, figure);
        const auto require_whole = [](const FigureLayout& layout, const QByteArray& at) {
            for (const PanelLayout& place : layout.panels)
                QVERIFY2(place.text_pages == 1, at.constData());
        };
        const double step = test::is_long() ? 1 : 3;
        for (double mm = narrowest_certain_mm; mm <= 200; mm += mm < 60 ? step : 14)
            for (const double units : {1.0, 300.0 / 72, 16.0}) {
                const double width = mm * points_per_mm;
                const Figure drawn = drawn_in_width(figure, width);
                const QRectF area(0, 0, units * width, units * natural_height(drawn, width));
                require_whole(layout_figure(drawn, area, units),
                              QByteArray::number(mm) + " mm, unit " + QByteArray::number(units));
            }
        require_whole(layout_figure(figure, QRectF(QPointF(), 16 * natural_size(figure)), 16),
                      "natural size");
    }

    void a_text_alone_fills_its_sheet() {
        for (const Index tokens : {5, 12, 60}) {
            const Figure text = figure_of(samples::band(tokens, tokens), ViewKind::text, FigureTheme::paper);
            for (const double mm : {60.0, 85.0, 210.0, 841.0}) {
                const FigureLayout layout = layout_in(text, mm);
                const PanelLayout& place = layout.panels.front();
                const QByteArray at =
                    QByteArray::number(tokens) + " tokens, " + QByteArray::number(mm) + " mm";
                QVERIFY2(place.cells.width() > 0.95 * layout.area.width(), at.constData());
                double bottom = 0;
                for (const QRectF& token : place.tokens)
                    bottom = std::max(bottom, token.bottom());
                QVERIFY2(place.cells.bottom() - bottom < 2 * place.label_size, at.constData());  // a line
            }
        }
    }

    /// However type is rounded to the units of an SVG, of a PDF and of pixels.
    void titles_of_panels_begin_alike_in_every_format() {
        const double step = test::is_long() ? 1 : 4;
        for (const ViewKind view : {ViewKind::heatmap, ViewKind::grid, ViewKind::stages}) {
            const Figure figure = figure_of(samples::sentence(), view, FigureTheme::paper);
            for (double mm = narrowest_certain_mm; mm <= 110; mm += step) {
                const double width = mm * points_per_mm;
                const Figure drawn = drawn_in_width(figure, width);
                const double height = natural_height(drawn, width);
                const auto first = std::ranges::find(drawn.panels, false, &Panel::thumbnail);
                const auto begins_above_labels = [&](double units) {
                    const FigureLayout layout =
                        layout_figure(drawn, QRectF(0, 0, units * width, units * height), units);
                    const PanelLayout& place =
                        layout.panels[static_cast<std::size_t>(first - drawn.panels.begin())];
                    return place.title.left() < place.cells.left() - units;
                };
                const bool expected = begins_above_labels(16);
                for (const double units : {20.0, 1200.0 / 72, 300.0 / 72})
                    QVERIFY2(begins_above_labels(units) == expected,
                             QByteArray(figure.title.c_str()) + ", " + QByteArray::number(mm) + " mm, unit " +
                                 QByteArray::number(units));
            }
        }
    }

    void titles_break_alike_in_every_format() {
        const double step = test::is_long() ? 1 : 7;  // 40, 47, 54, 61, 68, 75, 82, ...
        const Figure figures[] = {compared(), named_by_a_person(),
                                  figure_of(samples::sentence(), ViewKind::grid, FigureTheme::paper)};
        for (const Figure& figure : figures)
            for (double mm = narrowest_certain_mm; mm <= 120; mm += step) {
                const double width = mm * points_per_mm;
                const Figure drawn = drawn_in_width(figure, width);
                const double height = natural_height(drawn, width);
                const auto in_units = [&](double units) {
                    return layout_figure(drawn, QRectF(0, 0, units * width, units * height), units);
                };
                const FigureLayout expected = in_units(16);
                for (const double units : {20.0, 1200.0 / 72, 300.0 / 72, 150.0 / 72, 1.0}) {
                    const FigureLayout layout = in_units(units);
                    for (std::size_t at = 0; at < layout.panels.size(); ++at) {
                        const QByteArray where = QByteArray(drawn.panels[at].title.c_str()) + ", " +
                                                 QByteArray::number(mm) + " mm, unit " +
                                                 QByteArray::number(units);
                        QVERIFY2(layout.panels[at].title_lines == expected.panels[at].title_lines,
                                 where.constData());
                        QVERIFY2(layout.panels[at].subtitle_lines == expected.panels[at].subtitle_lines,
                                 where.constData());
                    }
                }
            }
    }

    /// Where three matrices in a row have no room for their titles, fewer have, also where three are asked
    /// for.
    void titles_that_a_person_gave_are_whole() {
        Figure asked = named_by_a_person();
        asked.columns_are_asked = true;
        const Figure stages = figure_of(samples::sentence(), ViewKind::heatmap, FigureTheme::paper,
                                        {"stage=scores", "stage=weights", "stage=exponentials"});
        Figure asked_stages = stages;
        asked_stages.columns_are_asked = true;
        for (const Figure& figure : {named_by_a_person(), asked, stages, asked_stages})
            for (double mm = 46; mm <= 120; mm += 2) {
                const FigureLayout layout = layout_in(figure, mm);
                for (std::size_t at = 0; at < figure.panels.size(); ++at)
                    QVERIFY2(!is_cut(figure.panels[at].title, layout.panels[at].title_lines),
                             QByteArray::number(mm) + ": " + QByteArray(figure.panels[at].title.c_str()));
            }
        QCOMPARE(columns_in(asked, 85), Index(3));
    }

    void titles_do_not_decide_on_columns() {
        const Figure heads = eight_differences(), three = compared();
        for (const double mm : {85.0, 120.0, 178.0, 841.0})
            QCOMPARE(columns_in(heads, mm), Index(4));
        for (double mm = 70; mm < 220; mm += 4)
            QVERIFY2(columns_in(three, mm) == 3, QByteArray::number(mm));
        QCOMPARE(columns_in(three, 841), Index(3));
    }

    /// On fewer columns before "Head" and "2" stand below one another.
    void a_head_stands_beside_its_number() {
        Figure figure = eight_differences();
        for (std::size_t at = 0; at < figure.panels.size(); ++at) {
            figure.panels[at].title = "Head " + std::to_string(at + 1);
            figure.panels[at].subtitle.clear();
        }
        for (double mm = narrowest_certain_mm; mm <= 90; mm += 2) {
            const std::vector<PaintedText> texts = drawn_at(figure, mm).texts;
            for (const Panel& panel : figure.panels)
                QVERIFY2(std::ranges::count(texts, QString::fromStdString(panel.title), &PaintedText::text) ==
                             1,
                         QByteArray::number(mm) + ": " + QByteArray::fromStdString(panel.title));
        }
    }

    void a_person_has_the_columns_that_they_ask_for() {
        const Figure heads = eight_differences();
        Figure asked = heads;
        asked.columns_are_asked = true;
        bool are_others = false;
        for (double mm = 40; mm < 70; ++mm)
            are_others = are_others || (columns_in(heads, mm) < 4 && columns_in(asked, mm) == 4);
        QVERIFY(are_others);
    }

    void panels_go_on_fewer_columns_before_they_are_no_pictures() {
        const Figure chosen = figure_of(samples::sentence(), ViewKind::heatmap, FigureTheme::paper,
                                        {"head=1", "head=2", "head=3"});
        const Figure stages = figure_of(samples::sentence(), ViewKind::stages, FigureTheme::paper);
        QCOMPARE(chosen.columns, Index(3));
        QVERIFY(columns_in(chosen, 57) < 3);
        QCOMPARE(columns_in(chosen, 178), Index(3));
        constexpr double to_be_read = 24;  // points
        for (const Figure* figure : {&chosen, &stages})
            for (double mm = 57; mm <= 100; mm += 3) {
                const FigureLayout layout = layout_in(*figure, mm);
                for (std::size_t at = 0; at < figure->panels.size(); ++at)
                    if (!figure->panels[at].thumbnail)
                        QVERIFY2(layout.panels[at].cells.height() > to_be_read * unit,
                                 QByteArray::number(mm));
            }
    }

    void narrow_stages_are_pictures() {
        const Figure stages = figure_of(samples::sentence(), ViewKind::stages, FigureTheme::paper);
        constexpr double to_be_seen = 16;  // points
        for (double mm = narrowest_certain_mm; mm <= 57; ++mm)
            for (const double units : {1.0, 150.0 / 72, 16.0}) {
                const double width = mm * points_per_mm;
                const Figure drawn = drawn_in_width(stages, width);
                const QRectF area(0, 0, units * width, units * natural_height(drawn, width));
                const FigureLayout layout = layout_figure(drawn, area, units);
                const QByteArray at = QByteArray::number(mm) + " mm, unit " + QByteArray::number(units);
                QCOMPARE(drawn.length_scale, 1.0);
                for (std::size_t each = 0; each < drawn.panels.size(); ++each) {
                    const PanelLayout& place = layout.panels[each];
                    if (drawn.panels[each].thumbnail)
                        continue;
                    QVERIFY2(place.cells.height() > to_be_seen * units, at.constData());
                    QVERIFY2(place.row_stride <= 5, at.constData());
                    // What joins them stands between the panels, not beside the second.
                    if (!place.operation.isEmpty())
                        QVERIFY2(area.contains(place.operation) &&
                                     place.operation.top() > layout.panels[each - 1].cells.bottom() &&
                                     place.operation.bottom() <= place.title.top() + 0.01 * units,
                                 at.constData());
                }
            }
    }

    /// However wide the figure: few maps, and few numbers, leave room free.
    void cells_of_few_heads_are_not_larger_than_they_need() {
        const std::pair<ViewKind, double> views[] = {{ViewKind::model_grid, 2.5},
                                                     {ViewKind::statistics, 5.0}};
        for (const auto& [view, largest] : views) {
            const Figure figure = figure_of(samples::band(9, 9), view, FigureTheme::paper);
            const double cells = view == ViewKind::model_grid ? 9 : 1;
            for (const double mm : {57.0, 85.0, 178.0}) {
                const FigureLayout layout = layout_in(figure, mm);
                const double side = layout.panels.front().cells.height() / cells / unit;
                // A title that takes fewer lines than were counted leaves its line to the cells.
                const double most = 1.25 * largest * figure_style(figure).label;
                QVERIFY2(side <= most, QByteArray::number(mm) + ": " + QByteArray::number(side));
                QVERIFY2(mm < 178 || layout.area.height() <= layout.area.width(), QByteArray::number(mm));
            }
        }
    }

    void themes_have_the_proportions_of_print() {
        const FigureLayout paper =
            layout_in(figure_of(samples::sentence(), ViewKind::heatmap, FigureTheme::paper), 85);
        for (const FigureTheme theme : {FigureTheme::light, FigureTheme::dark}) {
            const FigureLayout other =
                layout_in(figure_of(samples::sentence(), ViewKind::heatmap, theme), 85);
            QCOMPARE(other.panels.front().cells, paper.panels.front().cells);
            QCOMPARE(other.panels.front().label_size, paper.panels.front().label_size);
        }
        QVERIFY(paper.panels.front().cells.width() > 0.6 * paper.area.width());
    }

    void a_poster_is_a_sheet_enlarged() {
        Figure figure = figure_of(samples::sentence(), ViewKind::heatmap, FigureTheme::paper);
        const FigureLayout sheet = layout_in(figure, 210), poster = layout_in(figure, 841);
        const double enlarged = 841.0 / 210;
        const PanelLayout &small = sheet.panels.front(), &large = poster.panels.front();
        QVERIFY(std::abs(large.cells.width() / small.cells.width() / enlarged - 1) < 0.01);
        QVERIFY(std::abs(large.label_size / small.label_size / enlarged - 1) < 0.02);
        // But not what a person gave in points.
        figure.type.size = 20;
        QCOMPARE(layout_in(figure, 841).panels.front().label_size, 20 * unit);
    }

    void no_text_is_smaller_than_a_person_allows() {
        Figure figure = figure_of(samples::sentence(), ViewKind::heatmap, FigureTheme::paper);
        figure.type.least_size = 7;
        for (double mm = 60; mm <= 120; mm += 10)
            QVERIFY(layout_in(figure, mm).panels.front().label_size >= 7 * unit - 1);
    }
};

QTEST_MAIN(FigureWidthsTest)

}  // namespace headlight::figure_widths_test

#include "figure_widths_test.moc"
