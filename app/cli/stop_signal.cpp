#include "app/cli/stop_signal.h"

namespace headlight {
namespace {

volatile std::sig_atomic_t received = 0;

// A second Ctrl+C ends the program at once: whoever presses it does not want to wait.
extern "C" void note_signal(int number) {
    received = number;
    std::signal(number, SIG_DFL);
}

}  // namespace

StopSignal::StopSignal() {
    received = 0;
    struct sigaction action {};
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, &old_interrupt_);
    sigaction(SIGTERM, &action, &old_terminate_);
}

StopSignal::~StopSignal() {
    sigaction(SIGINT, &old_interrupt_, nullptr);
    sigaction(SIGTERM, &old_terminate_, nullptr);
}

int StopSignal::signal() const { return received; }

}  // namespace headlight
