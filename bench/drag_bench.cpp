// How long a person waits while dragging a slider: from the slider's move to every view painted, with the
// real window. n = 64 tokens, 8 heads, d_model = 128. Target: 16 ms. Needs a display (Xvfb, or
// QT_QPA_PLATFORM=offscreen).
#include "bench/window_bench.h"
#include "core/workbench/settled_view.h"
#include "resources/resources.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"

#include <QApplication>
#include <QSlider>

#include <cstdio>
#include <vector>

using namespace headlight;

namespace {

Session compared_session() {
    Session session = session_of(64);
    session.compared = {{.mechanism = "scaled_dot_product", .values = {}}};
    return session;
}

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    initialise_resources();
    MeasuredWindow measured;
    MainWindow& window = measured.window();
    window.document().reset(compared_session());
    auto* slider = window.findChild<QSlider*>(QStringLiteral("parameter_temperature_slider"));
    if (!slider) {
        std::fprintf(stderr, "drag_bench: the temperature slider is missing\n");
        return 1;
    }
    std::printf(
        "slider move to painted, multi_head, n = 64, 8 heads, d_model = 128, 1280 x 800 (target 16 ms)\n");
    ViewTabs& tabs = window.views();
    std::vector<View> offered;  // tokens that are no patches have no image, and a table follows no hand
    for (const View& view : views())
        if (window.document().lacks(view.kind).empty() && tabs.view(view.kind)->findChild<FigureCanvas*>())
            offered.push_back(view);
    const QString only = QApplication::arguments().value(1);
    for (const View& kind : offered) {
        if (!only.isEmpty() && only != QString::fromStdString(kind.title))
            continue;
        ViewState view = window.document().view();
        view.view = kind.kind;
        window.document().looking().look_at(view);
        QApplication::processEvents();
        PaintWatch watch;
        watch.add(tabs.view(kind.kind)->findChild<FigureCanvas*>());
        for (int again = 0; again < (only.isEmpty() ? 1 : 10); ++again)
            report_frames(kind.title.c_str(), drag(*slider, watch));
    }
    const QString all = QStringLiteral("every view at once");
    if (!only.isEmpty() && only != all)
        return 0;

    // Each in a window of its own beside the main window.
    PaintWatch watch;
    std::vector<QWidget*> shown;
    for (const View& kind : offered) {
        QWidget* view = tabs.view(kind.kind);
        view->setParent(nullptr);
        view->resize(700, 560);
        view->show();
        watch.add(view->findChild<FigureCanvas*>());
        shown.push_back(view);
    }
    for (int settle = 0; settle < 20; ++settle)
        QApplication::processEvents();
    for (int again = 0; again < (only.isEmpty() ? 1 : 10); ++again)
        report_frames(qPrintable(all), drag(*slider, watch));
    qDeleteAll(shown);
    return 0;
}
