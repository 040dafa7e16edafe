#include "app/cli/cli.h"
#include "app/cli/stop_signal.h"
#ifdef HEADLIGHT_WINDOW
#include "ui/panels/run_window.h"
#else
#include <cstdio>
#endif

int main(int argc, char** argv) {
    headlight::end_clean_by_signals();
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    if (headlight::is_command_line(arguments))
        return headlight::run_command_line(arguments);
#ifdef HEADLIGHT_WINDOW
    return headlight::run_window(argc, argv);
#else
    std::fputs("headlight: this build has no window; `headlight --help` lists what it can do\n", stderr);
    return 2;
#endif
}
