#include "core/tensor/storage.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace headlight {
namespace {

constexpr std::size_t line_bytes = 64;
/// From here on the zeros come from fresh pages of the kernel and are not written.
constexpr std::size_t untouched_bytes = std::size_t(1) << 20;

/// Touching 100 MB for the first time in pages of 4 KiB takes longer than computing what goes into them. Only
/// a request: where it is not granted, nothing changes. Smaller blocks may come from the heap, whose pages
/// glibc gives back and asks for again all the time; large ones would make that worse.
void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
    constexpr std::uintptr_t page = std::uintptr_t(2) << 20;
    constexpr std::size_t always_mapped = std::size_t(32)
                                          << 20;  // largest M_MMAP_THRESHOLD that glibc sets itself
    if (bytes < always_mapped)
        return;
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t first = parts_of_size(begin, page) * page, last = (begin + bytes) / page * page;
    madvise(static_cast<std::byte*>(memory) + (first - begin), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace

std::shared_ptr<void> zeroed_memory(std::size_t bytes) {
    void* memory = nullptr;
    if (bytes < untouched_bytes) {
        if (posix_memalign(&memory, line_bytes, bytes) != 0 || !memory)
            throw std::bad_alloc();
        std::memset(memory, 0, bytes);
        return {memory, std::free};
    }
    memory = std::calloc(bytes + line_bytes, 1);
    if (!memory)
        throw std::bad_alloc();
    prefer_large_pages(memory, bytes + line_bytes);
    const std::shared_ptr<void> owner(memory, std::free);
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(memory) % line_bytes;
    return {owner, static_cast<std::byte*>(memory) + (line_bytes - beyond) % line_bytes};
}

}  // namespace headlight
