// What the painter and the files make of an author's wishes: type, bars, backgrounds, labels, frames.

#include "core/figure/apply_options.h"
#include "core/figure/build_figure.h"
#include "core/figure/cell_signs.h"
#include "core/map/query_key_maps.h"
#include "core/tensor/error.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "ui/render/export.h"
#include "ui/render/figure_style.h"
#include "ui/render/hatching.h"
#include "ui/render/label_plan.h"
#include "ui/render/painter.h"
#include "ui/render/typeface.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

#include <array>
#include <cmath>

namespace headlight::figure_options_painting_test {

namespace {

Figure drawn(const Trace& trace, const FigureOptions& options, FigureTheme theme = FigureTheme::paper,
             ViewKind kind = ViewKind::heatmap) {
    ViewSettings settings;
    settings.view = kind;
    settings.theme = theme;
    settings.options = options;
    Figure figure = build_figure(trace, settings);
    apply_options(figure, settings);
    return figure;
}

ExportOptions wide(double mm) {
    ExportOptions options;
    options.width_mm = mm;
    return options;
}

FigureLayout layout_of(const Figure& figure, double width) {
    return layout_figure(figure, QRectF(0, 0, 16 * width, 16 * natural_height(figure, width)), 16);
}

/// One that is not the program's own, and that the system draws Latin letters with.
QString another_family() {
    for (const QString& family : font_families())
        if (family.startsWith(QLatin1String("DejaVu")) || family.startsWith(QLatin1String("Liberation")))
            return family;
    return {};
}

const FigureTheme themes[] = {FigureTheme::paper, FigureTheme::light, FigureTheme::dark,
                              FigureTheme::projector, FigureTheme::contrast};

/// A map of so many tokens whose mask allows keys up to the query, `window` of them.
LargeMap masked_map(Index tokens, Index window) {
    class Vectors : public MapSource {
    public:
        explicit Vectors(Index tokens) : MapSource({1, 1, tokens, 2}) {}
        void read_rows(MapPlace, Index, Index, std::span<double> to) const override {
            std::ranges::fill(to, 0.5);
        }
    };
    QueryKeyTerms terms;
    terms.windows = {window};
    const auto vectors = std::make_shared<Vectors>(tokens);
    LargeMap map;
    map.tiles = std::make_shared<const MapTiles>(std::make_shared<QueryKeyMaps>(vectors, vectors, terms));
    return map;
}

}  // namespace

class FigureOptionsPaintingTest : public QObject {
    Q_OBJECT
private slots:
    /// Every line lies in forbidden cells alone, and together they are as long as so many lines through all
    /// forbidden cells would be.
    void a_large_map_is_hatched_where_its_mask_forbids() {
        constexpr Index tokens = 5'000, window = 700;
        Panel panel;
        panel.large = masked_map(tokens, window);
        const auto part = [&](Index row, Index column, Index rows, Index columns) {
            panel.large->first_row = row;
            panel.large->first_column = column;
            panel.rows = rows;
            panel.columns = columns;
            const QRectF cells(10, 20, 300, 200);
            const double spacing = 3, width = cells.width() / static_cast<double>(columns),
                         height = cells.height() / static_cast<double>(rows);
            double length = 0;
            for (const QLineF& line : hatch_lines(panel, cells, spacing)) {
                length += line.length();
                for (const double along : {0.01, 0.3, 0.5, 0.99}) {
                    const QPointF at = line.pointAt(along) - cells.topLeft();
                    // An edge of a cell is on either side.
                    const auto key = column + static_cast<Index>(std::clamp(at.x(), 0.0, 299.99) / width);
                    const auto query = row + static_cast<Index>(std::clamp(at.y(), 0.0, 199.99) / height);
                    const auto slack = static_cast<Index>(1 / width + 1 / height) + 1;
                    if (key <= query - slack && query - key < window - slack)
                        return -1.0;
                }
            }
            double forbidden = 0;
            for (int y = 0; y < 200; ++y)
                for (int x = 0; x < 300; ++x) {
                    const Index key = column + static_cast<Index>((x + 0.5) / width),
                                query = row + static_cast<Index>((y + 0.5) / height);
                    forbidden += key > query || query - key >= window;
                }
            const double expected = forbidden / (spacing / std::sqrt(2));
            return expected > 0 ? length / expected : length == 0 ? 1.0 : 2.0;
        };
        for (const auto& [row, column, rows, columns] : {std::array<Index, 4>{0, 0, tokens, tokens},
                                                         {2'000, 1'000, 1'500, 3'000},
                                                         {3'000, 0, 900, 900},
                                                         {0, 3'000, 900, 900},
                                                         {2'000, 1'200, 200, 300},
                                                         {2'300, 2'290, 12, 20}}) {
            const double share = part(row, column, rows, columns);
            QVERIFY2(std::abs(share - 1) < 0.05, qPrintable(QString::number(share)));
        }
        QCOMPARE(part(2'000, 1'500, 100, 100), 1.0);  // all of it is allowed
    }

    /// On the lines that hatch_lines() has, and nowhere but in forbidden cells.
    void pixels_are_hatched_where_lines_would_be() {
        constexpr Index rows = 40, columns = 60;
        constexpr double spacing = 6.7;
        Panel panel;
        panel.rows = rows;
        panel.columns = columns;
        panel.values = std::vector<double>(std::size_t(rows * columns), 0.5);
        CellCodes cells{rows, columns, std::vector<std::uint16_t>(std::size_t(rows * columns), 7)};
        for (Index row = 0; row < rows; ++row)
            for (Index column = row + 1; column < columns; ++column)
                cells.codes[std::size_t(row * columns + column)] = CellCodes::forbidden;
        panel.forbidden.resize(cells.codes.size());
        std::ranges::transform(cells.codes, panel.forbidden.begin(),
                               [](std::uint16_t code) { return code == CellCodes::forbidden; });
        double length = 0;
        QList<double> sums;
        for (const QLineF& line : hatch_lines(panel, QRectF(0, 0, columns, rows), spacing)) {
            length += line.length();
            sums += line.x1() + line.y1();
        }
        hatch_pixels(cells, spacing, 1);
        double hatched = 0;
        for (Index row = 0; row < rows; ++row)
            for (Index column = 0; column < columns; ++column) {
                const std::uint16_t code = cells.at(row, column);
                QCOMPARE(code == 7, column <= row);
                if (code != CellCodes::hatched)
                    continue;
                ++hatched;
                QVERIFY(std::ranges::any_of(
                    sums, [&](double sum) { return std::abs(double(row + column + 1) - sum) <= 1; }));
            }
        QVERIFY2(std::abs(hatched * std::sqrt(2) / length - 1) < 0.05, qPrintable(QString::number(hatched)));
        hatch_pixels(cells, spacing, 2);
        QVERIFY(std::abs(double(std::ranges::count(cells.codes, CellCodes::hatched)) / hatched - 2) < 0.05);
    }

    /// One of fewer cells than pixels, one of as many, and one of a matrix wider than what is told apart.
    void a_painted_large_map_is_hatched_data() {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<double>("scale");
        QTest::newRow("fewer cells") << 300 << 1.0;
        QTest::newRow("a cell a pixel") << 3'000 << 1.0;
        QTest::newRow("a cell a pixel, two for one") << 3'000 << 2.0;
        QTest::newRow("more pixels than are told apart") << 3'000 << 4.0;
    }
    void a_painted_large_map_is_hatched() {
        QFETCH(int, tokens);
        QFETCH(double, scale);
        Figure figure;
        Panel& panel = figure.panels.emplace_back();
        panel.large = masked_map(tokens, tokens);
        panel.large->waits = true;
        panel.rows = panel.columns = tokens;
        const QRectF area(0, 0, 700, 700);
        const FigureLayout layout = layout_figure(figure, area, 1);
        QImage image((area.size() * scale).toSize(), QImage::Format_RGB32);
        QPainter painter(&image);
        painter.scale(scale, scale);
        paint_figure(painter, figure, layout, 1);
        painter.end();
        // Where a line is thinner than a pixel, it is as much paler.
        const FigureStyle style = figure_style(figure);
        const QColor hatch =
            mixed(style.forbidden, style.hatch, std::min(1.0, 0.6 * style.frame_line * scale));
        const QRectF& cells = layout.panels.front().cells;
        double forbidden = 0, hatched = 0, hatched_allowed = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const double right = (x / scale - cells.left()) / cells.width(),
                             down = (y / scale - cells.top()) / cells.height();
                const double inside = std::min({right, down, 1 - right, 1 - down});
                if (inside < 0.02 || std::abs(right - down) < 0.02)
                    continue;
                const bool is_hatch = std::abs(image.pixelColor(x, y).red() - hatch.red()) <= 2;
                forbidden += right > down;
                (right > down ? hatched : hatched_allowed) += is_hatch;
            }
        QCOMPARE(hatched_allowed, 0.0);
        const double share = hatched / forbidden;
        QVERIFY2(share > 0.08 && share < 0.35, qPrintable(QString::number(share)));
    }

    void cells_say_what_their_colours_cannot() {
        Panel panel;
        panel.rows = panel.columns = 4;
        std::vector<double> values(16, 0.5);
        values[0] = 3;
        values[5] = -3;
        values[10] = HUGE_VAL;
        values[15] = std::nan("");
        panel.values = values;
        panel.values_in_cells = false;
        panel.scale = {.map = "greys", .low = 0, .high = 1, .clips_low = true, .clips_high = true};
        Figure figure;
        figure.panels = {panel};
        tell_cell_signs(figure);
        QVERIFY(figure.caption.find("infinite") != std::string::npos);
        Figure without = figure;
        without.panels[0].values =
            std::vector<double>{1, .5, .5, .5, .5, 0, .5, .5, .5, .5, 1, .5, .5, .5, .5, .5};
        const QImage image = render_image(figure, wide(100)), plain = render_image(without, wide(100));
        const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), image.size()), 300 / 72.0);
        const QRectF cells = layout.panels.front().cells;
        const auto differs = [&](int row, int column) {
            int count = 0;
            const QSizeF cell = cells.size() / 4;
            const QRect area = QRectF(cells.left() + column * cell.width(), cells.top() + row * cell.height(),
                                      cell.width(), cell.height())
                                   .toRect()
                                   .adjusted(8, 8, -8, -8);
            for (int y = area.top(); y <= area.bottom(); ++y)
                for (int x = area.left(); x <= area.right(); ++x)
                    count += image.pixel(x, y) != plain.pixel(x, y);
            return count;
        };
        for (int at = 0; at < 4; ++at)
            QVERIFY2(differs(at, at) > 50, qPrintable(QString::number(at)));
        QCOMPARE(differs(0, 1), 0);
        for (const ExportFormat format : {ExportFormat::svg, ExportFormat::pgf, ExportFormat::typ})
            QVERIFY(export_figure(figure, format, wide(100)) != export_figure(without, format, wide(100)));
        const QByteArray tex = export_figure(figure, ExportFormat::tex, wide(100));
        QCOMPARE(tex.count("\\fill[white] (axis cs:") + tex.count("\\fill[black] (axis cs:"), 2);
        QVERIFY(tex.contains("-- cycle;"));
    }

    void the_sign_of_no_number_stands_where_the_number_would() {
        Panel panel;
        panel.rows = panel.columns = 2;
        panel.values = std::vector<double>{0.5, 0.5, 0.5, std::nan("")};
        panel.scale = {.map = "greys", .low = 0, .high = 1};
        Figure figure;
        figure.panels = {panel};
        const QImage image = render_image(figure, wide(100));
        const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), image.size()), 300 / 72.0);
        QVERIFY(layout.panels.front().values);
        const QRectF cells = layout.panels.front().cells;
        const auto pixel = [&](double share) {
            return image.pixel((cells.topLeft() + share * (cells.bottomRight() - cells.topLeft())).toPoint());
        };
        QVERIFY(pixel(0.75) != pixel(0.6));
        QCOMPARE(pixel(0.9), pixel(0.6));
        QVERIFY(export_figure(figure, ExportFormat::tex, wide(100)).contains("(axis cs:0.8,0.8)"));
    }

    void a_transparent_png_has_no_background() {
        for (const FigureTheme theme : themes) {
            FigureOptions options;
            const QImage opaque = render_image(drawn(samples::sentence(), options, theme), wide(120));
            QVERIFY(!opaque.hasAlphaChannel());
            options.transparent = true;
            const Figure figure = drawn(samples::sentence(), options, theme);
            const QImage image = QImage::fromData(export_figure(figure, ExportFormat::png, wide(120)), "PNG");
            QVERIFY(image.hasAlphaChannel());
            QCOMPARE(image.size(), opaque.size());
            QCOMPARE(qAlpha(image.pixel(0, 0)), 0);
            QCOMPARE(qAlpha(image.pixel(image.width() - 1, image.height() - 1)), 0);
            const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), image.size()), 300 / 72.0);
            const QPoint cell = layout.panels.front().cells.center().toPoint() + QPoint(5, 5);
            QCOMPARE(qAlpha(image.pixel(cell)), 255);
            QCOMPARE(image.pixelColor(cell), opaque.pixelColor(cell));
        }
    }

    void a_gif_has_its_background_in_any_case() {
        FigureOptions options;
        options.transparent = true;
        const Figure figure = drawn(samples::sentence(), options, FigureTheme::light);
        const QImage image = QImage::fromData(export_figure(figure, ExportFormat::gif, wide(120)), "GIF");
        QVERIFY(!image.isNull());
        QVERIFY(image.pixelColor(0, 0).lightness() > 200);  // black, where nothing has been drawn
    }

    void a_transparent_svg_and_pdf_have_no_background() {
        FigureOptions options;
        const QByteArray dark = figure_style(FigureTheme::dark).background.name().toUtf8();
        const auto svg = [&] {
            return export_figure(drawn(samples::band(6, 6), options, FigureTheme::dark), ExportFormat::svg,
                                 wide(120));
        };
        const auto is_filled = [&](const QByteArray& bytes) {
            const QRegularExpression page(
                QStringLiteral("fill=\"%1\"[^>]*>\\s*<path[^>]*d=\"M0,0 ").arg(QString::fromUtf8(dark)));
            return page.match(QString::fromUtf8(bytes)).hasMatch() || bytes.contains("<rect x=\"0\" y=\"0\"");
        };
        const QByteArray before = svg();
        options.transparent = true;
        const QByteArray after = svg();
        QVERIFY(is_filled(before));
        QVERIFY(!is_filled(after));
        const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdftoppm"));
        if (tool.isEmpty())
            QSKIP("pdftoppm is not installed");
        QProcess process;
        process.start(tool, {QStringLiteral("-r"), QStringLiteral("60"), QStringLiteral("-")});
        process.write(export_figure(drawn(samples::band(6, 6), options, FigureTheme::dark), ExportFormat::pdf,
                                    wide(120)));
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished());
        const QImage page = QImage::fromData(process.readAllStandardOutput(), "PPM");
        QVERIFY(!page.isNull());
        QCOMPARE(page.pixelColor(1, 1), QColor(Qt::white));  // the viewer's own paper
    }

    void type_has_the_size_that_is_asked_for() {
        FigureOptions options;
        options.type.size = 7;
        const FigureStyle ours = figure_style(drawn(samples::sentence(), {}));
        const FigureStyle style = figure_style(drawn(samples::sentence(), options));
        QCOMPARE(style.label, 7.0);
        QCOMPARE(style.title / style.label, ours.title / ours.label);
        QCOMPARE(style.caption / style.label, ours.caption / ours.label);
        QCOMPARE(style.least_label, ours.least_label);
        options.type.size = 5;  // smaller than labels would be otherwise
        QCOMPARE(figure_style(drawn(samples::sentence(), options)).least_label, 5.0);
    }

    void all_lines_keep_their_proportion() {
        FigureOptions options;
        options.type.line_width = 0.25;
        for (const FigureTheme theme : themes) {
            const FigureStyle plain = figure_style(drawn(samples::sentence(), {}, theme));
            const FigureStyle asked = figure_style(drawn(samples::sentence(), options, theme));
            QCOMPARE(asked.frame_line, 0.25);
            QCOMPARE(asked.line_share, 0.25 / plain.frame_line);
            QCOMPARE(asked.grid_line / asked.frame_line, plain.grid_line / plain.frame_line);
            QCOMPARE(asked.mark_line / asked.frame_line, plain.mark_line / plain.frame_line);
            QCOMPARE(asked.label, plain.label);
            QCOMPARE(asked.least_label, plain.least_label);
        }
    }

    void no_text_is_smaller_than_the_least_size() {
        FigureOptions options;
        options.type.size = 6;
        options.type.least_size = 5.5;
        for (const FigureTheme theme : themes) {
            const FigureStyle style = figure_style(drawn(samples::sentence(), options, theme));
            const double least = theme == FigureTheme::projector ? 13.5 : 5.5;
            for (const double size :
                 {style.title, style.panel_title, style.subtitle, style.label, style.axis_title, style.value,
                  style.tick, style.operation, style.caption, style.least_label})
                QVERIFY2(size >= least, qPrintable(QString::number(size)));
            QCOMPARE(style.least_scale, 1.0);
        }
    }

    void labels_thin_where_they_would_become_smaller() {
        FigureOptions options;
        options.type.least_size = 5;
        const Figure small = drawn(samples::band(90, 90), options);
        const PanelLayout place = layout_of(small, 240).panels.front();
        QVERIFY(place.label_size >= 5 * 16 - 1);
        QVERIFY(place.row_stride > 1);
        options.type.least_size = 2;
        const PanelLayout tiny = layout_of(drawn(samples::band(90, 90), options), 240).panels.front();
        QVERIFY(tiny.label_size < 5 * 16 - 1);
        QVERIFY(tiny.row_stride < place.row_stride);
    }

    void the_font_is_that_of_all_text() {
        const QString family = another_family();
        if (family.isEmpty())
            QSKIP("no other font is installed");
        FigureOptions options;
        options.type.font = family.toUpper().toStdString();
        const Figure figure = drawn(samples::sentence(), options);
        QCOMPARE(figure_style(figure).family, family);
        const QString svg = QString::fromUtf8(export_figure(figure, ExportFormat::svg, wide(120)));
        QVERIFY(svg.contains(QStringLiteral("text{font-family:\"%1\"").arg(family)) ||
                svg.contains(QStringLiteral("text{font-family:&quot;%1&quot;").arg(family)) ||
                svg.contains(QStringLiteral("text{font-family:%1").arg(family)));
        QVERIFY(!svg.contains(QLatin1String("font-family=\"Inter\"")));
        const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdffonts"));
        if (tool.isEmpty())
            QSKIP("pdffonts is not installed");
        QProcess process;
        process.start(tool, {QStringLiteral("-")});
        process.write(export_figure(figure, ExportFormat::pdf, wide(120)));
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished());
        const QString fonts = QString::fromUtf8(process.readAllStandardOutput());
        QVERIFY2(fonts.contains(QString(family).remove(QChar(' '))), qPrintable(fonts));
        QVERIFY2(!fonts.contains(QLatin1String("Inter")), qPrintable(fonts));
    }

    void a_font_that_is_missing_is_passed_over() {
        FigureOptions options;
        options.type.font = "No Such Family";
        QCOMPARE(figure_style(drawn(samples::sentence(), options)).family, QString());
    }

    void without_a_bar_the_matrix_has_its_room() {
        FigureOptions options;
        const FigureLayout with = layout_of(drawn(samples::sentence(), options), 200);
        options.colour_bar = false;
        const FigureLayout without = layout_of(drawn(samples::sentence(), options), 200);
        QVERIFY(!with.colour_bar.isEmpty());
        QVERIFY(without.colour_bar.isEmpty());
        QVERIFY(without.panels.front().cells.width() > with.panels.front().cells.width());
    }

    void titles_take_room_only_where_they_are() {
        FigureOptions options;
        const FigureLayout ours = layout_of(drawn(samples::sentence(), options), 200);
        QVERIFY(ours.subtitle.isEmpty());
        options.subtitle = "of one sentence";
        const FigureLayout with = layout_of(drawn(samples::sentence(), options), 200);
        QVERIFY(with.subtitle.height() > 0);
        QVERIFY(with.subtitle.top() >= with.title.bottom());
        QVERIFY(with.subtitle.bottom() <= with.panels.front().frame.top() + 1);
        options.title = options.subtitle = options.x_title = options.y_title = "";
        options.panel_titles = false;
        const Figure bare = drawn(samples::sentence(), options);
        const FigureLayout without = layout_of(bare, 200);
        QVERIFY(without.title.isEmpty() && without.subtitle.isEmpty());
        QVERIFY(without.panels.front().title.isEmpty());
        QVERIFY(without.panels.front().row_title.isEmpty());
        QVERIFY(natural_height(bare, 200) < natural_height(drawn(samples::sentence(), {}), 200));
    }

    void digits_are_those_that_are_asked_for() {
        FigureOptions options;
        for (const int digits : {0, 1, 3}) {
            options.digits = digits;
            const PanelLayout place = layout_of(drawn(samples::sentence(), options), 400).panels.front();
            QVERIFY(place.values);
            QCOMPARE(place.value_decimals, digits);
        }
        options.digits = 6;
        QVERIFY2(!layout_of(drawn(samples::band(40, 40), options), 300).panels.front().values,
                 "they do not fit, and fewer were not asked for");
    }

    void hidden_labels_take_no_room() {
        Trace trace = samples::sentence();
        trace.tokens.query[2] = trace.tokens.key[2] = "a-very-long-token-indeed";
        FigureOptions options;
        const PanelLayout with = layout_of(drawn(trace, options), 200).panels.front();
        options.hidden_labels = "very";
        const PanelLayout without = layout_of(drawn(trace, options), 200).panels.front();
        QVERIFY(without.row_label_area.width() < 0.7 * with.row_label_area.width());
    }

    void hidden_labels_are_not_written() {
        FigureOptions options;
        options.hidden_labels = "river";
        const auto svg = [&](const FigureOptions& wanted) {
            return export_figure(drawn(samples::sentence(), wanted), ExportFormat::svg, wide(120));
        };
        QVERIFY(svg({}).contains(">river<"));
        QVERIFY(!svg(options).contains(">river<"));
        QVERIFY(svg(options).contains(">bank<"));
    }

    void framed_cells_are_seen() {
        FigureOptions options;
        const Figure plain = drawn(samples::sentence(), options);
        options.marks = {{{4, 1}, {1, 1}}};
        const Figure marked = drawn(samples::sentence(), options);
        const QImage before = render_image(plain, wide(120)), after = render_image(marked, wide(120));
        const FigureLayout layout = layout_figure(marked, QRectF(QPointF(), after.size()), 300 / 72.0);
        const QRectF& cells = layout.panels.front().cells;
        const double cell = cells.width() / 8;
        const QColor mark = figure_style(FigureTheme::paper).mark;
        const auto is_mark = [&](const QImage& image, double column, double row) {
            const QColor at = image.pixelColor(
                QPointF(cells.left() + column * cell, cells.top() + row * cells.height() / 8).toPoint());
            return std::abs(at.red() - mark.red()) + std::abs(at.green() - mark.green()) +
                       std::abs(at.blue() - mark.blue()) <
                   40;
        };
        QVERIFY(is_mark(after, 1.5, 4));
        QVERIFY(is_mark(after, 1.5, 5));
        QVERIFY(is_mark(after, 1, 4.5));
        QVERIFY(is_mark(after, 2, 4.5));
        QVERIFY(!is_mark(before, 1.5, 4));
        QVERIFY(!is_mark(after, 3.5, 4));
    }

    void a_bar_title_that_is_given_is_cut_rather_than_dropped() {
        FigureOptions options;
        options.bar_title =
            "a title that is by far too long for the bar beside this small matrix, which it is";
        const auto svg = [&] {
            return QString::fromUtf8(
                export_figure(drawn(samples::sentence(), options), ExportFormat::svg, wide(85)));
        };
        QVERIFY(svg().contains(QLatin1String(">a title")));
        options.bar_title = "";
        QVERIFY(!svg().contains(QLatin1String(">a title")));
        QVERIFY(!svg().contains(QLatin1String(">weights<")));
        options.bar_title = "α";
        QVERIFY(svg().contains(QString::fromUtf8(">α<")));
    }
};

QTEST_MAIN(FigureOptionsPaintingTest)

}  // namespace headlight::figure_options_painting_test

#include "figure_options_painting_test.moc"
