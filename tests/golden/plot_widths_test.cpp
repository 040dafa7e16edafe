// Trees, curves and scatters in every width: whole, readable, and with their texts apart.

#include "tests/golden/drawn_widths.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "ui/render/export.h"
#include "ui/render/figure_style.h"
#include "ui/render/panel_shape.h"

#include <QTest>

#include <algorithm>
#include <utility>

namespace headlight::plot_widths_test {

using drawn_widths::columns_in;
using drawn_widths::Drawn;
using drawn_widths::drawn_at;
using drawn_widths::figure_of;
using drawn_widths::layout_in;
using drawn_widths::unit;

namespace {

/// What a beam of three finds in so many steps.
Figure beam_of(Index steps, const std::string& word) {
    Tree tree;
    tree.nodes.push_back({-1, 0, 0, "start", "", true, true});
    for (Index depth = 1; depth < steps; ++depth)
        for (Index row = 0; row < 3; ++row)
            tree.nodes.push_back(
                {depth == 1 ? 0 : std::ssize(tree.nodes) - 3, depth, row, word, "−10.40", true, row == 0});
    Panel panel;
    panel.kind = Panel::Kind::tree;
    panel.title = "Beam search";
    panel.rows = std::ssize(tree.nodes);
    panel.columns = 1;
    panel.values = std::vector<double>(tree.nodes.size(), 0.0);
    panel.tree = std::make_shared<const Tree>(std::move(tree));
    Figure figure;
    figure.theme = FigureTheme::paper;
    figure.panels.push_back(std::move(panel));
    return figure;
}

/// What two mechanisms cost, twice.
Figure two_curves() {
    Panel panel;
    panel.kind = Panel::Kind::curves;
    panel.title = "Work of a run";
    panel.rows = 8;
    panel.columns = 2;
    panel.column_axis.labels = {"Scaled dot-product", "Linear"};
    std::vector<double> values, tokens;
    for (double count = 16; count <= 2048; count *= 2) {
        tokens.push_back(count);
        values.insert(values.end(), {30 * count * count, 4000 * count});
    }
    panel.values = std::move(values);
    panel.curves = std::make_shared<const Curves>(
        Curves{tokens, "tokens", "multiply-adds", true, "", {"n^2.00", "n^1.00"}});
    Figure figure;
    figure.theme = FigureTheme::paper;
    figure.panels = {panel, panel};
    figure.columns = 2;
    figure.wrapped_rows = 1;
    return figure;
}

}  // namespace

class PlotWidthsTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    /// As many steps as have no room side by side in a column stand on several lines, as words do.
    void a_tree_is_drawn_whole_in_every_width() {
        const Figure figure = beam_of(12, "7");
        constexpr std::size_t texts = 1 + 1 + 11 * 3 * 2;  // title, start, words and numbers
        for (double mm = narrowest_certain_mm; mm <= 190; mm += 7) {
            const Drawn drawn = drawn_at(figure, mm);
            QCOMPARE(drawn.texts.size(), texts);
            for (std::size_t at = 0; at < drawn.texts.size(); ++at) {
                const PaintedText& each = drawn.texts[at];
                const QRectF area = each.area.boundingRect();
                const QByteArray place = QByteArray::number(mm) + ": " + each.text.toUtf8();
                QVERIFY2(drawn.layout.area.contains(area), place);
                QVERIFY2(each.pixels >= legible_points * unit, place);
                for (std::size_t other = 0; other < at; ++other)
                    QVERIFY2(!area.intersects(drawn.texts[other].area.boundingRect()), place);
            }
        }
    }

    void small_text_of_a_tree_is_told() {
        ExportOptions options;
        options.width_mm = 57;
        QCOMPARE(illegible_text(beam_of(12, "7"), ExportFormat::pdf, options), std::string());
        const std::string said = illegible_text(
            beam_of(3, "Donaudampfschifffahrtsgesellschaftskapitänsmütze"), ExportFormat::pdf, options);
        QVERIFY2(said.starts_with("The smallest text has "), said.c_str());
    }

    /// Side by side two of them would be a few millimetres wide in a column.
    void curves_stand_below_one_another_where_they_are_narrow() {
        const Figure figure = two_curves();
        QCOMPARE(columns_in(figure, 57), Index(1));
        QCOMPARE(columns_in(figure, 85), Index(1));
        QCOMPARE(columns_in(figure, 178), Index(2));
        for (double mm = 57; mm <= 180; mm += 11)
            for (const PanelLayout& place : layout_in(figure, mm).panels) {
                const FigureStyle style = figure_style(FigureTheme::paper);
                const QRectF plot = plot_of_curves(figure.panels.front(), place.plot, style, unit);
                QVERIFY2(plot.width() >= 20 * points_per_mm * unit, QByteArray::number(mm));
                QVERIFY2(plot.height() >= 12 * points_per_mm * unit, QByteArray::number(mm));
            }
    }

    /// Beside their ends where there is room, else below the axes.
    void names_of_curves_are_whole_and_apart() {
        const Figure figure = two_curves();
        for (double mm = narrowest_certain_mm; mm <= 180; mm += 7) {
            const Drawn drawn = drawn_at(figure, mm);
            qsizetype names = 0;
            for (std::size_t at = 0; at < drawn.texts.size(); ++at) {
                const QRectF area = drawn.texts[at].area.boundingRect();
                const QByteArray place = QByteArray::number(mm) + ": " + drawn.texts[at].text.toUtf8();
                QVERIFY2(drawn.layout.area.contains(area), place);
                names += drawn.texts[at].text.startsWith(QLatin1String("Scaled dot-product  n^2"));
                for (std::size_t other = 0; other < at; ++other)
                    QVERIFY2(!area.intersects(drawn.texts[other].area.boundingRect()), place);
            }
            QVERIFY2(names == 2, QByteArray::number(mm));
        }
    }

    void points_of_a_narrow_scatter_leave_each_other_room() {
        const Figure figure = figure_of(samples::sentence(), ViewKind::scatter, FigureTheme::paper);
        for (const std::size_t heads : {std::size_t(60), std::size_t(144)}) {
            HeadMarks marks;
            marks.heads.resize(heads);
            const auto radius_at = [&](double mm) {
                const QRectF plot = layout_in(figure, mm).panels.front().plot;
                const double radius = PointsPlot(marks, plot).radius(unit);
                const double covered = static_cast<double>(heads) * 3.15 * radius * radius;
                return std::pair(radius, covered / (plot.width() * plot.height()));
            };
            const auto [radius, covered] = radius_at(85);
            QVERIFY2(covered < 0.05, QByteArray::number(covered));
            QVERIFY(radius < radius_at(200).first);
        }
    }

    void a_narrow_scatter_is_readable() {
        Figure figure = figure_of(samples::sentence(), ViewKind::scatter, FigureTheme::paper);
        for (double mm = narrowest_certain_mm; mm <= 90; mm += 3) {
            const QByteArray at = QByteArray::number(mm);
            const Drawn drawn = drawn_at(figure, mm);
            const QRectF plot = drawn.layout.panels.front().plot, bar = drawn.layout.colour_bar;
            QVERIFY2(plot.width() > 10 * points_per_mm * unit && plot.height() > 15 * points_per_mm * unit,
                     at);
            QVERIFY2(std::abs(bar.top() - plot.top()) < 1 && std::abs(bar.bottom() - plot.bottom()) < 1, at);
            int titles = 0;
            for (std::size_t one = 0; one < drawn.texts.size(); ++one) {
                const QRectF area = drawn.texts[one].area.boundingRect();
                titles += drawn.texts[one].text.startsWith(QLatin1String("distance")) ||
                          drawn.texts[one].text.startsWith(QLatin1String("entropy"));
                QVERIFY2(!area.intersects(bar) && !area.intersects(plot),
                         at + drawn.texts[one].text.toUtf8());
                for (std::size_t other = 0; other < one; ++other)
                    QVERIFY2(!area.intersects(drawn.texts[other].area.boundingRect()),
                             at + drawn.texts[one].text.toUtf8());
            }
            QVERIFY2(titles == 2, at);
        }
    }

    /// Ours loses its unit where it has no room; that of a person is theirs to the last letter that fits.
    void a_title_that_a_person_gives_an_axis_of_points_keeps_its_bracket() {
        Figure figure = figure_of(samples::sentence(), ViewKind::scatter, FigureTheme::paper);
        AxisLabels& across = figure.panels.front().column_axis;
        const auto beginning = [&](const char* first) {
            const std::vector<PaintedText> texts = drawn_at(figure, 57).texts;
            const auto title = std::ranges::find_if(
                texts, [&](const PaintedText& each) { return each.text.startsWith(QLatin1String(first)); });
            return title == texts.end() ? QString() : title->text;
        };
        across.title = "How far (tokens of the sentence, from the query to what it looks at)";
        QCOMPARE(beginning("How far"), QStringLiteral("How far"));
        across.meaning = "distance (tokens)";
        const QString given = beginning("How far");
        QVERIFY2(given.startsWith(QLatin1String("How far (")) && given.contains(QChar(u'…')),
                 qPrintable(given));
    }
};

QTEST_MAIN(PlotWidthsTest)

}  // namespace headlight::plot_widths_test

#include "plot_widths_test.moc"
