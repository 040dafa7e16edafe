#pragma once

#include <csignal>

namespace headlight {

/// From now on Ctrl+C, a closed terminal and SIGTERM, which end the program, first remove the files
/// that it is writing. A signal that the program was started to ignore stays ignored.
void end_clean_by_signals();

/// While it lives, Ctrl+C and SIGTERM ask the program to stop instead of ending it.
class StopSignal {
public:
    StopSignal();
    ~StopSignal();
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;

    /// The signal that came; 0 if none did.
    int signal() const;

private:
    struct sigaction old_interrupt_ {};
    struct sigaction old_terminate_ {};
};

}  // namespace headlight
