// How long a person waits for each frame while zooming into a map of 32,768 tokens, moving about in it and
// zooming out again, in a view of 1600 x 1000: recomputed from queries and keys (d = 64), and stored as
// float16 in a file of 2 GB, most of it a hole. Target: the 99th percentile within 16 ms once the overview is
// there. A virtual machine whose host runs something else stands still meanwhile; frames that this happened
// in are told apart where the system counts it, and the processor time of the UI thread, which is what the
// program can change, has a percentile of its own. Needs a display (Xvfb, or QT_QPA_PLATFORM=offscreen), and
// 6 GB of free disk for the time of a run.
#include "bench/window_bench.h"
#include "core/figure/large_map.h"
#include "core/io/files.h"
#include "core/io/safetensors.h"
#include "resources/resources.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"

#include <QFile>

#include <cstdio>
#include <random>

using namespace headlight;

namespace {

constexpr Index tokens = 32'768, width = 64;

QString write_queries_and_keys(const QTemporaryDir& folder) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    SafetensorsFile file;
    for (const char* name : {"q", "k"}) {
        Tensor& tensor = file.tensors[name] = Tensor({1, 1, tokens, width});
        std::ranges::generate(tensor.values(), [&] { return normal(random); });
    }
    const QString path = folder.filePath(QStringLiteral("lazy.safetensors"));
    write_file_atomically(path.toStdString(), write_safetensors(file, StoredType::f32));
    write_file_atomically(folder.filePath(QStringLiteral("lazy.json")).toStdString(),
                          R"({"terms": {"scale": 0.35, "causal": true}})");
    return path;
}

QString write_weights(const QTemporaryDir& folder) {
    std::string header = "{'descr': '<f2', 'fortran_order': False, 'shape': (1, 32768, 32768), }";
    header.append(117 - header.size(), ' ').append("\n");
    QFile file(folder.filePath(QStringLiteral("stored.npy")));
    file.open(QFile::WriteOnly);
    file.write("\x93NUMPY\x01\0\x76\0", 10);
    file.write(header.data(), static_cast<qint64>(header.size()));
    file.resize(128 + 2 * tokens * tokens);
    for (Index row = 0; row < tokens; ++row) {  // 1 on the diagonal
        file.seek(128 + 2 * (row * tokens + row));
        file.write("\x00\x3c", 2);
    }
    return file.fileName();
}

double resident_megabytes() {
    std::FILE* status = std::fopen("/proc/self/statm", "r");
    long all = 0, resident = 0, shared = 0;
    if (!status || std::fscanf(status, "%ld %ld %ld", &all, &resident, &shared) != 3)
        return 0;
    std::fclose(status);
    return double(resident - shared) * 4096 / 1e6;
}

/// In ticks of 10 ms, as Linux counts what the host of a virtual machine takes from it; else 0.
long stolen_ticks() {
    std::FILE* status = std::fopen("/proc/stat", "r");
    long stolen = 0;
    if (!status)
        return 0;
    const bool is_told = std::fscanf(status, "cpu %*d %*d %*d %*d %*d %*d %*d %ld", &stolen) == 1;
    std::fclose(status);
    return is_told ? stolen : 0;
}

struct Frames {
    Moves all;
    std::vector<double> undisturbed;  ///< ms of those during which nothing was stolen
    std::vector<double> own;          ///< ms of processor time of the UI thread in each
};

void report(const char* what, const Frames& frames) {
    const std::vector<double>& wall = frames.all.wall;
    std::printf(
        "  %-12s %4zu frames   median %6.2f ms   99th %6.2f ms   worst %6.2f ms   UI thread's work 99th "
        "%6.2f ms",
        what, wall.size(), median(wall), percentile(wall, 0.99), std::ranges::max(wall),
        percentile(frames.own, 0.99));
    if (const std::size_t disturbed = wall.size() - frames.undisturbed.size(); disturbed > 0)
        std::printf("   99th %6.2f ms without %zu in which the host ran something else",
                    percentile(frames.undisturbed, 0.99), disturbed);
    std::printf("\n");
}

void measure_map(MainWindow& window, const char* what, const QString& path) {
    Session session = example_session();
    session.capture = SessionCapture{.file = path.toStdString()};
    session.view.view = ViewKind::heatmap;
    session.figure.range = RangeKind::fitted;
    Document& document = window.document();
    QElapsedTimer opening;
    opening.start();
    document.reset(session);
    process_events_until(
        [&] { return document.run() && document.run()->session->capture == session.capture; });
    const auto trace = document.run()->trace;
    const MapTiles& tiles = *trace->lazy_maps(trace->stages().front()).origin().tiles;
    auto* canvas = window.views().currentWidget()->findChild<FigureCanvas*>();
    process_events_until([&] { return tiles.kept_tile({}, tiles.levels().overview(), 0, 0) != nullptr; },
                         long_patience);
    std::printf("%s: overview after %.1f s\n", what, double(opening.elapsed()) / 1e3);

    PaintWatch watch;
    watch.add(canvas);
    Zoom zoom;
    zoom.fit(tokens, tokens);
    Frames in, about, out;
    const auto step = [&](Frames& frames, auto change) {
        change();
        const long before = stolen_ticks();
        const double worked = processor_milliseconds(CLOCK_THREAD_CPUTIME_ID);
        measure(frames.all, watch, [&] { document.looking().zoom_to(zoom.part()); });
        frames.own.push_back(processor_milliseconds(CLOCK_THREAD_CPUTIME_ID) - worked);
        if (stolen_ticks() == before)
            frames.undisturbed.push_back(frames.all.wall.back());
    };
    for (int frame = 0; frame < 200; ++frame)
        step(in, [&] { zoom.zoom(1.03, 0.4, 0.4); });
    for (int frame = 0; frame < 200; ++frame)
        step(about, [&] {
            zoom.rows.pan(0.03 * double(zoom.rows.count()));
            zoom.columns.pan(0.02 * double(zoom.columns.count()));
        });
    for (int frame = 0; frame < 200; ++frame)
        step(out, [&] { zoom.zoom(1 / 1.03, 0.5, 0.5); });
    report("zoom in", in);
    report("move about", about);
    report("zoom out", out);
    std::printf("  resident beyond the page cache: %.0f MB\n", resident_megabytes());
}

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    initialise_resources();
    const QTemporaryDir folder;
    MeasuredWindow measured;
    MainWindow& window = measured.window();
    window.resize(2100, 1180);
    QApplication::processEvents();
    const QSize size = window.views().currentWidget()->size();
    std::printf("frames of a map of %d x %d in %d x %d (target: 99th percentile 16 ms)\n", int(tokens),
                int(tokens), size.width(), size.height());
    measure_map(window, "recomputed", write_queries_and_keys(folder));
    measure_map(window, "stored", write_weights(folder));
    return 0;
}
