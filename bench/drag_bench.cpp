// How long a person waits while dragging a slider: from the slider's move to every view painted, with the
// real window. n = 64 tokens, 8 heads, d_model = 128. Target: 16 ms. Needs a display (Xvfb, or
// QT_QPA_PLATFORM=offscreen).
#include "resources/resources.h"
#include "ui/panels/main_window.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPaintEvent>
#include <QSlider>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <set>
#include <vector>

using namespace headlight;

namespace {

/// Knows which of its widgets have been painted since it was last cleared.
class PaintWatch : public QObject {
public:
    void add(QWidget* widget) {
        widget->installEventFilter(this);
        widgets_.insert(widget);
    }
    void clear() { waiting_ = widgets_; }
    bool all_painted() const { return waiting_.empty(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint)
            waiting_.erase(static_cast<QWidget*>(watched));
        return false;
    }

private:
    std::set<QWidget*> widgets_, waiting_;
};

Session session_of(int tokens) {
    Session session = example_session();
    session.sequence.query_text.clear();
    for (int i = 0; i < tokens; ++i)
        session.sequence.query_text += (i ? " word" : "word") + std::to_string(i);
    session.sequence.vectors.kind = VectorKind::hashed;
    session.sequence.vectors.dimension = 128;
    session.mechanism = "multi_head";
    session.values["heads"] = Index(8);
    session.compared = {{.mechanism = "scaled_dot_product", .values = {}}};
    return session;
}

void wait_until_painted(const PaintWatch& watch) {
    QElapsedTimer timer;
    timer.start();
    while (!watch.all_painted() && timer.elapsed() < 2000)
        QApplication::processEvents();
}

/// What one move took: on the clock, and of the processor, which other programs do not lengthen.
struct Moves {
    std::vector<double> wall, processor;
};

double processor_milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

void report(const char* what, const Moves& moves) {
    std::vector<double> milliseconds = moves.wall;
    std::sort(milliseconds.begin(), milliseconds.end());
    std::printf("%-20s median %6.2f ms   95th %6.2f ms   worst %6.2f ms   processor %6.2f ms\n", what,
                median(milliseconds), milliseconds[milliseconds.size() * 95 / 100], milliseconds.back(),
                median(moves.processor));
}

Moves drag(QSlider& slider, PaintWatch& watch) {
    Moves moves;
    slider.setSliderDown(true);
    for (int move = 0; move < 60; ++move) {
        watch.clear();
        QElapsedTimer timer;
        timer.start();
        const double before = processor_milliseconds();
        slider.setSliderPosition(400 + 5 * move);
        wait_until_painted(watch);
        moves.wall.push_back(double(timer.nsecsElapsed()) / 1e6);
        moves.processor.push_back(processor_milliseconds() - before);
    }
    slider.setSliderDown(false);
    return moves;
}

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    initialise_resources();
    const QTemporaryDir folder;
    MainWindow window({folder.filePath(QStringLiteral("window.ini")),
                       folder.filePath(QStringLiteral("work")).toStdString()});
    window.document().reset(session_of(64));
    window.resize(1280, 800);
    window.show();
    auto* slider = window.findChild<QSlider*>(QStringLiteral("parameter_temperature_slider"));
    if (!slider) {
        std::fprintf(stderr, "drag_bench: the temperature slider is missing\n");
        return 1;
    }
    std::printf(
        "slider move to painted, multi_head, n = 64, 8 heads, d_model = 128, 1280 x 800 (target 16 ms)\n");
    ViewTabs& tabs = window.views();
    const QString only = QApplication::arguments().value(1);
    for (const View& kind : views()) {
        if (!only.isEmpty() && only != QString::fromStdString(kind.title))
            continue;
        ViewState view = window.document().view();
        view.view = kind.kind;
        window.document().look(view);
        QApplication::processEvents();
        PaintWatch watch;
        watch.add(tabs.view(kind.kind)->findChild<FigureCanvas*>());
        for (int again = 0; again < (only.isEmpty() ? 1 : 10); ++again)
            report(kind.title.c_str(), drag(*slider, watch));
    }
    if (!only.isEmpty())
        return 0;

    // Every view at once, each in a window of its own beside the main window.
    PaintWatch watch;
    std::vector<QWidget*> views;
    for (const View& kind : views()) {
        QWidget* view = tabs.view(kind.kind);
        view->setParent(nullptr);
        view->resize(700, 560);
        view->show();
        watch.add(view->findChild<FigureCanvas*>());
        views.push_back(view);
    }
    for (int settle = 0; settle < 20; ++settle)
        QApplication::processEvents();
    report("every view at once", drag(*slider, watch));
    qDeleteAll(views);
    return 0;
}
