#include "app/cli/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace headlight {
namespace {

using namespace std::chrono_literals;

constexpr auto frame = 100ms;  ///< between two drawings
constexpr int bar_width = 24;

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

std::string ProgressReport::details(const TrainingProgress& progress) const {
    std::string text = "loss " + formatted("%.4f", progress.loss);
    if (progress.exact_match)
        text += ", exact match " + formatted("%.1f", 100 * *progress.exact_match) + " %";
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const double rate = static_cast<double>(progress.step - first_) / std::max(seconds, 1e-9);
    text += ", " + formatted("%.1f", rate) + " steps/s, ";
    text +=
        duration_text(static_cast<double>(progress.steps - progress.step) / std::max(rate, 1e-9)) + " left";
    return text;
}

void ProgressReport::draw(const TrainingProgress& progress) {
    const double share =
        static_cast<double>(progress.step) / static_cast<double>(std::max(progress.steps, 1L));
    const auto full = static_cast<std::size_t>(share * bar_width);
    std::string line = "[";
    line.append(full, '#').append(bar_width - full, '.');
    line += "] " + std::to_string(progress.step) + '/' + std::to_string(progress.steps) + "  ";
    line += details(progress);
    line.resize(std::min(line.size(), columns() - 1));
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
    std::fprintf(stderr, "step %ld of %ld: %s\n", progress.step, progress.steps, details(progress).c_str());
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
