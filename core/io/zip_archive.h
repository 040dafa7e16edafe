#pragma once

#include "core/io/stored_bytes.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headlight {

/// A ZIP archive, as np.savez() writes one.
class ZipArchive {
public:
    struct Entry {
        std::string name;
        std::size_t size = 0;      ///< bytes when it is unpacked
        bool is_stored = false;    ///< as it is, not compressed
        std::size_t begin = 0;     ///< where its bytes lie in the archive
        std::uint64_t place = 0;   ///< of its record in the directory
        std::uint64_t number = 0;  ///< of its record in the directory
    };

    /// Reads the directory. Throws Error for what is no archive, for one with entries by the thousand, and
    /// for entries that are encrypted or cut off.
    explicit ZipArchive(std::shared_ptr<const StoredBytes> bytes);
    ~ZipArchive();
    ZipArchive(const ZipArchive&) = delete;
    ZipArchive& operator=(const ZipArchive&) = delete;

    const std::vector<Entry>& entries() const { return entries_; }
    /// The entry unpacked. Throws Error when it takes more than memory_limit(), and when it is damaged.
    std::string unpacked(const Entry& entry) const;

private:
    struct Handle;
    std::unique_ptr<Handle> handle_;
    std::vector<Entry> entries_;
};

}  // namespace headlight
