#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace headlight {

/// How far a training run is.
struct TrainingProgress {
    long step = 0;
    long steps = 0;
    double loss = 0;
    std::optional<double> exact_match;  ///< as last measured
};

/// Says it on standard error: on a terminal a bar that is drawn over and over, elsewhere a line for each
/// measurement.
class ProgressReport {
public:
    /// `done` steps were there before.
    ProgressReport(long done, bool is_quiet);
    ~ProgressReport();
    ProgressReport(const ProgressReport&) = delete;
    ProgressReport& operator=(const ProgressReport&) = delete;

    void step(const TrainingProgress& progress);
    void measurement(const TrainingProgress& progress);
    /// Takes the bar away, so that other lines can be printed.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    double rate(const TrainingProgress& progress) const;
    void draw(const TrainingProgress& progress);

    bool is_quiet_;
    bool is_terminal_;
    bool is_drawn_ = false;
    long first_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point drawn_{};
};

/// Which picture of several is being drawn: on a terminal a line that is drawn over and goes with the object,
/// elsewhere nothing.
class PictureCount {
public:
    explicit PictureCount(std::size_t all);
    ~PictureCount();
    PictureCount(const PictureCount&) = delete;
    PictureCount& operator=(const PictureCount&) = delete;

    /// From 1.
    void show(std::size_t picture) const;

private:
    std::size_t all_;
    bool is_shown_;
};

/// "[######......] 300/1200  4 min 10 s left, loss 0.1234, exact match 93.1 %, 12.3 steps/s", in at most
/// `columns` letters: the bar becomes shorter, then what is last is left out. How far and how long always
/// stay.
std::string progress_line(const TrainingProgress& progress, double steps_a_second, std::size_t columns);

/// "63 s", "4 min 10 s", "1 h 5 min"
std::string duration_text(double seconds);

}  // namespace headlight
