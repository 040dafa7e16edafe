// What the painter's colours tell apart: a selection on every cell, letters on every shade, heads for every
// eye.

#include "core/figure/build_figure.h"
#include "core/figure/colour_vision.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "ui/render/cell_image.h"
#include "ui/render/contrast.h"
#include "ui/render/head_lines.h"
#include "ui/render/painter.h"
#include "ui/render/text_shade.h"

#include <QPainter>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace headlight::figure_colours_test {

namespace {

Figure heatmap_of(const Trace& trace, FigureTheme theme) {
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    settings.theme = theme;
    settings.selection.stage = "weights";
    return build_figure(trace, settings);
}

constexpr FigureTheme themes[] = {FigureTheme::paper, FigureTheme::light, FigureTheme::dark,
                                  FigureTheme::projector, FigureTheme::contrast};

Rgb rgb(const QColor& colour) {
    return {static_cast<std::uint8_t>(colour.red()), static_cast<std::uint8_t>(colour.green()),
            static_cast<std::uint8_t>(colour.blue())};
}

/// Ottosson 2020, of colours of which white is 100.
std::array<double, 3> oklab(Rgb colour) {
    const double red = linear_light(colour.red), green = linear_light(colour.green),
                 blue = linear_light(colour.blue);
    const double l = std::cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue),
                 m = std::cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue),
                 s = std::cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
    return {100 * (0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s),
            100 * (1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s),
            100 * (0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)};
}

double distance(Rgb one, Rgb other) {
    const auto a = oklab(one), b = oklab(other);
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

}  // namespace

class FigureColoursTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void the_selected_cell_is_found_on_every_colour() {
        for (const FigureTheme theme : themes)
            for (const double value : {0.0, 0.25, 0.5, 0.75, 1.0}) {
                Figure figure = heatmap_of(samples::band(15, 15), theme);
                Panel& panel = figure.panels.front();
                panel.forbidden.clear();
                panel.values = std::vector<double>(panel.values.size(), value);
                panel.values_in_cells = false;
                panel.selected_row = panel.selected_column = 7;
                const FigureLayout layout = layout_figure(figure, QRectF(0, 0, 500, 500), 96.0 / 72);
                const QRectF cells = layout.panels.front().cells;
                QImage image(500, 500, QImage::Format_RGB32);
                QPainter painter(&image);
                paint_figure(painter, figure, layout, 96.0 / 72);
                painter.end();
                const double side = cells.width() / 15;
                const QColor cell = image.pixelColor((cells.topLeft() + QPointF(7.5, 7.5) * side).toPoint());
                double most = 1;
                for (int x = int(cells.left() + 6.6 * side); x < int(cells.left() + 7.4 * side); ++x)
                    most = std::max(
                        most, contrast(rgb(image.pixelColor(x, int(cells.top() + 7.5 * side))), rgb(cell)));
                QVERIFY2(
                    most >= 2.4,
                    qPrintable(QStringLiteral("theme %1, %2: %3 to 1").arg(int(theme)).arg(value).arg(most)));
            }
    }

    /// One of 256 columns, and one of 256 rows: a frame would be wider than what it shows.
    void the_selected_cell_is_seen_however_thin_it_is() {
        for (const bool is_column : {true, false}) {
            Figure figure =
                heatmap_of(is_column ? samples::band(4, 256) : samples::band(256, 4), FigureTheme::projector);
            Panel& panel = figure.panels.front();
            panel.forbidden.clear();
            panel.values = std::vector<double>(panel.values.size(), 0.75);
            panel.values_in_cells = false;
            FigureLayout layout = layout_figure(figure, QRectF(0, 0, 900, 900), 96.0 / 72);
            PanelLayout& place = layout.panels.front();
            place.cells = QRectF(200, 200, 512, 512);
            place.row_labels = place.column_labels = false;  // that of the selection is bold
            const auto painted = [&] {
                QImage image(900, 900, QImage::Format_RGB32);
                QPainter painter(&image);
                paint_figure(painter, figure, layout, 96.0 / 72);
                painter.end();
                return image;
            };
            const QImage before = painted();
            panel.selected_row = is_column ? 2 : 100;
            panel.selected_column = is_column ? 100 : 2;
            const QImage after = painted();
            // In the middle of the cell, and of its neighbours; the frame of the row is where it was.
            const QPoint middle =
                is_column ? QPoint(201 + 2 * 100, 200 + 320) : QPoint(200 + 320, 201 + 2 * 100);
            for (const int beside : {-2, 0, 2}) {
                const QPoint seen = middle + (is_column ? QPoint(beside, 0) : QPoint(0, beside));
                QCOMPARE(after.pixelColor(seen), before.pixelColor(seen));
            }
            const QPoint before_it = is_column ? QPoint(0, -64 - 3) : QPoint(-64 - 3, 0);
            QVERIFY2(after.pixelColor(middle + before_it) != before.pixelColor(middle + before_it),
                     "a pointer where the cell begins");
        }
    }

    void a_token_is_read_on_every_shade() {
        for (const FigureTheme theme : themes) {
            const FigureStyle& style = figure_style(theme);
            const QColor ink = TextInks(style).looks;
            for (int percent = 0; percent <= 100; ++percent) {
                QImage pixel(1, 1, QImage::Format_RGB32);
                pixel.fill(style.background);
                const QColor shade = text_shade(ink, percent, 100);
                QPainter(&pixel).fillRect(0, 0, 1, 1, shade);
                const double ratio = contrast(rgb(style.text), rgb(pixel.pixelColor(0, 0)));
                QVERIFY2(
                    ratio > 4.4,
                    qPrintable(
                        QStringLiteral("theme %1, %2 %: %3 to 1").arg(int(theme)).arg(percent).arg(ratio)));
            }
        }
    }

    void heads_are_told_apart_with_every_kind_of_colour_vision() {
        // In OKLab, where 2 of 100 are just seen. The same colour comes again in other dashes alone.
        constexpr double least_distance = 10, least_contrast = 2.9;
        constexpr std::size_t heads = head_colours * dash_kinds;
        for (const FigureTheme theme : themes) {
            const QColor background = figure_style(theme).background;
            const std::vector<HeadLook> looks = head_looks(heads, background);
            for (std::size_t one = 0; one < heads; ++one) {
                QVERIFY2(contrast(rgb(looks[one].colour), rgb(background)) > least_contrast,
                         qPrintable(looks[one].colour.name()));
                for (std::size_t other = 0; other < one; ++other) {
                    if (line_pen(looks[one], 1).dashPattern() != line_pen(looks[other], 1).dashPattern())
                        continue;
                    for (const ColourVision vision : {ColourVision::usual, ColourVision::protanopia,
                                                      ColourVision::deuteranopia, ColourVision::tritanopia}) {
                        const double apart = distance(seen_with(vision, rgb(looks[one].colour)),
                                                      seen_with(vision, rgb(looks[other].colour)));
                        QVERIFY2(apart > least_distance, qPrintable(QStringLiteral("%1 %2, %3: %4")
                                                                        .arg(one + 1)
                                                                        .arg(other + 1)
                                                                        .arg(int(vision))
                                                                        .arg(apart)));
                    }
                }
            }
            QVERIFY(looks[7].colour == looks[14].colour && looks[7].dashes != looks[14].dashes);
        }
        // Below zero the pattern is in the distance of the dots.
        std::set<QList<qreal>> dots;
        for (std::size_t dashes = 0; dashes < dash_kinds; ++dashes)
            dots.insert(line_pen({Qt::black, dashes, true}, 1).dashPattern());
        QCOMPARE(dots.size(), dash_kinds);
    }

    void numbers_that_read_as_zero_step_back_and_can_be_read() {
        for (const char* map : {"viridis", "diverging", "greys"}) {
            const std::span<const Rgb> table = colour_map(map).table;
            for (const Rgb colour : {table.front(), table[table.size() / 2]}) {
                const QColor cell(colour.red, colour.green, colour.blue);
                const double full = contrast(rgb(ink_on(cell)), colour),
                             quiet = contrast(rgb(quiet_ink_on(cell)), colour);
                QVERIFY2(quiet >= least_readable_contrast && quiet <= full, map);
                QVERIFY2(full < 6 || quiet < 0.6 * full, map);
            }
        }
        CellPalette palette{};
        palette.fill(qRgb(68, 1, 84));
        NumberInks inks(palette);
        QCOMPARE(inks.of(0, "0.01"), QColor(Qt::white));
        for (const char* zero : {"0", "0.00", "0.0000"})
            QCOMPARE(inks.of(0, zero), quiet_ink_on(QColor(68, 1, 84)));
    }

    void the_legend_of_many_heads_shows_their_dashes() {
        // The longest pattern is seen once at least: its last gap may be cut.
        const FigureStyle& style = figure_style(FigureTheme::paper);
        const std::vector<Panel> panels(16);
        const HeadLegend legend(panels, 1000, style, 1);
        QCOMPARE(legend.entries().size(), panels.size());
        const QRectF swatch = legend.entries().front().swatch;
        const std::vector<HeadLook> looks = head_looks(head_colours * dash_kinds, style.background);
        for (const HeadLook& look : looks) {
            double length = 0;
            for (const double part : line_pen(look, 1).dashPattern())
                length += part;
            QVERIFY(length * swatch.height() <= 1.001 * swatch.width());
        }
    }
};

QTEST_MAIN(FigureColoursTest)

}  // namespace headlight::figure_colours_test

#include "figure_colours_test.moc"
