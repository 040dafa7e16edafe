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
#include <tuple>

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

constexpr double of_shapes = 3;  // the least contrast by WCAG 2, 1.4.11

/// 15 by 15 cells of one number, from 0 to 1.
Figure plain_heatmap(FigureTheme theme, const char* map, double value) {
    Figure figure = heatmap_of(samples::band(15, 15), theme);
    Panel& panel = figure.panels.front();
    panel.forbidden.clear();
    panel.values = std::vector<double>(panel.values.size(), value);
    panel.values_in_cells = false;
    panel.scale = {.map = map, .low = 0, .high = 1};
    return figure;
}

/// A figure of 15 by 15 cells as a screen shows it. Places are counted in cells.
struct Painted {
    FigureLayout layout;
    QImage image{500, 500, QImage::Format_RGB32};

    explicit Painted(const Figure& figure)
        : layout(layout_figure(figure, QRectF(0, 0, 500, 500), 96.0 / 72)) {
        QPainter painter(&image);
        paint_figure(painter, figure, layout, 96.0 / 72);
    }
    QColor at(double column, double row) const {
        const QRectF& cells = layout.panels.front().cells;
        return image.pixelColor(
            (cells.topLeft() + QPointF(column * cells.width(), row * cells.height()) / 15).toPoint());
    }
    /// The largest contrast with a colour on a line that is thin, a few pixels around a place.
    double most_contrast_across(double column, double row, const QColor& with) const {
        double most = 1;
        for (double away = -0.2; away <= 0.2; away += 0.02)
            most = std::max(most, contrast(rgb(at(column + (std::floor(column) == column ? away : 0),
                                                  row + (std::floor(row) == row ? away : 0))),
                                           rgb(with)));
        return most;
    }
    /// The same in the middle of a cell.
    double most_contrast_in(Index column, Index row, const QColor& with) const {
        double most = 1;
        for (double x = 0.2; x <= 0.8; x += 0.02)
            for (double y = 0.2; y <= 0.8; y += 0.02)
                most = std::max(
                    most, contrast(rgb(at(static_cast<double>(column) + x, static_cast<double>(row) + y)),
                                   rgb(with)));
        return most;
    }
};

}  // namespace

class FigureColoursTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    /// On every colour of every map, in the line of the cell, of its row and of its column.
    void the_selection_is_found_on_every_colour() {
        constexpr Index selected = 7;
        for (const FigureTheme theme : themes)
            for (const char* map : {"viridis", "magma", "greys", "diverging"})
                for (int value = 0; value <= 16; ++value) {
                    Figure figure = plain_heatmap(theme, map, value / 16.0);
                    Panel& panel = figure.panels.front();
                    panel.selected_row = panel.selected_column = selected;
                    const Painted painted(figure);
                    const QColor cell = painted.at(3.5, 3.5);
                    for (const auto& [name, x, y] :
                         {std::tuple("cell", 7.0, 7.5), std::tuple("row", 3.5, 7.0),
                          std::tuple("column", 7.0, 3.5)}) {
                        const double most = painted.most_contrast_across(x, y, cell);
                        QVERIFY2(most >= of_shapes, qPrintable(QStringLiteral("theme %1, %2 %3, %4: %5 to 1")
                                                                   .arg(int(theme))
                                                                   .arg(QLatin1String(map))
                                                                   .arg(value)
                                                                   .arg(QLatin1String(name))
                                                                   .arg(most)));
                    }
                }
    }

    void the_newest_row_is_found_on_every_colour() {
        for (const FigureTheme theme : themes)
            for (int value = 0; value <= 16; ++value)
                for (const bool is_elsewhere : {false, true}) {
                    Figure figure = plain_heatmap(theme, "viridis", value / 16.0);
                    Panel& panel = figure.panels.front();
                    panel.newest_row = 9;
                    if (is_elsewhere)
                        panel.selected_row = 1;
                    const Painted painted(figure);
                    const double most = painted.most_contrast_across(3.5, 9, painted.at(3.5, 5.5));
                    QVERIFY2(
                        most >= of_shapes,
                        qPrintable(
                            QStringLiteral("theme %1, %2: %3 to 1").arg(int(theme)).arg(value).arg(most)));
                }
    }

    /// Each by its colour, and what is forbidden by its lines.
    void zeros_forbidden_cells_and_the_ground_are_three_things_in_high_contrast() {
        const FigureStyle& style = figure_style(FigureTheme::contrast);
        for (const ColourMap& map : colour_maps()) {
            const auto shown = shown_colours(map.name, style);
            for (const Rgb colour : shown)
                for (const QColor& ground : {style.background, style.forbidden})
                    QVERIFY2(contrast(colour, rgb(ground)) >= of_shapes, map.name.data());
            QVERIFY(shown.front() != shown.back());
            QVERIFY(!map.diverging || shown[127] == map.table[127]);
        }
        QVERIFY(contrast(rgb(style.missing), rgb(style.background)) >= of_shapes);
        Figure figure = plain_heatmap(FigureTheme::contrast, "viridis", 0);
        Panel& panel = figure.panels.front();
        panel.forbidden = std::vector<std::uint8_t>(panel.values.size(), 0);
        panel.forbidden[8 * 15 + 8] = 1;
        panel.newest_row = 9;  // below it is the ground
        const Painted painted(figure);
        const QColor zero = painted.at(3.5, 3.5), ground = painted.at(3.5, 12.5);
        QCOMPARE(ground, style.background);
        QVERIFY(contrast(rgb(zero), rgb(ground)) >= of_shapes);
        QVERIFY(painted.most_contrast_across(4, 3.5, zero) >= of_shapes);  // parted from its neighbour
        QVERIFY(painted.most_contrast_in(8, 8, ground) >= of_shapes);
        QVERIFY(painted.most_contrast_in(8, 8, zero) >= of_shapes);
    }

    void other_themes_show_maps_as_they_are_published() {
        for (const FigureTheme theme : themes)
            for (const ColourMap& map : colour_maps())
                if (theme != FigureTheme::contrast)
                    QVERIFY(std::ranges::equal(shown_colours(map.name, figure_style(theme)),
                                               theme == FigureTheme::dark ? map.on_dark : map.table));
    }

    /// A zero is no blank cell although it is dark, and a small number not one that is missing.
    void numbers_around_zero_are_told_from_other_cells_in_the_dark() {
        constexpr double just_seen = 2;  // of 100 in OKLab
        const FigureStyle& style = figure_style(FigureTheme::dark);
        for (const Rgb colour : shown_colours("diverging", style))
            for (const QColor& other : {style.background, style.forbidden, style.missing})
                QVERIFY2(distance(colour, rgb(other)) > just_seen, qPrintable(other.name()));
    }

    /// The bar beside the cells names the colours that the cells have.
    void the_colour_bar_has_the_colours_of_the_cells() {
        for (const FigureTheme theme : themes) {
            const Figure figure = plain_heatmap(theme, "viridis", 0);
            const Painted painted(figure);
            QVERIFY(!painted.layout.colour_bar.isEmpty());
            const QRectF& bar = painted.layout.colour_bar;
            const bool is_upright = bar.height() > bar.width();
            const QPointF low = is_upright ? QPointF(bar.center().x(), bar.bottom() - 3)
                                           : QPointF(bar.left() + 3, bar.center().y());
            const QColor end = painted.image.pixelColor(low.toPoint());
            QVERIFY2(distance(rgb(end), rgb(painted.at(3.5, 3.5))) < 8, qPrintable(end.name()));
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
                             quiet = contrast(rgb(quiet_ink_on(cell, least_readable_contrast)), colour);
                QVERIFY2(quiet >= least_readable_contrast && quiet <= full, map);
                QVERIFY2(full < 6 || quiet < 0.6 * full, map);
            }
        }
        CellPalette palette{};
        palette.fill(qRgb(68, 1, 84));
        NumberInks inks(palette, figure_style(FigureTheme::light));
        QCOMPARE(inks.of(0, "0.01"), QColor(Qt::white));
        for (const char* zero : {"0", "0.00", "0.0000"})
            QCOMPARE(inks.of(0, zero), quiet_ink_on(QColor(68, 1, 84), least_readable_contrast));
    }

    /// From the last row of a class, and for eyes that need it, thin type needs more than 4.5 to 1.
    void numbers_that_read_as_zero_are_read_from_afar() {
        for (const FigureTheme theme : themes) {
            const FigureStyle& style = figure_style(theme);
            const bool is_strong = theme == FigureTheme::projector || theme == FigureTheme::contrast;
            const double least = is_strong ? 7 : least_readable_contrast;
            QVERIFY(style.least_zero_contrast == least);
            for (const char* map : {"viridis", "magma", "greys", "diverging"}) {
                const auto shown = shown_colours(map, style);
                CellPalette palette{};
                std::ranges::transform(shown, palette.begin(), [](Rgb colour) {
                    return qRgb(colour.red, colour.green, colour.blue);
                });
                NumberInks inks(palette, style);
                for (std::uint16_t code = 0; code < shown.size(); ++code) {
                    const Rgb cell = shown[code];
                    const double full = contrast(rgb(inks.of(code, "0.12")), cell),
                                 quiet = contrast(rgb(inks.of(code, "0.00")), cell);
                    const auto said = QStringLiteral("theme %1, %2 %3: %4 of %5 to 1")
                                          .arg(int(theme))
                                          .arg(QLatin1String(map))
                                          .arg(code)
                                          .arg(quiet)
                                          .arg(full);
                    QVERIFY2(quiet >= std::min(least, full) && quiet <= full, qPrintable(said));
                }
            }
        }
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
