#pragma once

// Safetensors files written by hand, right and wrong ones.

#include <cstdint>
#include <string>
#include <string_view>

namespace headlight::test {

inline std::string length_prefix(std::uint64_t length) {
    std::string bytes(sizeof length, '\0');
    for (std::size_t i = 0; i < sizeof length; ++i)
        bytes[i] = static_cast<char>(length >> (8 * i));
    return bytes;
}

/// A file with this header, whatever it says, and this many bytes of data.
inline std::string safetensors_bytes(const std::string& header, const std::string& data = {}) {
    return length_prefix(header.size()) + header + data;
}

}  // namespace headlight::test
