#include "ui/models/process_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace headlight {

std::unique_ptr<ProcessLock> ProcessLock::take(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return nullptr;
    std::unique_ptr<ProcessLock> lock(new ProcessLock(descriptor));
    return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? std::move(lock) : nullptr;
}

ProcessLock::~ProcessLock() { ::close(descriptor_); }

}  // namespace headlight
