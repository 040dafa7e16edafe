#pragma once

#include "core/tensor/tensor.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace headlight {

/// Numbers that start on a cache line, all zero at first.
template <class Real>
class Buffer {
public:
    Buffer() = default;
    explicit Buffer(Index size)
        : values_(
              static_cast<Real*>(::operator new(static_cast<std::size_t>(size) * sizeof(Real), alignment))),
          size_(size) {
        std::fill_n(values_.get(), size, Real(0));
    }

    Real* data() { return values_.get(); }
    const Real* data() const { return values_.get(); }
    Index size() const { return size_; }
    std::span<const Real> span() const { return {values_.get(), static_cast<std::size_t>(size_)}; }

private:
    static constexpr std::align_val_t alignment{64};
    struct Free {
        void operator()(Real* values) const { ::operator delete(values, alignment); }
    };
    std::unique_ptr<Real[], Free> values_;
    Index size_ = 0;
};

}  // namespace headlight
