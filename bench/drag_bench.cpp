// How long a person waits while dragging a slider: from the slider's move to every view painted, with the
// real window. n = 64 tokens, 8 heads, d_model = 128. Target: 16 ms. Needs a display (Xvfb, or
// QT_QPA_PLATFORM=offscreen).
#include "resources/resources.h"
#include "ui/panels/main_window.h"
#include "ui/panels/view_tabs.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPaintEvent>
#include <QSlider>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
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
    return session;
}

void wait_until_painted(const PaintWatch& watch) {
    QElapsedTimer timer;
    timer.start();
    while (!watch.all_painted() && timer.elapsed() < 2000)
        QApplication::processEvents();
}

void report(const char* what, std::vector<double> milliseconds) {
    std::sort(milliseconds.begin(), milliseconds.end());
    std::printf("%-44s median %6.2f ms   95th %6.2f ms   worst %6.2f ms\n", what,
                milliseconds[milliseconds.size() / 2], milliseconds[milliseconds.size() * 95 / 100],
                milliseconds.back());
}

std::vector<double> drag(QSlider& slider, PaintWatch& watch) {
    std::vector<double> milliseconds;
    slider.setSliderDown(true);
    for (int move = 0; move < 60; ++move) {
        watch.clear();
        QElapsedTimer timer;
        timer.start();
        slider.setSliderPosition(400 + 5 * move);
        wait_until_painted(watch);
        milliseconds.push_back(double(timer.nsecsElapsed()) / 1e6);
    }
    slider.setSliderDown(false);
    return milliseconds;
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
    for (const ViewTabs::Kind& kind : ViewTabs::kinds()) {
        ViewSettings view = window.document().session().view;
        view.view = kind.view;
        window.document().change_view(kind.title, view);
        QApplication::processEvents();
        PaintWatch watch;
        watch.add(tabs.view(kind.view));
        report(qPrintable(kind.title), drag(*slider, watch));
    }

    // Every view at once, each in a window of its own beside the main window.
    PaintWatch watch;
    std::vector<QWidget*> views;
    for (const ViewTabs::Kind& kind : ViewTabs::kinds()) {
        QWidget* view = tabs.view(kind.view);
        view->setParent(nullptr);
        view->resize(700, 560);
        view->show();
        watch.add(view);
        views.push_back(view);
    }
    for (int settle = 0; settle < 20; ++settle)
        QApplication::processEvents();
    report("every view at once", drag(*slider, watch));
    qDeleteAll(views);
    return 0;
}
