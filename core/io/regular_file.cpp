#include "core/io/regular_file.h"

#include "core/tensor/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>

namespace headlight {

namespace fs = std::filesystem;

namespace {

/// "a pipe"; empty for a regular file.
std::string_view kind_of(const struct stat& status) {
    return S_ISREG(status.st_mode)    ? ""
           : S_ISDIR(status.st_mode)  ? "a folder"
           : S_ISFIFO(status.st_mode) ? "a pipe"
           : S_ISSOCK(status.st_mode) ? "a socket"
                                      : "a device";
}

void require_regular(const fs::path& path, const struct stat& status) {
    if (const std::string_view kind = kind_of(status); !kind.empty())
        throw Error({"read file", path.string(), "a file", std::string(kind)});
}

/// Asked before it is opened, for to open a pipe waits for a writer and to open a device may do something.
int opened(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
        refuse_to_read(path, errno);
    require_regular(path, status);
    return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

}  // namespace

RegularFile::RegularFile(const fs::path& path) : descriptor_(opened(path)) {
    // Asked again of what was opened, for it may be another file by now.
    struct stat status {};
    if (!descriptor_.is_open() || ::fstat(number(), &status) != 0)
        refuse_to_read(path, errno);
    require_regular(path, status);
    size_ = static_cast<std::size_t>(status.st_size);
}

void refuse_to_read(const fs::path& path, int error) {
    throw Error({"read file", path.string(), "a file that can be read", std::strerror(error)});
}

}  // namespace headlight
