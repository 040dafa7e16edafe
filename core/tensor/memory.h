#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

/// Bytes that this process may have at most: of the machine's memory, what its control group and its limit of
/// address space (`ulimit -v`) leave of it. Asked for once.
std::uint64_t machine_memory();

/// Bytes that one piece of work may take: a run with everything that it records, or what a file expands to.
/// Half of machine_memory() unless a MemoryLimit says otherwise.
std::uint64_t memory_limit();

/// While it lasts, memory_limit() is `bytes` on every thread, or with 0 what it is without any: `--memory`,
/// and tests. Limits nest.
class MemoryLimit {
public:
    explicit MemoryLimit(std::uint64_t bytes);
    ~MemoryLimit();
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

private:
    std::uint64_t before_;
};

/// Throws Error{what, where, "at most 4.0 GB of memory, half of what there is", "57.2 GB" + detail} when
/// `bytes` are more than memory_limit(). To be asked before anything of that size is allocated. Bytes are a
/// double because the product of hostile extents fits into no integer.
void require_memory(const std::string& what, const std::string& where, double bytes,
                    const std::string& detail = {});

/// "57.2 GB", "4.0 MB", "312 KB", "8 bytes"; a KB has 1000 bytes.
std::string memory_text(double bytes);

/// Parses "4GB", "1.5 GB", "512MiB": a number with KB, MB, GB, TB (powers of 1000) or KiB, MiB, GiB, TiB (of
/// 1024), in either case. Returns nothing for any other text, and for less than one byte.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

}  // namespace headlight
