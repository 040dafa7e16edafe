#include "core/io/zip_archive.h"

#include "core/tensor/error.h"
#include "core/tensor/interruption.h"
#include "core/tensor/memory.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <vector>
#include <zlib.h>

namespace headlight {
namespace {

using Entry = ZipArchive::Entry;

constexpr std::uint64_t most_entries = 4096, largest_directory = std::uint64_t(16) << 20;
/// The most that deflate expands: two bits may stand for 258 bytes.
constexpr double most_expansion = 1032;

constexpr std::string_view end_mark = "PK\5\6", end_of_large_mark = "PK\6\6", large_place_mark = "PK\6\7",
                           record_mark = "PK\1\2", header_mark = "PK\3\4";
constexpr std::size_t end_bytes = 22, end_of_large_bytes = 56, large_place_bytes = 20, record_bytes = 46,
                      header_bytes = 30, longest_comment = 0xFFFF;

[[noreturn]] void refuse_archive(const std::string& where, const std::string& expected,
                                 const std::string& got) {
    throw Error({"read ZIP archive", where, expected, got});
}

std::string entry_named(const std::string& name) { return "entry \"" + excerpt(name) + '"'; }

/// A part of the archive, read field by field, each little-endian at its place.
class Record {
public:
    Record(const std::string& bytes, std::string_view mark, const char* what) : Record(bytes) {
        if (!bytes.starts_with(mark))
            refuse_archive("", what, "none");
    }
    explicit Record(const std::string& bytes) : bytes_(bytes.begin(), bytes.end()) {}

    template <class Number>
    Number at(std::size_t place) const {
        Number number = 0;
        if (place > bytes_.size() || sizeof number > bytes_.size() - place)
            refuse_archive("directory", "whole records", "one that is cut off");
        std::memcpy(&number, bytes_.data() + place, sizeof number);
        return number;
    }
    std::string text(std::size_t place, std::size_t count) const {
        if (place > bytes_.size() || count > bytes_.size() - place)
            refuse_archive("directory", "whole records", "one that is cut off");
        return {bytes_.data() + place, count};
    }
    std::size_t size() const { return bytes_.size(); }

private:
    std::vector<char> bytes_;  ///< of a short string GCC believes that it may be read before it is written
};

std::string part_of(const StoredBytes& archive, std::uint64_t offset, std::uint64_t count) {
    if (offset > archive.size() || count > archive.size() - offset)
        refuse_archive("directory", "a place within the archive", std::to_string(offset));
    return archive.text(offset, count);
}

struct Directory {
    std::uint64_t entries = 0, size = 0, offset = 0;
};

Directory directory_of(const StoredBytes& archive) {
    const std::size_t tail_bytes = std::min(archive.size(), end_bytes + longest_comment);
    const std::string tail = archive.text(archive.size() - tail_bytes, tail_bytes);
    const std::size_t found =
        tail.size() < end_bytes ? std::string::npos : tail.rfind(end_mark, tail.size() - end_bytes);
    if (found == std::string::npos)
        refuse_archive("", "the directory of an archive", "none");
    const Record end(tail.substr(found));
    Directory directory{end.at<std::uint16_t>(10), end.at<std::uint32_t>(12), end.at<std::uint32_t>(16)};
    const bool is_large =
        directory.entries == 0xFFFF || directory.size == 0xFFFFFFFF || directory.offset == 0xFFFFFFFF;
    if (!is_large)
        return directory;
    if (found < large_place_bytes)
        refuse_archive("", "the directory of a large archive", "none");
    const Record place(tail.substr(found - large_place_bytes, large_place_bytes), large_place_mark,
                       "the directory of a large archive");
    const Record large(part_of(archive, place.at<std::uint64_t>(8), end_of_large_bytes), end_of_large_mark,
                       "the directory of a large archive");
    return {large.at<std::uint64_t>(32), large.at<std::uint64_t>(40), large.at<std::uint64_t>(48)};
}

/// What does not fit into 32 bits stands in a field of its own behind the name, in this order.
void read_large_numbers(const Record& fields, std::initializer_list<std::uint64_t*> numbers) {
    constexpr std::uint16_t large_numbers = 1;
    for (std::size_t at = 0; at + 4 <= fields.size();) {
        const auto kind = fields.at<std::uint16_t>(at);
        const auto size = fields.at<std::uint16_t>(at + 2);
        std::size_t place = at + 4;
        for (std::uint64_t* number : numbers)
            if (kind == large_numbers && *number == 0xFFFFFFFF) {
                *number = fields.at<std::uint64_t>(place);
                place += sizeof *number;
            }
        at += 4u + size;
    }
}

/// Reads the record at `at` of the directory, which moves behind it.
Entry entry_at(const StoredBytes& archive, const Record& directory, std::size_t& at) {
    constexpr std::uint16_t stored = 0, deflated = 8, encrypted = 1;
    if (directory.text(at, record_mark.size()) != record_mark)
        refuse_archive("directory", "a record for each entry", "other bytes");
    const auto flags = directory.at<std::uint16_t>(at + 8), method = directory.at<std::uint16_t>(at + 10);
    const auto name_bytes = directory.at<std::uint16_t>(at + 28),
               fields_bytes = directory.at<std::uint16_t>(at + 30);
    std::uint64_t packed = directory.at<std::uint32_t>(at + 20), size = directory.at<std::uint32_t>(at + 24),
                  offset = directory.at<std::uint32_t>(at + 42);
    Entry entry;
    entry.name = directory.text(at + record_bytes, name_bytes);
    read_large_numbers(Record(directory.text(at + record_bytes + name_bytes, fields_bytes)),
                       {&size, &packed, &offset});
    const std::string where = entry_named(entry.name);
    if (flags & encrypted)
        refuse_archive(where, "an entry that is not encrypted", "an encrypted one");
    if (method != stored && method != deflated)
        refuse_archive(where, "an entry that is stored or deflated", "method " + std::to_string(method));
    const Record header(part_of(archive, offset, header_bytes), header_mark,
                        "a header in front of each entry");
    const std::uint64_t begin =
        offset + header_bytes + header.at<std::uint16_t>(26) + header.at<std::uint16_t>(28);
    if (begin > archive.size() || packed > archive.size() - begin || (method == stored && size != packed))
        refuse_archive(where, "bytes within the archive", std::to_string(packed));
    if (static_cast<double>(size) > most_expansion * static_cast<double>(packed))
        refuse_archive(where, "what its bytes can hold", memory_text(static_cast<double>(size)));
    entry.size = size;
    entry.packed_size = packed;
    entry.is_stored = method == stored;
    entry.header = offset;
    entry.begin = begin;
    entry.checksum = directory.at<std::uint32_t>(at + 16);
    at += record_bytes + name_bytes + fields_bytes + directory.at<std::uint16_t>(at + 32);
    return entry;
}

/// Bytes that belong to two entries are how a small archive claims to hold much.
void require_apart(const std::vector<Entry>& entries) {
    std::vector<const Entry*> by_place;
    by_place.reserve(entries.size());
    for (const Entry& entry : entries)
        by_place.push_back(&entry);
    std::ranges::sort(by_place, {}, &Entry::header);
    for (std::size_t i = 1; i < by_place.size(); ++i)
        if (by_place[i]->header < by_place[i - 1]->begin + by_place[i - 1]->packed_size)
            refuse_archive(entry_named(by_place[i]->name), "bytes of its own",
                           "some that belong to " + entry_named(by_place[i - 1]->name) + " as well");
}

/// Little-endian, as the machine has them.
template <class Number>
void append_numbers(std::string& to, std::initializer_list<Number> numbers) {
    for (const Number number : numbers)
        to.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// zlib's state, given back whatever happens.
class Inflation {
public:
    Inflation() {
        constexpr int without_header = -MAX_WBITS;
        if (inflateInit2(&stream_, without_header) != Z_OK)
            throw std::bad_alloc();
    }
    Inflation(const Inflation&) = delete;
    Inflation& operator=(const Inflation&) = delete;
    ~Inflation() { inflateEnd(&stream_); }

    /// False when what was unpacked is not what the entry says.
    bool unpack(const StoredBytes& archive, const Entry& entry, std::string& to) {
        constexpr std::size_t part = std::size_t(1) << 16;
        std::array<char, part> packed;
        std::size_t read = 0, written = 0;
        int status = Z_OK;
        while (status == Z_OK && (read < entry.packed_size || stream_.avail_in > 0)) {
            Interruption::check();
            if (stream_.avail_in == 0) {
                const std::size_t count = std::min(part, entry.packed_size - read);
                archive.read(entry.begin + read, std::span(packed).first(count));
                read += count;
                stream_.next_in = reinterpret_cast<Bytef*>(packed.data());
                stream_.avail_in = static_cast<uInt>(count);
            }
            const auto room = static_cast<uInt>(
                std::min<std::size_t>(to.size() - written, std::numeric_limits<uInt>::max()));
            stream_.next_out = reinterpret_cast<Bytef*>(to.data() + written);
            stream_.avail_out = room;
            status = inflate(&stream_, Z_NO_FLUSH);
            written += room - stream_.avail_out;
        }
        return status == Z_STREAM_END && written == to.size();
    }

private:
    z_stream stream_{};
};

}  // namespace

ZipArchive::ZipArchive(std::shared_ptr<const StoredBytes> bytes) : bytes_(std::move(bytes)) {
    const Directory place = directory_of(*bytes_);
    if (place.entries > most_entries)
        refuse_archive("directory", "at most " + std::to_string(most_entries) + " entries",
                       std::to_string(place.entries));
    if (place.size > largest_directory)
        refuse_archive("directory", "at most " + memory_text(largest_directory),
                       memory_text(static_cast<double>(place.size)));
    const Record directory(part_of(*bytes_, place.offset, place.size));
    for (std::size_t at = 0; entries_.size() < place.entries;)
        entries_.push_back(entry_at(*bytes_, directory, at));
    require_apart(entries_);
}

std::string ZipArchive::unpacked(const Entry& entry) const {
    const std::string where = entry_named(entry.name);
    require_memory("read ZIP archive", where, static_cast<double>(entry.size));
    std::string unpacked(entry.size, '\0');
    if (entry.is_stored)
        bytes_->read(entry.begin, unpacked);
    else if (!Inflation().unpack(*bytes_, entry, unpacked))
        refuse_archive(where, std::to_string(entry.size) + " bytes when it is unpacked", "a damaged entry");
    if (crc32_z(0, reinterpret_cast<const Bytef*>(unpacked.data()), unpacked.size()) != entry.checksum)
        refuse_archive(where, "bytes that have their checksum", "a damaged entry");
    return unpacked;
}

std::string zip_archive_of(std::span<const ZipFile> files) {
    constexpr std::uint16_t version = 20, first_of_1980 = 0x21;
    // Appends what record and header share, from the version on: flags, method, time, date, checksum, sizes,
    // name.
    const auto append_facts = [](std::string& to, const ZipFile& file) {
        const auto size = static_cast<std::uint32_t>(file.bytes.size());
        const auto checksum = static_cast<std::uint32_t>(
            crc32_z(0, reinterpret_cast<const Bytef*>(file.bytes.data()), file.bytes.size()));
        append_numbers<std::uint16_t>(to, {version, 0, 0, 0, first_of_1980});
        append_numbers<std::uint32_t>(to, {checksum, size, size});
        append_numbers<std::uint16_t>(to, {static_cast<std::uint16_t>(file.name.size()), 0});
    };
    double size = 0;
    for (const ZipFile& file : files)
        size += static_cast<double>(file.bytes.size() + 2 * file.name.size() + header_bytes + record_bytes);
    if (size >= 0xFFFFFFFF || files.size() >= 0xFFFF)
        throw Error({"write ZIP archive", "", "less than 4 GB", memory_text(size)});
    std::string archive, directory;
    for (const ZipFile& file : files) {
        const auto offset = static_cast<std::uint32_t>(archive.size());
        archive += header_mark;
        append_facts(archive, file);
        (archive += file.name) += file.bytes;
        directory += record_mark;
        append_numbers<std::uint16_t>(directory, {version});
        append_facts(directory, file);
        append_numbers<std::uint16_t>(directory, {0, 0, 0});  // comment, disk, kind of text
        append_numbers<std::uint32_t>(directory, {0, offset});
        directory += file.name;
    }
    const auto count = static_cast<std::uint16_t>(files.size());
    const auto offset = static_cast<std::uint32_t>(archive.size());
    archive += directory;
    archive += end_mark;
    append_numbers<std::uint16_t>(archive, {0, 0, count, count});
    append_numbers<std::uint32_t>(archive, {static_cast<std::uint32_t>(directory.size()), offset});
    append_numbers<std::uint16_t>(archive, {0});
    return archive;
}

}  // namespace headlight
