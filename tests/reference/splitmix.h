#pragma once

#include <cstdint>

namespace headlight::reference {

/// One step of SplitMix64 from state x: add the golden gamma, then mix (Steele, Lea & Flood 2014, figures 14
/// and 16).
inline std::uint64_t splitmix64(std::uint64_t x) {
    std::uint64_t z = x + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

inline std::uint64_t child(std::uint64_t stream, std::uint64_t index) {
    return splitmix64(splitmix64(stream) ^ index);
}

}  // namespace headlight::reference
