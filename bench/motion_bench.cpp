// How long a frame of a motion takes: from the clock's move to the picture painted, with the real window.
// n = 64 tokens, 8 heads, 1600 x 1000. Target: 12 ms for 99 of 100. Needs a display (Xvfb, or
// QT_QPA_PLATFORM=offscreen).
#include "bench/window_bench.h"
#include "resources/resources.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/motion_clock.h"

#include <QApplication>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace headlight;

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    initialise_resources();
    MeasuredWindow measured;
    MainWindow& window = measured.window();
    window.resize(1600, 1000);
    Session session = session_of(64);
    session.view.view = ViewKind::stages;
    window.document().reset(session);
    process_events_until([&] { return window.document().run() != nullptr; }, long_patience);
    MotionClock& clock = MotionClock::of(window.document());
    PaintWatch watch;
    watch.add(window.views().view(ViewKind::stages)->findChild<FigureCanvas*>());
    std::printf("moment to painted, multi_head, n = 64, 8 heads, 1600 x 1000 (target 12 ms)\n");
    for (const char* stage : {"query", "scores", "scaled_scores", "exponentials", "weights", "context"}) {
        ViewState view = window.document().view();
        view.selection.stage = stage;
        window.document().looking().look_at(view);
        clock.set_on(true);
        Moves moves;
        constexpr int frames = 300;
        for (int frame = 0; frame < frames; ++frame)
            measure(moves, watch, [&] { clock.go_to(static_cast<double>(frame) / frames); });
        clock.set_on(false);
        std::vector<double> milliseconds = moves.wall;
        std::sort(milliseconds.begin(), milliseconds.end());
        std::printf("%-16s median %6.2f ms   99th %6.2f ms   worst %6.2f ms   processor %6.2f ms\n", stage,
                    median(milliseconds), milliseconds[milliseconds.size() * 99 / 100], milliseconds.back(),
                    median(moves.processor));
    }
    return 0;
}
