#pragma once

namespace headlight {

/// The window: `headlight [FILE]`. Returns the exit status.
int run_window(int argc, char** argv);

}  // namespace headlight
