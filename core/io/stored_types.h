#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// A way in which files store a number: of safetensors little-endian, of NumPy's arrays either way.
struct StoredNumber {
    std::string_view name;  ///< "BF16", as the header has it
    std::size_t bytes;
    double (*read)(const char* place);  ///< integers beyond 2^53 are rounded
};

/// The 16-bit float nearest to a number; of two, the even one (IEEE 754). Beyond its range infinity.
std::uint16_t to_half(double number);
/// The number that a 16-bit float would bring back.
double rounded_to_half(double number);

/// nullptr for a type that is not read.
const StoredNumber* find_stored_number(std::string_view name);
/// The same with its bytes in the other order, the largest first.
const StoredNumber* find_big_endian_number(std::string_view name);
std::vector<std::string> stored_number_names();

}  // namespace headlight
