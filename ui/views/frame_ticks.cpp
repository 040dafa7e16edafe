#include "ui/views/frame_ticks.h"

#include <algorithm>
#include <chrono>

namespace headlight {

using namespace std::chrono_literals;

FrameTicks::FrameTicks(QObject* parent) : QObject(parent) {
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(16ms);
    connect(&timer_, &QTimer::timeout, this, &FrameTicks::tick);
}

void FrameTicks::start() {
    since_tick_.start();
    timer_.start();
}

void FrameTicks::tick() {
    constexpr double longest = 100;  // milliseconds
    const auto gone = static_cast<double>(since_tick_.nsecsElapsed()) / 1e6;
    since_tick_.start();
    emit passed(std::min(gone, longest));
}

}  // namespace headlight
