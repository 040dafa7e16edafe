#pragma once

#include <filesystem>
#include <memory>

namespace headlight {

/// A file that one program holds as long as it lives. The system lets go of it when the program ends, however
/// that happens. Not a QLockFile: killed while it writes the file, a program leaves one that says nothing,
/// and that nobody could take any more.
class ProcessLock {
public:
    /// Null when another holds it, here or in another process, and where it cannot be made.
    static std::unique_ptr<ProcessLock> take(const std::filesystem::path& file);
    /// Leaves the file: who waits for it could otherwise hold one that is no longer there.
    ~ProcessLock();
    ProcessLock(const ProcessLock&) = delete;
    ProcessLock& operator=(const ProcessLock&) = delete;

private:
    explicit ProcessLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

}  // namespace headlight
