#include "app/cli/stop_signal.h"

#include "core/io/temporaries.h"

namespace headlight {
namespace {

volatile std::sig_atomic_t received = 0;

extern "C" void end_clean(int number) {
    remove_live_temporaries();
    std::signal(number, SIG_DFL);
    std::raise(number);  // comes when this handler returns
}

// A second Ctrl+C ends the program at once: whoever presses it does not want to wait.
extern "C" void note_signal(int number) {
    received = number;
    std::signal(number, end_clean);
}

}  // namespace

void end_clean_by_signals() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {
        }, action{};
        action.sa_handler = end_clean;
        if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(number, &action, nullptr);
    }
}

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
