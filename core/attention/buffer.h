#pragma once

#include "core/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace headlight {

/// Numbers that start on a cache line, all zero at first. Large ones are not touched until they are used:
/// that would take as long as an interrupted run may go on, and its memory would have to be given back.
template <class Real>
class Buffer {
public:
    Buffer() = default;
    explicit Buffer(Index size)
        : memory_(allocate(static_cast<std::size_t>(size) * sizeof(Real))), size_(size) {}

    Real* data() { return aligned(); }
    const Real* data() const { return aligned(); }
    Index size() const { return size_; }
    std::span<const Real> span() const { return {data(), static_cast<std::size_t>(size_)}; }

private:
    static constexpr std::uintptr_t line = 64;

    static void* allocate(std::size_t bytes) {
        constexpr std::size_t large = std::size_t(1) << 20;
        void* memory = nullptr;
        if (bytes >= large)
            memory = std::calloc(bytes + line, 1);
        else if (posix_memalign(&memory, line, bytes) == 0 && memory)
            std::memset(memory, 0, bytes);
        if (!memory)
            throw std::bad_alloc();
        return memory;
    }

    Real* aligned() const {
        const std::size_t beyond = reinterpret_cast<std::uintptr_t>(memory_.get()) % line;
        return reinterpret_cast<Real*>(static_cast<std::byte*>(memory_.get()) + (line - beyond) % line);
    }

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    std::unique_ptr<void, Free> memory_;
    Index size_ = 0;
};

}  // namespace headlight
