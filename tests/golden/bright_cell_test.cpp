// One weight of 1 among small ones is seen in the picture of a map of 32,768 tokens, wherever it lies and
// whatever part is drawn in however many pixels.

#include "core/figure/apply_options.h"
#include "core/figure/build_figure.h"
#include "core/figure/fit_scales.h"
#include "core/map/map_source.h"
#include "core/map/maps_trace.h"
#include "core/tensor/sanitizers.h"
#include "tests/support/test_file.h"
#include "ui/render/export.h"

#include <QTest>

#include <algorithm>
#include <random>

namespace headlight::bright_cell_test {

namespace {

constexpr Index tokens = is_sanitized ? 4'096 : 32'768;
constexpr double small = 0.01;

class OneBrightCell : public MapSource {
public:
    OneBrightCell(Index row, Index column) : MapSource({1, 1, tokens, tokens}), row_(row), column_(column) {}

    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override {
        read_block(place, {first, count, 0, tokens}, to);
    }
    void read_block(MapPlace, const MapBlock& block, std::span<double> to) const override {
        std::ranges::fill(to, small);
        const Index row = row_ - block.first_row, column = column_ - block.first_column;
        if (row >= 0 && row < block.rows && column >= 0 && column < block.columns)
            to[static_cast<std::size_t>(row * block.columns + column)] = 1;
    }

private:
    Index row_, column_;
};

/// The part of those rows and columns.
QImage picture(const Trace& trace, AxisSlice rows, AxisSlice columns, int width) {
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    settings.theme = FigureTheme::paper;
    settings.colour_map = "viridis";
    settings.options.rows = rows;
    settings.options.columns = columns;
    settings.options.colour_bar = false;
    Figure figure = build_figure(trace, settings);
    apply_options(figure, settings);
    complete_large_maps(figure, settings.range);
    ExportOptions size;
    size.width_px = width;
    size.dpi = 96;
    return render_image(figure, size);
}

qsizetype pixels_of(const QImage& image, const Rgb& colour) {
    const QRgb wanted = qRgb(colour.red, colour.green, colour.blue);
    const QImage plain = image.convertToFormat(QImage::Format_RGB32);
    qsizetype count = 0;
    for (int y = 0; y < plain.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(plain.constScanLine(y));
        count += std::count_if(line, line + plain.width(),
                               [&](QRgb pixel) { return (pixel & RGB_MASK) == (wanted & RGB_MASK); });
    }
    return count;
}

}  // namespace

class BrightCellTest : public QObject {
    Q_OBJECT
private slots:
    void one_bright_cell_is_seen_in_every_picture_data() {
        QTest::addColumn<int>("seed");
        for (const int seed : {1, 2})
            QTest::addRow("%d", seed) << seed;
    }
    void one_bright_cell_is_seen_in_every_picture() {
        QFETCH(const int, seed);
        std::mt19937 random(static_cast<unsigned>(seed));
        const auto below = [&](Index end) {
            return static_cast<Index>(random() % static_cast<unsigned>(end));
        };
        const Index row = below(tokens), column = below(tokens);
        const LabelledMaps maps{"", std::make_shared<OneBrightCell>(row, column), {}};
        const Trace trace = trace_of(std::span(&maps, 1), "one bright cell");
        const Rgb brightest = colour_map("viridis").table.back();
        const auto part_around = [&](Index cell) {
            // As often a few cells as all of them.
            const Index count = std::max<Index>(1, tokens >> below(16));
            return AxisSlice{std::clamp<Index>(cell - below(count), 0, tokens - count), count};
        };
        for (int turn = 0; turn < 25; ++turn) {
            const AxisSlice rows = turn == 0 ? AxisSlice{0, tokens} : part_around(row);
            const AxisSlice columns = turn == 0 ? AxisSlice{0, tokens} : part_around(column);
            const int width = 300 + static_cast<int>(below(900));
            QVERIFY2(pixels_of(picture(trace, rows, columns, width), brightest) > 0,
                     qPrintable(QStringLiteral("%1 x %2 cells, %3 pixels wide, the bright one at %4, %5")
                                    .arg(rows.count)
                                    .arg(columns.count)
                                    .arg(width)
                                    .arg(row)
                                    .arg(column)));
        }
    }
};

QTEST_MAIN(BrightCellTest)

}  // namespace headlight::bright_cell_test

#include "bright_cell_test.moc"
