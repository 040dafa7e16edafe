#include "app/cli/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

namespace headlight {
namespace {

using namespace std::chrono_literals;

constexpr auto frame = 100ms;  ///< between two drawings

std::string formatted(const char* format, double number) {
    char text[40];
    std::snprintf(text, sizeof text, format, number);
    return text;
}

/// How many columns the terminal has.
std::size_t columns() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string time_left(const TrainingProgress& progress, double steps_a_second) {
    return duration_text(static_cast<double>(progress.steps - progress.step) /
                         std::max(steps_a_second, 1e-9));
}

/// The most important first.
std::vector<std::string> details(const TrainingProgress& progress, double steps_a_second) {
    std::vector<std::string> parts{"loss " + formatted("%.4f", progress.loss)};
    if (progress.exact_match)
        parts.push_back("exact match " + formatted("%.1f", 100 * *progress.exact_match) + " %");
    parts.push_back(formatted("%.1f", steps_a_second) + " steps/s");
    return parts;
}

}  // namespace

std::string duration_text(double seconds) {
    const long all = std::lround(std::clamp(seconds, 0.0, 1e8));
    constexpr long minute = 60, hour = 3600;
    const std::string minutes = std::to_string(all % hour / minute) + " min";
    if (all >= hour)
        return std::to_string(all / hour) + " h " + minutes;
    const std::string rest = std::to_string(all % minute) + " s";
    return all < minute ? rest : minutes + ' ' + rest;
}

ProgressReport::ProgressReport(long done, bool is_quiet)
    : is_quiet_(is_quiet), is_terminal_(isatty(STDERR_FILENO) == 1), first_(done) {}

ProgressReport::~ProgressReport() { clear(); }

PictureCount::PictureCount(std::size_t all) : all_(all), is_shown_(all > 1 && isatty(STDERR_FILENO) == 1) {}

PictureCount::~PictureCount() {
    if (is_shown_)
        std::fputs("\r\x1b[K", stderr);
}

void PictureCount::show(std::size_t picture) const {
    if (is_shown_)
        std::fprintf(stderr, "\rpicture %zu of %zu\x1b[K", picture, all_);
}

double ProgressReport::rate(const TrainingProgress& progress) const {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    return static_cast<double>(progress.step - first_) / std::max(seconds, 1e-9);
}

std::string progress_line(const TrainingProgress& progress, double steps_a_second, std::size_t columns) {
    constexpr std::size_t shortest_bar = 8, longest_bar = 24, around_bar = 3;  // "[" and "] "
    std::string text = std::to_string(progress.step) + '/' + std::to_string(progress.steps) + "  " +
                       time_left(progress, steps_a_second) + " left";
    for (const std::string& part : details(progress, steps_a_second)) {
        if (text.size() + 2 + part.size() + shortest_bar + around_bar > columns)
            break;
        text += ", " + part;
    }
    if (text.size() + shortest_bar + around_bar > columns)
        return text.substr(0, columns);
    const std::size_t width = std::min(longest_bar, columns - around_bar - text.size());
    const double share =
        static_cast<double>(progress.step) / static_cast<double>(std::max(progress.steps, 1L));
    const auto full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(width));
    return '[' + std::string(full, '#') + std::string(width - full, '.') + "] " + text;
}

void ProgressReport::draw(const TrainingProgress& progress) {
    const std::string line = progress_line(progress, rate(progress), columns() - 1);
    std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
    std::fflush(stderr);
    is_drawn_ = true;
    drawn_ = Clock::now();
}

void ProgressReport::step(const TrainingProgress& progress) {
    if (!is_quiet_ && is_terminal_ && Clock::now() - drawn_ >= frame)
        draw(progress);
}

void ProgressReport::measurement(const TrainingProgress& progress) {
    if (is_quiet_)
        return;
    if (is_terminal_) {
        draw(progress);
        return;
    }
    std::string line;
    for (const std::string& part : details(progress, rate(progress)))
        line += part + ", ";
    std::fprintf(stderr, "step %ld of %ld: %s%s left\n", progress.step, progress.steps, line.c_str(),
                 time_left(progress, rate(progress)).c_str());
    std::fflush(stderr);
}

void ProgressReport::clear() {
    if (!is_drawn_)
        return;
    std::fprintf(stderr, "\r\x1b[K");
    std::fflush(stderr);
    is_drawn_ = false;
}

}  // namespace headlight
