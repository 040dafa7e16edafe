#include "app/cli/output.h"

#include "core/tensor/error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace headlight {

void print(std::string_view text) {
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written)
        throw Error({"write", "standard output", "a place that can be written", std::strerror(errno)});
}

}  // namespace headlight
