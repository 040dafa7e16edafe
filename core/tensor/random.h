#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

namespace headlight {

// Random numbers that depend on what they are for and on nothing else: the same seed and the same name give
// the same number on every machine, with any number of threads, in any order of drawing.

/// The finaliser of SplitMix64 (Steele, Lea & Flood 2014, figure 16): every bit of the input changes half of
/// the output.
constexpr std::uint64_t mix_bits(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// The seed of an independent stream: one for each parameter name, head, query, draw.
constexpr std::uint64_t substream(std::uint64_t seed, std::uint64_t index) {
    return mix_bits(mix_bits(seed) ^ index);
}

constexpr std::uint64_t substream(std::uint64_t seed, std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
    for (const char letter : name)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
    return substream(seed, hash);
}

/// Uniform in [0, 1), a multiple of 2^-53.
constexpr double uniform(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// Number `index` of a stream of independent standard normal numbers: one of the two that two uniform ones
/// make (Box and Muller 1958).
inline double standard_normal(std::uint64_t stream, std::uint64_t index) {
    const double radius = std::sqrt(-2 * std::log(1 - uniform(substream(stream, 2 * index))));
    return radius * std::cos(2 * std::numbers::pi * uniform(substream(stream, 2 * index + 1)));
}

}  // namespace headlight
