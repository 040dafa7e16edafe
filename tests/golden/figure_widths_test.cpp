// Figures in every width from that of a narrow column to that of a poster: each is laid out, in the
// proportions of print.

#include "core/io/figure_source.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "ui/render/export.h"
#include "ui/render/figure_in_width.h"
#include "ui/render/painter.h"

#include <QTest>

namespace headlight::figure_widths_test {

namespace {

Figure figure_of(const Trace& trace, ViewKind view, FigureTheme theme,
                 const std::vector<std::string>& panels = {}) {
    FigureSource source;
    source.trace = std::make_shared<const Trace>(trace);
    ViewSettings settings;
    settings.view = view;
    settings.theme = theme;
    for (const std::string& words : panels)
        settings.options.panels.push_back(parse_panel_words(words));
    return headlight::figure_of(source, settings);
}

constexpr double unit = 16;  // rounding type to whole units does not show

FigureLayout layout_in(const Figure& figure, double millimetres) {
    const double width = millimetres * points_per_mm;
    const Figure drawn = drawn_in_width(figure, width);
    return layout_figure(drawn, QRectF(0, 0, unit * width, unit * natural_height(drawn, width)), unit);
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
        for (const auto& [name, trace] : traces)
            for (const ViewKind view : {ViewKind::stages, ViewKind::heatmap, ViewKind::grid, ViewKind::lines,
                                        ViewKind::statistics, ViewKind::text})
                for (const auto& [theme_name, theme] :
                     {std::pair("paper", FigureTheme::paper), std::pair("projector", FigureTheme::projector)})
                    QTest::addRow("%s, %s, %s", name, std::string(view.word()).c_str(), theme_name)
                        << figure_of(trace, view, theme);
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
        for (double mm = narrowest_certain_mm; mm <= 200; mm += mm < 60 ? 2 : 14) {
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
        for (double mm = narrowest_certain_mm; mm <= 200; mm += mm < 60 ? 1 : 14)
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
