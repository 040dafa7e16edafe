#pragma once

#include "core/io/stored_bytes.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// A ZIP archive, as np.savez() writes one (PKWARE, APPNOTE 6.3; more than 4 GB too).
class ZipArchive {
public:
    struct Entry {
        std::string name;
        std::size_t size = 0;  ///< bytes when it is unpacked
        std::size_t packed_size = 0;
        bool is_stored = false;      ///< as it is, not compressed
        std::size_t header = 0;      ///< where what belongs to it begins in the archive
        std::size_t begin = 0;       ///< behind its header: where its bytes lie
        std::uint32_t checksum = 0;  ///< CRC-32 of what is unpacked
    };

    /// Reads the directory. Throws Error for what is no archive, for one with entries by the thousand, and
    /// for entries that are encrypted, lie outside of it or overlap.
    explicit ZipArchive(std::shared_ptr<const StoredBytes> bytes);

    const std::vector<Entry>& entries() const { return entries_; }
    /// The entry unpacked. Throws Error when it takes more than memory_limit(), and when it is damaged.
    std::string unpacked(const Entry& entry) const;

private:
    std::shared_ptr<const StoredBytes> bytes_;
    std::vector<Entry> entries_;
};

/// A file for an archive.
struct ZipFile {
    std::string name, bytes;
};

/// An archive of files as they are, the same bytes each time. Throws Error when they are 4 GB or more.
std::string zip_archive_of(std::span<const ZipFile> files);

}  // namespace headlight
