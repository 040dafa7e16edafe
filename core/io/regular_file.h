#pragma once

#include "core/io/descriptor.h"

#include <cstddef>
#include <filesystem>

namespace headlight {

/// A file that is open for reading.
class RegularFile {
public:
    /// Throws Error, without waiting, when it is a folder, a pipe, a socket or a device, or cannot be read.
    explicit RegularFile(const std::filesystem::path& path);

    int number() const { return descriptor_.number(); }
    /// Bytes when it was opened.
    std::size_t size() const { return size_; }

private:
    Descriptor descriptor_;
    std::size_t size_ = 0;
};

/// Throws what is to be said of a file whose reading failed with `error` of errno.
[[noreturn]] void refuse_to_read(const std::filesystem::path& path, int error);

}  // namespace headlight
