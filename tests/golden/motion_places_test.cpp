// Where what moves over a figure lies: numbers over no label, dots over no word.

#include "core/figure/build_figure.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "ui/render/figure_style.h"
#include "ui/render/motion_places.h"

#include <QTest>

#include <algorithm>
#include <cmath>

namespace headlight::motion_places_test {

namespace {

constexpr double unit = 1;
const QRectF area(0, 0, 1200, 800);

Figure figure_in(ViewKind kind) {
    ViewSettings settings;
    settings.view = kind;
    settings.selection.stage = "weights";
    return build_figure(samples::sentence(), settings);
}

}  // namespace

class MotionPlacesTest : public QObject {
    Q_OBJECT
private slots:
    void a_number_lies_over_no_label() {
        const Figure figure = figure_in(ViewKind::heatmap);
        const FigureLayout layout = layout_figure(figure, area, unit);
        const FigureStyle style = figure_style(figure);
        const MotionPlaces places(figure, layout, style, unit);
        const Panel& panel = figure.panels.front();
        const QRectF& cells = layout.panels.front().cells;
        for (const Index row : {Index(0), panel.rows - 1})
            for (const Index column : {Index(0), panel.columns - 1}) {
                const MotionCell at{0, row, column};
                // Far wider than a cell, as what is added up is.
                const QRectF plate = places.plate({at, at, 1, "0.123456789 + 0.987654321 + 0.5"});
                QVERIFY2(plate.width() > cells.width() / static_cast<double>(panel.columns),
                         "no wide number");
                QVERIFY(plate.width() < cells.width());
                QVERIFY2(cells.adjusted(-0.01, -0.01, 0.01, 0.01).contains(plate),
                         qPrintable(QStringLiteral("row %1, column %2").arg(row).arg(column)));
            }
        // Where it has room it is in the middle of its cell.
        const MotionCell inside{0, panel.rows / 2, panel.columns / 2};
        const QPointF middle = places.plate({inside, inside, 1, "1"}).center();
        const double wide = cells.width() / static_cast<double>(panel.columns);
        QVERIFY(std::abs(middle.x() - cells.left() - wide * (static_cast<double>(inside.column) + 0.5)) <
                0.01);
    }

    void a_sum_stands_beside_its_row() {
        ViewSettings settings;
        settings.view = ViewKind::stages;
        settings.selection.stage = "weights";
        const Figure figure = build_figure(samples::sentence(), settings);
        const FigureLayout layout = layout_figure(figure, area, unit);
        const FigureStyle style = figure_style(figure);
        const MotionPlaces places(figure, layout, style, unit);
        const auto with_sums =
            std::ranges::find_if(figure.panels, [](const Panel& panel) { return !panel.row_sums.empty(); });
        QVERIFY(with_sums != figure.panels.end());
        const Index number = with_sums - figure.panels.begin();
        const PanelLayout& place = places.place(number);
        QVERIFY(!place.row_sums.isEmpty());
        for (const Index row : {Index(0), with_sums->rows - 1}) {
            const MotionCell sum{
                .panel = number, .row = row, .column = with_sums->columns - 1, .is_sum = true};
            const QRectF plate = places.plate({sum, sum, 1, "2.47"});
            QVERIFY2(plate.left() >= place.cells.right() - 0.01, "over a cell");
            QVERIFY2(plate.intersects(place.row_sums), "not in the column of sums");
            const QRectF empty =
                places.cells({MotionMark::Kind::unsummed, number, row, 0, 1, with_sums->columns});
            QVERIFY(place.row_sums.adjusted(-0.01, -0.01, 0.01, 0.01).contains(empty));
            QVERIFY(empty.top() <= plate.center().y() && plate.center().y() <= empty.bottom());
        }
        QVERIFY2(
            places.cells({MotionMark::Kind::unsummed, std::ssize(figure.panels) - 1, 0, 0, 1, 1}).isEmpty(),
            "sums that are all 1 are not drawn");
    }

    void a_dot_lies_over_none_of_the_parts_that_its_arrow_joins() {
        const Figure figure = figure_in(ViewKind::map);
        const FigureLayout layout = layout_figure(figure, area, unit);
        const FigureStyle style = figure_style(figure);
        MotionPlaces places(figure, layout, style, unit);
        const Flow& flow = *figure.panels.front().flow;
        QVERIFY(!flow.edges.empty());
        std::size_t judged = 0;
        for (std::size_t arrow = 0; arrow < flow.edges.size(); ++arrow) {
            const auto dot_at = [&](double way) {
                return places.dot({0, static_cast<Index>(arrow), way, 1});
            };
            if (dot_at(0) == dot_at(1))
                continue;  // no longer than the dot is wide
            ++judged;
            for (const double way : {0.0, 1.0}) {
                const QRectF dot = dot_at(way);
                QVERIFY(!dot.isEmpty());
                const Index end = way == 0 ? flow.edges[arrow].from : flow.edges[arrow].to;
                const QRectF over = dot & layout.panels.front().parts[static_cast<std::size_t>(end)];
                // It lay half over them; what bends at its end comes a little nearer.
                QVERIFY2(std::min(over.width(), over.height()) < 0.25 * dot.width(),
                         qPrintable(QStringLiteral("arrow %1, way %2").arg(arrow).arg(way)));
            }
        }
        QVERIFY(judged > 0);
    }
};

QTEST_MAIN(MotionPlacesTest)

}  // namespace headlight::motion_places_test

#include "motion_places_test.moc"
