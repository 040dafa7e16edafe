#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace headlight {

/// Asks for memory that is already zero and leaves it untouched, so that the pages of a large trace are first
/// touched by the threads that record into them and not filled twice.
template <class T>
struct ZeroedAllocator {
    using value_type = T;

    T* allocate(std::size_t count) {
        void* memory = std::calloc(count, sizeof(T));
        if (!memory)
            throw std::bad_alloc();
        prefer_large_pages(memory, count * sizeof(T));
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t) noexcept { std::free(memory); }

    void construct(T*) noexcept {}
    template <class... Values>
    void construct(T* place, Values&&... values) {
        ::new (static_cast<void*>(place)) T(std::forward<Values>(values)...);
    }
    bool operator==(const ZeroedAllocator&) const = default;

private:
    /// Touching 100 MB for the first time in pages of 4 KiB takes longer than computing what goes into them.
    /// Only a request: where it is not granted, nothing changes. Smaller blocks may come from the heap, whose
    /// pages glibc gives back and asks for again all the time; large ones would make that worse.
    static void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
        constexpr std::uintptr_t page = std::uintptr_t(2) << 20;
        constexpr std::size_t always_mapped = std::size_t(32)
                                              << 20;  // largest M_MMAP_THRESHOLD that glibc sets itself
        if (bytes < always_mapped)
            return;
        const auto begin = reinterpret_cast<std::uintptr_t>(memory);
        const std::uintptr_t first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
        madvise(static_cast<std::byte*>(memory) + (first - begin), last - first, MADV_HUGEPAGE);
#endif
    }
};

/// A vector whose elements are zero when it is made with a size, without having been written. Not to be
/// resized: memory that was in use is not zero.
template <class T>
using Zeroed = std::vector<T, ZeroedAllocator<T>>;

}  // namespace headlight
