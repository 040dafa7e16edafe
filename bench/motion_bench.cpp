// How long a person waits for each frame of what moves: motions of stages, the way from depth to depth, and a
// slider that is dragged; from the hand's or the clock's move to the picture painted, with the real window.
// n = 64 tokens, 8 heads, 1600 x 1000. Target of a motion: 12 ms for 99 of 100 frames. Needs a display (Xvfb,
// or QT_QPA_PLATFORM=offscreen):
//     QT_QPA_PLATFORM=offscreen build/release/bench/motion_bench [motion|zoom|drag]
#include "bench/window_bench.h"
#include "resources/resources.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/motion_clock.h"
#include "ui/views/way_in.h"
#include "ui/views/zoom_picture.h"

#include <QApplication>

#include <cstdio>
#include <string>

using namespace headlight;

namespace {

void look_at(Document& document, ViewKind kind) {
    document.looking().look_at(in_view(document.view(), kind));
    QApplication::processEvents();
}

void measure_motions(MainWindow& window) {
    look_at(window.document(), ViewKind::stages);
    MotionClock& clock = MotionClock::of(window.document());
    PaintWatch watch;
    watch.add(window.views().view(ViewKind::stages)->findChild<FigureCanvas*>());
    Moves all;
    for (const char* stage : {"query", "scores", "scaled_scores", "exponentials", "weights", "context"}) {
        ViewState view = window.document().view();
        view.selection.stage = stage;
        window.document().looking().look_at(view);
        clock.set_on(true);
        Moves moves;
        constexpr int frames = 300;
        for (int frame = 1; frame <= frames; ++frame) {
            const double moment = static_cast<double>(frame) / frames;
            const bool is_another = clock.now() != clock.motion().at(moment);  // else nothing is painted
            if (is_another)
                measure(moves, watch, [&] { clock.go_to(moment); });
            else
                clock.go_to(moment);
        }
        clock.set_on(false);
        report_frames(("motion, " + std::string(stage)).c_str(), moves);
        all.wall.insert(all.wall.end(), moves.wall.begin(), moves.wall.end());
        all.processor.insert(all.processor.end(), moves.processor.begin(), moves.processor.end());
    }
    report_frames("motions", all);
}

/// Into the formula and out again, held at so many places between two stops. At half of each way the window
/// looks at another view, which is told apart.
void measure_zoom(MainWindow& window) {
    look_at(window.document(), ViewKind::map);
    WayIn& way = WayIn::of(window.document());
    auto* zoom = window.findChild<ZoomPicture*>(QStringLiteral("zoom_picture"));
    const auto stops = static_cast<int>(way.stops().size());
    if (!zoom || stops < 2) {
        std::fprintf(stderr, "motion_bench: there is no way in\n");
        return;
    }
    PaintWatch watch;
    watch.add(zoom);
    constexpr int frames = 30;  // of a way between two stops
    Moves between, changes;
    const auto hold = [&](double place) {
        const ViewState before = window.document().view();
        Moves moved;
        measure(moved, watch, [&] { way.hold(place); });
        Moves& moves = before == window.document().view() ? between : changes;
        moves.wall.push_back(moved.wall.front());
        moves.processor.push_back(moved.processor.front());
    };
    const int last = frames * (stops - 1);
    for (int frame = 0; frame < last; ++frame)
        hold((frame + 0.5) / frames);
    for (int frame = last; frame-- > 0;)
        hold((frame + 0.5) / frames);
    way.settle();
    way.arrive();
    report_frames("zoom", between);
    report_frames("zoom, another view", changes);
}

void measure_drag(MainWindow& window) {
    auto* slider = window.findChild<QSlider*>(QStringLiteral("parameter_temperature_slider"));
    if (!slider) {
        std::fprintf(stderr, "motion_bench: the temperature slider is missing\n");
        return;
    }
    for (const ViewKind kind : {ViewKind::stages, ViewKind::heatmap, ViewKind::map}) {
        look_at(window.document(), kind);
        PaintWatch watch;
        watch.add(window.views().view(kind)->findChild<FigureCanvas*>());
        constexpr int moves = 150;
        report_frames(("drag, " + std::string(kind.word())).c_str(), drag(*slider, watch, moves));
    }
}

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    initialise_resources();
    const QString only = QApplication::arguments().value(1);
    MeasuredWindow measured;
    MainWindow& window = measured.window();
    window.resize(1600, 1000);
    Session session = session_of(64);
    session.view.view = ViewKind::stages;
    window.document().reset(session);
    process_events_until([&] { return window.document().run() != nullptr; }, long_patience);
    MotionClock::of(window.document()).set_reduced(false);  // whatever the desktop asks for
    std::printf("frames, multi_head, n = 64, 8 heads, 1600 x 1000 (target of a motion: p99 12 ms)\n");
    const auto is_wanted = [&](const char* part) { return only.isEmpty() || only == QLatin1String(part); };
    if (is_wanted("motion"))
        measure_motions(window);
    if (is_wanted("zoom"))
        measure_zoom(window);
    if (is_wanted("drag"))
        measure_drag(window);
    return 0;
}
