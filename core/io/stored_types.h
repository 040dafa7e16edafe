#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// A way in which safetensors files store a number, little-endian.
struct StoredNumber {
    std::string_view name;  ///< "BF16", as the header has it
    std::size_t bytes;
    double (*read)(const char* place);  ///< integers beyond 2^53 are rounded
};

/// nullptr for a type that is not read.
const StoredNumber* find_stored_number(std::string_view name);
std::vector<std::string> stored_number_names();

}  // namespace headlight
