#pragma once

#include "core/io/session.h"
#include "ui/panels/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QSlider>
#include <QTemporaryDir>
#include <QTimer>
#include <QWidget>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <set>
#include <vector>

// What the benchmarks of the window share: a session of a given length, and how long it takes until it is on
// screen.

namespace headlight {

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

/// Different tokens of 128 numbers through multi_head with 8 heads.
inline Session session_of(int tokens) {
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

/// A shown window of 1280 x 800 that remembers and keeps its work in a folder of its own.
class MeasuredWindow {
public:
    MeasuredWindow()
        : window_({folder_.filePath(QStringLiteral("window.ini")),
                   folder_.filePath(QStringLiteral("work")).toStdString()}) {
        window_.resize(1280, 800);
        window_.show();
        QApplication::processEvents();
    }
    MainWindow& window() { return window_; }

private:
    const QTemporaryDir folder_;
    MainWindow window_;
};

/// Processes events until `is_done()`, or for `patience` milliseconds. Sleeps in between, as the program
/// does, for others need the processor meanwhile; what is done without an event is seen 1 ms later.
template <class Done>
void process_events_until(const Done& is_done, int patience = 2000) {
    QElapsedTimer timer;
    timer.start();
    QTimer wake;
    wake.start(1);
    while (!is_done() && timer.elapsed() < patience)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

/// For what takes a while.
inline constexpr int long_patience = 120'000;

/// What one action took: on the clock, and of the processor, which other programs do not lengthen.
struct Moves {
    std::vector<double> wall, processor;
};

inline double processor_milliseconds(clockid_t clock = CLOCK_PROCESS_CPUTIME_ID) {
    timespec now{};
    clock_gettime(clock, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

/// Does `action` and adds what it takes until everything that `watch` watches has been painted.
template <class Action>
void measure(Moves& moves, PaintWatch& watch, const Action& action) {
    watch.clear();
    QElapsedTimer timer;
    timer.start();
    const double before = processor_milliseconds();
    action();
    process_events_until([&] { return watch.all_painted(); });
    moves.wall.push_back(double(timer.nsecsElapsed()) / 1e6);
    moves.processor.push_back(processor_milliseconds() - before);
}

inline double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

/// The time below which `share` of the frames stay.
inline double percentile(std::vector<double> milliseconds, double share) {
    std::ranges::sort(milliseconds);
    const auto at = static_cast<std::size_t>(share * static_cast<double>(milliseconds.size()));
    return milliseconds.empty() ? 0 : milliseconds[std::min(at, milliseconds.size() - 1)];
}

/// What a person waits for half of the frames, for all but one of a hundred, and for the slowest.
inline void report_frames(const char* what, const Moves& moves) {
    const std::vector<double>& wall = moves.wall;
    if (wall.empty())
        return;
    std::printf("%-24s p50 %6.2f ms   p99 %6.2f ms   max %6.2f ms   processor %6.2f ms   %4zu frames\n", what,
                median(wall), percentile(wall, 0.99), std::ranges::max(wall), median(moves.processor),
                wall.size());
}

/// A slider dragged from place to place.
inline Moves drag(QSlider& slider, PaintWatch& watch, int moves_of_a_hand = 60) {
    Moves moves;
    slider.setSliderDown(true);
    for (int move = 0; move < moves_of_a_hand; ++move)
        measure(moves, watch, [&] { slider.setSliderPosition(400 + 300 * move / moves_of_a_hand); });
    slider.setSliderDown(false);
    return moves;
}

}  // namespace headlight
