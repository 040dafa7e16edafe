// What exporting and painting cost: a 1,024 x 1,024 map with labels as PDF and SVG (targets: 1 s, 500 KB),
// and figures painted to a screen's image (target for 8 heads of 64 x 64: 5 ms). scripts/compare_export.py
// prints the peers' numbers beside these.
#include "core/figure/build_figure.h"
#include "ui/render/export.h"
#include "ui/render/painter.h"

#include <QGuiApplication>
#include <QPainter>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>

using namespace headlight;

namespace {

/// softmax(gain * q k^T / sqrt(d)) of standard normal vectors: gain 1 is an untrained model, 3 a peaked one.
Trace random_attention(Index heads, Index tokens, double gain) {
    constexpr Index d = 64;
    Trace trace({{"", "weights", {Axis::head, Axis::query, Axis::key}, {heads, tokens, tokens}}});
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    std::vector<double> query(static_cast<std::size_t>(tokens * d)), key(query.size());
    for (Index head = 0; head < heads; ++head) {
        std::ranges::generate(query, [&] { return normal(random); });
        std::ranges::generate(key, [&] { return normal(random); });
        double* row = trace.values(trace.stages()[0]).data() + head * tokens * tokens;
        for (Index i = 0; i < tokens; ++i, row += tokens) {
            for (Index j = 0; j < tokens; ++j) {
                double score = 0;
                for (Index c = 0; c < d; ++c)
                    score +=
                        query[static_cast<std::size_t>(i * d + c)] * key[static_cast<std::size_t>(j * d + c)];
                row[j] = gain * score / std::sqrt(static_cast<double>(d));
            }
            const double most = *std::max_element(row, row + tokens);
            double sum = 0;
            for (Index j = 0; j < tokens; ++j)
                sum += row[j] = std::exp(row[j] - most);
            for (Index j = 0; j < tokens; ++j)
                row[j] /= sum;
        }
    }
    for (Index i = 0; i < tokens; ++i)
        trace.tokens.query.push_back("token" + std::to_string(i + 1));
    return trace;
}

template <class Work>
double best_milliseconds(int rounds, const Work& work) {
    double best = 1e9;
    for (int round = 0; round < rounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best = std::min(
            best,
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

void measure_exports() {
    std::printf("%-34s %10s %10s %10s %10s\n", "1,024 x 1,024 with labels, 85 mm", "PDF", "", "SVG", "");
    for (const auto& [name, gain] : {std::pair("random", 1.0), std::pair("peaked", 3.0)}) {
        const Trace trace = random_attention(1, 1024, gain);
        for (const RangeKind range : {RangeKind::unit, RangeKind::fitted}) {
            for (const ScaleKind scale : {ScaleKind::linear, ScaleKind::logarithmic}) {
                ViewSettings settings;
                settings.view = ViewKind::heatmap;
                settings.theme = FigureTheme::paper;
                settings.range = range;
                settings.scale = scale;
                ExportOptions options;
                options.width_mm = 85;
                std::string row = std::string(name) + (range == RangeKind::unit ? ", 0 to 1" : ", fitted") +
                                  (scale == ScaleKind::linear ? "" : ", log");
                std::printf("%-34s", row.c_str());
                for (const ExportFormat format : {ExportFormat::pdf, ExportFormat::svg}) {
                    QByteArray bytes;
                    const double time = best_milliseconds(
                        3, [&] { bytes = export_figure(build_figure(trace, settings), format, options); });
                    std::printf(" %7.0f ms %7.0f KB", time, static_cast<double>(bytes.size()) / 1000);
                }
                std::printf("\n");
            }
        }
    }
}

void measure_painting() {
    std::printf("\n%-34s %10s %10s %10s\n", "on a screen, 1280 x 800", "build", "layout", "paint");
    const struct {
        const char* name;
        ViewKind view;
        Index heads, tokens;
    } rows[] = {{"8 heads of 64 x 64", ViewKind::grid, 8, 64},
                {"64 x 64", ViewKind::heatmap, 1, 64},
                {"16 x 16 with numbers", ViewKind::heatmap, 1, 16},
                {"512 x 512", ViewKind::heatmap, 1, 512},
                {"8 heads of 512 x 512", ViewKind::grid, 8, 512}};
    for (const auto& row : rows) {
        const Trace trace = random_attention(row.heads, row.tokens, 3);
        ViewSettings settings;
        settings.view = row.view;
        QImage screen(1280, 800, QImage::Format_RGB32);
        constexpr double unit = 96.0 / 72;
        Figure figure;
        FigureLayout layout;
        const double build = best_milliseconds(20, [&] { figure = build_figure(trace, settings); });
        const double place =
            best_milliseconds(20, [&] { layout = layout_figure(figure, screen.rect(), unit); });
        const double paint = best_milliseconds(20, [&] {
            QPainter painter(&screen);
            paint_figure(painter, figure, layout, unit);
        });
        std::printf("%-34s %7.2f ms %7.2f ms %7.2f ms\n", row.name, build, place, paint);
    }
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication application(argc, argv);
    measure_exports();
    measure_painting();
    return 0;
}
