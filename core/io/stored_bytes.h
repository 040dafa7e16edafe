#pragma once

#include "core/io/regular_file.h"

#include <span>
#include <string>

namespace headlight {

/// Bytes that are read where they are looked at, by any thread.
class StoredBytes {
public:
    StoredBytes() = default;
    StoredBytes(const StoredBytes&) = delete;
    StoredBytes& operator=(const StoredBytes&) = delete;
    virtual ~StoredBytes() = default;

    virtual std::size_t size() const = 0;
    /// All of `to`, from `offset` on. Throws Error when there is no such part, or no longer.
    virtual void read(std::size_t offset, std::span<char> to) const = 0;
    /// The same as text. To be asked for what memory allows.
    std::string text(std::size_t offset, std::size_t count) const;
};

/// A file that stays open. What was read lately the system keeps. A file that others make shorter meanwhile
/// is an Error, where a mapping of it would end the program.
class FileBytes : public StoredBytes {
public:
    /// Throws Error when it is a folder, a pipe or a device, or cannot be read.
    explicit FileBytes(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return path_; }
    std::size_t size() const override { return file_.size(); }
    void read(std::size_t offset, std::span<char> to) const override;

private:
    std::filesystem::path path_;
    RegularFile file_;
};

/// Bytes in memory: what an archive keeps compressed, numbers of a JSON text.
class HeldBytes : public StoredBytes {
public:
    explicit HeldBytes(std::string bytes) : bytes_(std::move(bytes)) {}

    std::size_t size() const override { return bytes_.size(); }
    void read(std::size_t offset, std::span<char> to) const override;

private:
    std::string bytes_;
};

}  // namespace headlight
