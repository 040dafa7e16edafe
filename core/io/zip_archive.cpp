#include "core/io/zip_archive.h"

#include "core/tensor/error.h"
#include "core/tensor/memory.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unzip.h>

namespace headlight {

struct ZipArchive::Handle {
    std::shared_ptr<const StoredBytes> bytes;
    std::size_t place = 0;  ///< that is read next
    bool has_failed = false;
    unzFile file = nullptr;
    ~Handle() {
        if (file)
            unzClose(file);
    }
};

namespace {

using Entry = ZipArchive::Entry;

constexpr std::uint64_t most_entries = 4096;
constexpr std::size_t longest_name = 1024;
/// Of deflate: a bit may stand for 258 bytes.
constexpr double most_expansion = 1032;

[[noreturn]] void refuse_archive(const std::string& where, const std::string& expected,
                                 const std::string& got) {
    throw Error({"read ZIP archive", where, expected, got});
}

std::string entry_named(const std::string& name) { return "entry \"" + excerpt(name) + '"'; }

// What minizip asks of a file: its functions get the handle as the place where it lies.

template <class Handle>
struct ArchiveFunctions {
    static Handle& handle(void* opaque) { return *static_cast<Handle*>(opaque); }
    static void* open(void* opaque, const void*, int) { return opaque; }
    static uLong read(void* opaque, void*, void* to, uLong count) {
        Handle& from = handle(opaque);
        const std::size_t part = std::min<std::size_t>(count, from.bytes->size() - from.place);
        try {
            from.bytes->read(from.place, {static_cast<char*>(to), part});
        } catch (const Error&) {  // may not pass through C
            from.has_failed = true;
            return 0;
        }
        from.place += part;
        return static_cast<uLong>(part);
    }
    static uLong write(void*, void*, const void*, uLong) { return 0; }
    static ZPOS64_T tell(void* opaque, void*) { return handle(opaque).place; }
    static long seek(void* opaque, void*, ZPOS64_T offset, int origin) {
        Handle& from = handle(opaque);
        const std::size_t base = origin == ZLIB_FILEFUNC_SEEK_CUR   ? from.place
                                 : origin == ZLIB_FILEFUNC_SEEK_END ? from.bytes->size()
                                                                    : 0;
        const std::size_t place = base + offset;
        if (place > from.bytes->size() || place < base)
            return -1;
        from.place = place;
        return 0;
    }
    static int close(void*, void*) { return 0; }
    static int error(void* opaque, void*) { return handle(opaque).has_failed; }

    static zlib_filefunc64_def of(Handle& handle) {
        return {open, read, write, tell, seek, close, error, &handle};
    }
};

/// Of the entry that the directory is at.
Entry current_entry(unzFile file, std::size_t archive_bytes) {
    constexpr unsigned long stored = 0, deflated = 8, encrypted = 1;
    unz_file_info64 info{};
    std::array<char, longest_name> name{};
    if (unzGetCurrentFileInfo64(file, &info, name.data(), name.size(), nullptr, 0, nullptr, 0) != UNZ_OK)
        refuse_archive("directory", "a record for each entry", "a damaged one");
    Entry entry;
    entry.name.assign(name.data(), std::min<std::size_t>(info.size_filename, name.size()));
    const std::string where = entry_named(entry.name);
    if (info.flag & encrypted)
        refuse_archive(where, "an entry that is not encrypted", "an encrypted one");
    if (info.compression_method != stored && info.compression_method != deflated)
        refuse_archive(where, "an entry that is stored or deflated",
                       "method " + std::to_string(info.compression_method));
    if (info.compressed_size > archive_bytes ||
        static_cast<double>(info.uncompressed_size) > most_expansion * static_cast<double>(archive_bytes))
        refuse_archive(where, "no more than the archive can hold",
                       memory_text(static_cast<double>(info.uncompressed_size)));
    entry.size = info.uncompressed_size;
    entry.is_stored = info.compression_method == stored;
    unz64_file_pos place{};
    if (unzGetFilePos64(file, &place) != UNZ_OK || unzOpenCurrentFile(file) != UNZ_OK)
        refuse_archive(where, "the header of its bytes", "a damaged one");
    entry.place = place.pos_in_zip_directory;
    entry.number = place.num_of_file;
    entry.begin = unzGetCurrentFileZStreamPos64(file);
    unzCloseCurrentFile(file);
    if (entry.begin > archive_bytes || (entry.is_stored && entry.size > archive_bytes - entry.begin))
        refuse_archive(where, "bytes within the archive", "more");
    return entry;
}

}  // namespace

ZipArchive::ZipArchive(std::shared_ptr<const StoredBytes> bytes) : handle_(std::make_unique<Handle>()) {
    handle_->bytes = std::move(bytes);
    zlib_filefunc64_def functions = ArchiveFunctions<Handle>::of(*handle_);
    handle_->file = unzOpen2_64("", &functions);
    unz_global_info64 info{};
    if (!handle_->file || unzGetGlobalInfo64(handle_->file, &info) != UNZ_OK)
        refuse_archive("", "the directory of an archive", "none");
    if (info.number_entry > most_entries)
        refuse_archive("directory", "at most " + std::to_string(most_entries) + " entries",
                       std::to_string(info.number_entry));
    int status = unzGoToFirstFile(handle_->file);
    for (; status == UNZ_OK && entries_.size() < info.number_entry; status = unzGoToNextFile(handle_->file))
        entries_.push_back(current_entry(handle_->file, handle_->bytes->size()));
    if (status != UNZ_END_OF_LIST_OF_FILE)
        refuse_archive("directory", std::to_string(info.number_entry) + " entries",
                       std::to_string(entries_.size()));
}

ZipArchive::~ZipArchive() = default;

std::string ZipArchive::unpacked(const Entry& entry) const {
    const std::string where = entry_named(entry.name);
    require_memory("read ZIP archive", where, static_cast<double>(entry.size));
    unz64_file_pos place{entry.place, entry.number};
    const unzFile file = handle_->file;
    if (unzGoToFilePos64(file, &place) != UNZ_OK || unzOpenCurrentFile(file) != UNZ_OK)
        refuse_archive(where, "the header of its bytes", "a damaged one");
    std::string bytes(entry.size, '\0');
    std::size_t used = 0;
    while (used < bytes.size()) {
        constexpr std::size_t most_at_once = std::size_t(1) << 20;
        const auto part = static_cast<unsigned>(std::min(most_at_once, bytes.size() - used));
        const int count = unzReadCurrentFile(file, bytes.data() + used, part);
        if (count <= 0)
            break;
        used += static_cast<std::size_t>(count);
    }
    // Says whether the checksum is right.
    if (unzCloseCurrentFile(file) != UNZ_OK || used != bytes.size())
        refuse_archive(where, std::to_string(bytes.size()) + " bytes that have their checksum",
                       "a damaged entry");
    return bytes;
}

}  // namespace headlight
