#include "app/cli/output.h"

#include "app/cli/arguments.h"
#include "core/tensor/error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace headlight {

void print(std::string_view text) {
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written)
        throw Error({"write", "standard output", "a place that can be written", std::strerror(errno)});
}

void refuse_overwriting(const Arguments& arguments, const std::filesystem::path& output,
                        const std::vector<std::filesystem::path>& inputs) {
    for (const std::filesystem::path& input : inputs) {
        std::error_code ignored;
        if (std::filesystem::equivalent(output, input, ignored))
            arguments.refuse("-o", "another file than one that is read",
                             '"' + excerpt(output.string()) + '"');
    }
}

void remark(const std::string& text) {
    constexpr std::size_t longest_line = 2000;
    // On a terminal it takes the place of a line that counts.
    const char* over = isatty(STDERR_FILENO) == 1 ? "\r\x1b[K" : "";
    std::fprintf(stderr, "%sheadlight: %s\n", over, excerpt(text, longest_line).c_str());
}

}  // namespace headlight
