#pragma once

#include "core/tensor/random.h"
#include "core/tensor/tensor.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace headlight {

/// A stream of random numbers that its seed determines, on every machine alike (the standard library's
/// distributions are free to differ).
class Random {
public:
    explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

    /// SplitMix64.
    constexpr std::uint64_t next() {
        const std::uint64_t bits = mix_bits(state_);
        state_ += 0x9e3779b97f4a7c15u;
        return bits;
    }

    /// One of 0 ... count - 1.
    constexpr Index below(Index count) {
        return static_cast<Index>(uniform(next()) * static_cast<double>(count));
    }

    /// One of first ... last.
    constexpr Index between(Index first, Index last) { return first + below(last - first + 1); }

    /// True with this probability.
    constexpr bool chance(double probability) { return uniform(next()) < probability; }

    /// One of the elements of an array, a vector or a span that is not empty.
    template <class Range>
    constexpr const auto& one_of(const Range& range) {
        return range[static_cast<std::size_t>(below(static_cast<Index>(range.size())))];
    }

    /// Puts `count` of the elements, drawn in any order, before the others.
    template <class Element>
    constexpr void draw_first(std::vector<Element>& elements, Index count) {
        for (Index i = 0; i < count; ++i)
            std::swap(elements[static_cast<std::size_t>(i)],
                      elements[static_cast<std::size_t>(between(i, std::ssize(elements) - 1))]);
    }

private:
    std::uint64_t state_;
};

}  // namespace headlight
