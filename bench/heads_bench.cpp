// How long a person waits for all heads of a long text: from the click on the tab "Heads" to the painted
// view, the first time, when the view is made, and again; and from a click on a cell to its mark. n = 457
// tokens, 8 heads, the real window. Target: 100 ms. Needs a display (Xvfb, or QT_QPA_PLATFORM=offscreen).
#include "bench/window_bench.h"
#include "core/figure/view.h"
#include "resources/resources.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"

#include <QMouseEvent>
#include <QTabBar>

#include <cstdio>

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

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    initialise_resources();
    MeasuredWindow measured;
    MainWindow& window = measured.window();
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
    return 0;
}
