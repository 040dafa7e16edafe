#pragma once

#include <csignal>

namespace headlight {

/// While it lives, Ctrl+C and a polite kill ask the program to stop instead of ending it.
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
