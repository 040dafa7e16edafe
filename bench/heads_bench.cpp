// How long a person waits for all heads, in the real window. Of a long text (n = 457 tokens, 8 heads): from
// the click on the tab "Heads" to the painted view, the first time, when the view is made, and again; target
// 100 ms. Of a large model (80 layers of 64 heads, 64 tokens): for the first picture of them all, to sort
// them, to brush their points, target 16 ms a frame, and to open one, target 100 ms. Needs a display (Xvfb,
// or QT_QPA_PLATFORM=offscreen).
#include "bench/window_bench.h"
#include "core/analysis/head_statistics.h"
#include "core/figure/view.h"
#include "core/io/files.h"
#include "core/io/safetensors.h"
#include "core/io/session_capture.h"
#include "resources/resources.h"
#include "ui/models/head_overviews.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/heads_canvas.h"

#include <QMouseEvent>
#include <QTabBar>

#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

using namespace headlight;

namespace {

constexpr int tokens = 457;

void click(QWidget& widget, QPoint at) {
    for (const auto type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
        const Qt::MouseButtons held = type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton;
        QMouseEvent event(type, at, widget.mapToGlobal(at), Qt::LeftButton, held, Qt::NoModifier);
        QApplication::sendEvent(&widget, &event);
    }
}

void click_tab(ViewTabs& tabs, int number) { click(*tabs.tabBar(), tabs.tabBar()->tabRect(number).center()); }

int number_of(ViewKind view) {
    return static_cast<int>(std::ranges::find(views(), view, &View::kind) - views().begin());
}

void report(const char* what, const Moves& moves) {
    std::printf("%-24s median %7.2f ms   worst %7.2f ms   processor %7.2f ms\n", what, median(moves.wall),
                *std::ranges::max_element(moves.wall), median(moves.processor));
}

void measure_long_text(MainWindow& window) {
    window.document().reset(session_of(tokens));
    process_events_until([&] {
        const auto run = window.document().run();
        return run && std::ssize(run->trace->tokens.query) == tokens;
    });
    ViewTabs& tabs = window.views();
    const int heads = number_of(ViewKind::grid), stages = number_of(ViewKind::stages);
    process_events_until([] { return false; });

    std::printf("click to painted, multi_head, n = %d, 8 heads, 1280 x 800 (target 100 ms)\n", tokens);
    PaintWatch watch;
    Moves first, again;
    measure(first, watch, [&] {
        click_tab(tabs, heads);
        watch.add(tabs.view(ViewKind::grid)->findChild<FigureCanvas*>());
        watch.clear();
    });
    for (int round = 0; round < 9; ++round) {
        click_tab(tabs, stages);
        for (int settle = 0; settle < 20; ++settle)
            QApplication::processEvents();
        measure(again, watch, [&] { click_tab(tabs, heads); });
    }
    report("the tab, first time", first);
    report("the tab, again", again);
}

constexpr Index layers = 80, heads_in_a_layer = 64, captured_tokens = 64;

/// Weights at random, each row with a sum of 1.
QString write_capture(const QTemporaryDir& folder) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> share(0.01, 1);
    SafetensorsFile file;
    Tensor& maps = file.tensors["maps"] =
        Tensor({layers, heads_in_a_layer, captured_tokens, captured_tokens});
    const auto numbers = maps.values();
    for (auto row = numbers.begin(); row != numbers.end(); row += captured_tokens) {
        std::generate_n(row, captured_tokens, [&] { return std::pow(share(random), 8); });
        const double sum = std::accumulate(row, row + captured_tokens, 0.0);
        std::for_each(row, row + captured_tokens, [&](double& weight) { weight /= sum; });
    }
    const QString path = folder.filePath(QStringLiteral("model.safetensors"));
    write_file_atomically(path.toStdString(), write_safetensors(file, StoredType::f16));
    return path;
}

void measure_model(MainWindow& window, const QTemporaryDir& folder) {
    Session session = with_capture(example_session(), write_capture(folder).toStdString(), RangeKind::fitted);
    session.view.view = ViewKind::model_grid;
    Document& document = window.document();
    const auto canvas_of = [&](ViewKind kind) {
        return window.views().view(kind)->findChild<HeadsCanvas*>();
    };
    const auto look = [&](ViewKind kind, const HeadOrder& order) {
        ViewState there = document.view();
        there.view = kind;
        there.heads = order;
        document.look(there);
    };
    QElapsedTimer opening;
    opening.start();
    document.reset(session);
    const auto wait_for = [&](const char* what, const auto& is_done) {
        while (!is_done() && opening.elapsed() < 120'000)
            QApplication::processEvents();
        std::printf("  %-22s %8.0f ms\n", what, double(opening.elapsed()));
    };
    HeadsCanvas& grid = *canvas_of(ViewKind::model_grid);
    HeadOverviews& overviews = HeadOverviews::of(document);
    std::printf("%d heads of %d x %d (targets: 16 ms a frame, 100 ms to open one)\n",
                int(layers * heads_in_a_layer), int(captured_tokens), int(captured_tokens));
    wait_for("first picture", [&] {
        return document.run() && document.run()->session->capture == session.capture && grid.figure();
    });
    wait_for("statistics", [&] { return overviews.overview() && overviews.overview()->has_statistics; });

    PaintWatch of_grid;
    of_grid.add(&grid);
    Moves sorting, brushing, opened;
    for (const std::string& name : statistic_names())
        measure(sorting, of_grid, [&] { look(ViewKind::model_grid, {.sorted_by = name}); });
    report("sorting", sorting);

    look(ViewKind::scatter, {});
    HeadsCanvas& points = *canvas_of(ViewKind::scatter);
    PaintWatch of_points;
    of_points.add(&points);
    process_events_until([&] { return points.figure() != nullptr; });
    const auto mouse = [&](QEvent::Type type, QPoint at) {
        QMouseEvent event(type, at, points.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&points, &event);
    };
    const QPoint corner = points.rect().center() / 2;
    mouse(QEvent::MouseButtonPress, corner);
    for (int move = 1; move <= 60; ++move)
        measure(brushing, of_points,
                [&] { mouse(QEvent::MouseMove, corner + QPoint(20 + 5 * move, 20 + 3 * move)); });
    measure(brushing, of_points, [&] { mouse(QEvent::MouseButtonRelease, corner + QPoint(320, 200)); });
    report("brushing", brushing);
    Moves brushed;
    for (int move = 0; move < 20; ++move)
        measure(brushed, of_points, [&] { points.update(); });
    report("brushed points", brushed);
    look(ViewKind::model_grid, {});
    Moves brushed_grid;
    for (int move = 0; move < 20; ++move)
        measure(brushed_grid, of_grid, [&] { grid.update(); });
    report("brushed grid", brushed_grid);

    PaintWatch of_map;
    for (Index head = 0; head < 20; ++head) {
        look(ViewKind::model_grid, {});
        process_events_until([] { return false; });
        measure(opened, of_map, [&] {
            ViewState there = in_view(document.view(), ViewKind::heatmap);
            there.selection.site = document.run()->trace->stages()[std::size_t(3 * head)].site;
            there.selection.head = head;
            document.look(there);
            of_map.add(window.views().view(ViewKind::heatmap)->findChild<FigureCanvas*>());
            of_map.clear();
        });
    }
    report("opening a head", opened);
}

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    initialise_resources();
    const QTemporaryDir folder;
    MeasuredWindow measured;
    measure_long_text(measured.window());
    measure_model(measured.window(), folder);
    return 0;
}
