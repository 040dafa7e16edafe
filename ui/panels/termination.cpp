#include "ui/panels/termination.h"

#include <QSocketNotifier>

#include <array>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace headlight {
namespace {

constexpr std::array signals_of_end{SIGTERM, SIGINT, SIGHUP};
std::array<int, 2> pipe_ends{-1, -1};  ///< a signal's handler may write to a pipe, and do little else

extern "C" void pass_on(int number) {
    const char byte = 0;
    [[maybe_unused]] const ssize_t written = write(pipe_ends[1], &byte, 1);
    std::signal(number, SIG_DFL);
}

}  // namespace

Termination::Termination(std::function<void()> terminate) : terminate_(std::move(terminate)) {
    if (pipe2(pipe_ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        pipe_ends = {-1, -1};
    notifier_ = new QSocketNotifier(pipe_ends[0], QSocketNotifier::Read, this);
    connect(notifier_, &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        if (read(pipe_ends[0], &byte, 1) == 1)
            terminate_();
    });
    for (const int number : signals_of_end)
        std::signal(number, pass_on);
}

Termination::~Termination() {
    for (const int number : signals_of_end)
        std::signal(number, SIG_DFL);
    delete notifier_;
    for (int& end : pipe_ends)
        close(std::exchange(end, -1));
}

}  // namespace headlight
