// Writes what comes from the declarations of the commands: the manual page and the completions of shells.

#include "app/cli/completions.h"
#include "app/cli/manual_page.h"

#include <iostream>
#include <string>

int main(int argc, char** argv) {
    const std::string what = argc == 2 ? argv[1] : "";
    if (what == "man")
        std::cout << headlight::manual_page();
    else if (what == "bash")
        std::cout << headlight::bash_completion();
    else if (what == "zsh")
        std::cout << headlight::zsh_completion();
    else if (what == "fish")
        std::cout << headlight::fish_completion();
    else {
        std::cerr << "command_line_text: expected man, bash, zsh or fish, got \"" << what << "\"\n";
        return 2;
    }
    std::cout << std::flush;
    return std::cout ? 0 : 1;
}
