#include "core/figure/fit_scales.h"
#include "core/figure/panel_numbers.h"
#include "tests/support/test_file.h"
#include "ui/views/zoom.h"

#include <QTest>

#include <cmath>

namespace headlight::views_zoom_test {

namespace {

/// A 16 x 20 matrix whose numbers say where they come from: 100 row + column.
Panel numbered_panel() {
    Panel panel;
    panel.rows = 16;
    panel.columns = 20;
    std::vector<double> values;
    for (Index r = 0; r < panel.rows; ++r) {
        panel.row_axis.labels.emplace_back("q").append(std::to_string(r));
        panel.row_axis.marked.push_back(r == 9);
        panel.row_sums.push_back(static_cast<double>(r));
        for (Index c = 0; c < panel.columns; ++c) {
            values.push_back(static_cast<double>(100 * r + c));
            panel.forbidden.push_back(c > r);
        }
    }
    panel.values = std::move(values);
    panel.newest_row = 10;
    panel.selected_row = 9;
    panel.selected_column = 2;
    return panel;
}

}  // namespace

class ViewsZoomTest : public QObject {
    Q_OBJECT
private slots:
    void zooms_around_a_point_data() {
        QTest::addColumn<int>("extent");
        QTest::addColumn<double>("factor");
        QTest::addColumn<double>("anchor");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("count");
        QTest::newRow("twice as large in the middle") << 512 << 2.0 << 0.5 << 128 << 256;
        QTest::newRow("the left edge stays") << 512 << 2.0 << 0.0 << 0 << 256;
        QTest::newRow("the right edge stays") << 512 << 2.0 << 1.0 << 256 << 256;
        QTest::newRow("out of a whole matrix is nothing") << 512 << 0.5 << 0.5 << 0 << 512;
        QTest::newRow("never fewer cells than the least") << 512 << 1e6 << 0.0 << 0 << 8;
        QTest::newRow("a short sentence stays whole") << 6 << 4.0 << 0.5 << 0 << 6;
        QTest::newRow("nothing to show") << 0 << 2.0 << 0.5 << 0 << 0;
    }
    void zooms_around_a_point() {
        QFETCH(int, extent);
        QFETCH(double, factor);
        QFETCH(double, anchor);
        AxisWindow window(extent);
        window.zoom(factor, anchor);
        QTEST(static_cast<int>(window.first()), "first");
        QTEST(static_cast<int>(window.count()), "count");
    }

    void point_under_the_cursor_stays_put() {
        AxisWindow window(512);
        const auto under_the_cursor = [&] {
            return static_cast<double>(window.first()) + 0.3 * static_cast<double>(window.count());
        };
        const double before = under_the_cursor();
        for (int notch = 0; notch < 10; ++notch) {
            window.zoom(1.25, 0.3);
            QVERIFY(std::abs(under_the_cursor() - before) <= 1);
        }
        for (int notch = 0; notch < 10; ++notch)
            window.zoom(1 / 1.25, 0.3);
        QVERIFY(window.is_whole());
        QCOMPARE(window.first(), Index(0));
    }

    void small_moves_add_up() {
        AxisWindow window(100);
        window.zoom(10, 0);
        for (int i = 0; i < 10; ++i)
            window.pan(0.3);
        QCOMPARE(window.first(), Index(3));
        window.pan(1000);
        QCOMPARE(window.first(), Index(90));
        window.pan(-1000);
        QCOMPARE(window.first(), Index(0));
    }

    void reveals_with_the_least_movement_data() {
        QTest::addColumn<int>("cell");
        QTest::addColumn<int>("first");
        QTest::newRow("already there") << 44 << 40;
        QTest::newRow("before") << 12 << 12;
        QTest::newRow("behind") << 60 << 51;
        QTest::newRow("last") << 99 << 90;
    }
    void reveals_with_the_least_movement() {
        AxisWindow window(100);
        window.zoom(10, 0);
        window.pan(40);
        QFETCH(int, cell);
        window.reveal(cell);
        QTEST(static_cast<int>(window.first()), "first");
        QVERIFY(window.contains(cell));
    }

    void crops_every_part_of_a_panel() {
        AxisWindow rows(16), columns(20);
        rows.zoom(2, 1);     // 8 to 15
        columns.zoom(2, 0);  // 0 to 9
        const Panel part = cropped(numbered_panel(), rows, columns);
        QCOMPARE(part.rows, Index(8));
        QCOMPARE(part.columns, Index(10));
        QCOMPARE(part.values[0], 800.0);
        QCOMPARE(part.values[part.values.size() - 1], 1509.0);
        QCOMPARE(part.values.size(), std::size_t(80));
        QCOMPARE(part.row_axis.labels.front(), std::string("q8"));
        QCOMPARE(part.row_axis.marked,
                 std::vector<bool>({false, true, false, false, false, false, false, false}));
        QCOMPARE(axis_label(part.row_axis, 7), std::string("q15"));
        for (Index column = 0; column < 10; ++column)
            QCOMPARE(axis_label(part.column_axis, column), std::to_string(column + 1));
        QCOMPARE(part.row_sums.front(), 8.0);
        QCOMPARE(part.forbidden[9], std::uint8_t(1));  // (8, 9)
        QCOMPARE(part.forbidden[8], std::uint8_t(0));  // (8, 8)
        QCOMPARE(*part.newest_row, Index(2));
        QCOMPARE(*part.selected_row, Index(1));
        QCOMPARE(*part.selected_column, Index(2));
    }

    void what_is_outside_the_window_is_not_marked() {
        AxisWindow rows(16), columns(20);
        rows.zoom(2, 0);     // 0 to 7
        columns.zoom(2, 1);  // 10 to 19
        const Panel part = cropped(numbered_panel(), rows, columns);
        QVERIFY(!part.selected_row);
        QVERIFY(!part.selected_column);
        QVERIFY(*part.newest_row >= part.rows);  // all of them have arrived
        QCOMPARE(axis_label(part.column_axis, 0), std::string("11"));
    }

    void only_panels_of_the_zoomed_size_are_cropped() {
        Figure figure;
        figure.panels = {numbered_panel(), Panel(), numbered_panel()};
        figure.panels[1].rows = 2;
        figure.panels[1].columns = 2;
        figure.panels[1].values = {1, 2, 3, 4};
        Zoom zoom;
        zoom.fit(16, 20);
        zoom.zoom(2, 0.5, 0.5);
        const Figure part = cropped(figure, zoom);
        QCOMPARE(part.panels[0].rows, Index(8));
        QCOMPARE(part.panels[1].values, std::vector<double>({1, 2, 3, 4}));
        QCOMPARE(part.panels[2].columns, Index(10));
    }

    void fitted_colours_follow_the_cells_on_screen() {
        Figure figure;
        figure.panels.assign(2, numbered_panel());
        for (Panel& panel : figure.panels)
            panel.scale.high = 1519;
        std::vector<double> values = figure.panels[1].values.copy();
        values.back() = 1e6;  // out of sight
        figure.panels[1].values = values;
        Zoom zoom;
        zoom.rows = AxisWindow(16);
        zoom.columns = AxisWindow(20);
        zoom.zoom(2, 0, 0);
        const auto shown = [&] {
            Figure part = cropped(figure, zoom);
            fit_scales(part, {true, true}, RangeKind::fitted);
            return part.panels;
        };
        const auto panels = shown();
        QCOMPARE(panels[0].scale.low, 0.0);
        // Fitted to rows 0 to 7 and columns 0 to 9, where (7, 8) is forbidden.
        QCOMPARE(panels[0].scale.high, 707.0);
        QVERIFY(panels[0].scale == panels[1].scale);
        figure.panels[0].scale = {.map = "diverging", .low = -2000, .high = 2000};
        values.front() = -900;
        figure.panels[1].values = values;
        QCOMPARE(shown()[0].scale.high, 707.0);
        QCOMPARE(shown()[0].scale.low, -707.0);
        QCOMPARE(shown()[1].scale.low, -900.0);
        Figure whole = figure;
        fit_scales(whole, {false, false}, RangeKind::fitted);
        QVERIFY(whole.panels[1].scale == figure.panels[1].scale);
    }
};

QTEST_APPLESS_MAIN(ViewsZoomTest)

}  // namespace headlight::views_zoom_test

#include "views_zoom_test.moc"
