#include "core/io/stored_types.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

namespace headlight {
namespace {

static_assert(std::endian::native == std::endian::little,
              "what files store little-endian is read as it lies");

template <class Number>
Number stored(const char* place) {
    Number number;
    std::memcpy(&number, place, sizeof number);
    return number;
}

template <class Number>
double plain(const char* place) {
    return static_cast<double>(stored<Number>(place));
}

/// A floating-point number of `exponent_bits` and `mantissa_bits` below a sign (IEEE 754's layout in any
/// width).
template <int exponent_bits, int mantissa_bits>
double small_float(unsigned bits, bool has_infinity) {
    constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    constexpr unsigned largest_exponent = (1u << exponent_bits) - 1;
    constexpr unsigned mantissa_mask = (1u << mantissa_bits) - 1;
    const double sign = bits >> (exponent_bits + mantissa_bits) & 1u ? -1 : 1;
    const unsigned exponent = bits >> mantissa_bits & largest_exponent;
    const unsigned mantissa = bits & mantissa_mask;
    if (has_infinity && exponent == largest_exponent)
        return mantissa ? std::numeric_limits<double>::quiet_NaN()
                        : sign * std::numeric_limits<double>::infinity();
    if (exponent == 0)
        return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
    return sign * std::ldexp(mantissa + mantissa_mask + 1, static_cast<int>(exponent) - bias - mantissa_bits);
}

/// Looked up: captures have them by the hundred million.
double read_f16(const char* place) {
    static const std::vector<float> numbers = [] {
        std::vector<float> all(std::size_t(1) << 16);
        for (unsigned bits = 0; bits < all.size(); ++bits)
            all[bits] = static_cast<float>(small_float<5, 10>(bits, true));
        return all;
    }();
    return numbers[stored<std::uint16_t>(place)];
}

/// The upper half of a float.
double read_bf16(const char* place) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(stored<std::uint16_t>(place)) << 16);
}

double read_f8_e5m2(const char* place) { return small_float<5, 2>(stored<std::uint8_t>(place), true); }

/// Has no infinities; all ones below the sign is NaN (Micikevicius et al. 2022, FP8 Formats for Deep
/// Learning).
double read_f8_e4m3(const char* place) {
    const unsigned bits = stored<std::uint8_t>(place);
    return (bits & 0x7Fu) == 0x7Fu ? std::numeric_limits<double>::quiet_NaN()
                                   : small_float<4, 3>(bits, false);
}

double read_bool(const char* place) { return *place == 0 ? 0 : 1; }

constexpr StoredNumber stored_numbers[] = {
    {"F64", 8, plain<double>},        {"F32", 4, plain<float>},         {"F16", 2, read_f16},
    {"BF16", 2, read_bf16},           {"F8_E5M2", 1, read_f8_e5m2},     {"F8_E4M3", 1, read_f8_e4m3},
    {"I64", 8, plain<std::int64_t>},  {"I32", 4, plain<std::int32_t>},  {"I16", 2, plain<std::int16_t>},
    {"I8", 1, plain<std::int8_t>},    {"U64", 8, plain<std::uint64_t>}, {"U32", 4, plain<std::uint32_t>},
    {"U16", 2, plain<std::uint16_t>}, {"U8", 1, plain<std::uint8_t>},   {"BOOL", 1, read_bool},
};

/// What `read` makes of the bytes in the other order.
template <std::size_t bytes, double (*read)(const char*)>
double turned(const char* place) {
    std::array<char, bytes> little;
    std::reverse_copy(place, place + bytes, little.begin());
    return read(little.data());
}

constexpr StoredNumber big_endian_numbers[] = {
    {"F64", 8, turned<8, plain<double>>},
    {"F32", 4, turned<4, plain<float>>},
    {"F16", 2, turned<2, read_f16>},
    {"I64", 8, turned<8, plain<std::int64_t>>},
    {"I32", 4, turned<4, plain<std::int32_t>>},
    {"I16", 2, turned<2, plain<std::int16_t>>},
    {"U64", 8, turned<8, plain<std::uint64_t>>},
    {"U32", 4, turned<4, plain<std::uint32_t>>},
    {"U16", 2, turned<2, plain<std::uint16_t>>},
};

const StoredNumber* found_in_list(std::span<const StoredNumber> list, std::string_view name) {
    const auto found = std::ranges::find(list, name, &StoredNumber::name);
    return found == list.end() ? nullptr : &*found;
}

}  // namespace

std::uint16_t to_half(double number) {
    constexpr int mantissa_bits = 10, smallest_exponent = -14, largest_exponent = 15;
    const auto sign = static_cast<std::uint16_t>(std::signbit(number) ? 0x8000 : 0);
    const double size = std::fabs(number);
    const auto with_sign = [&](int bits) { return static_cast<std::uint16_t>(sign | bits); };
    if (std::isnan(number))
        return with_sign(0x7E00);
    if (size == 0)
        return sign;
    // In units of the last place; what rounds up to the next power of two carries into the exponent.
    const int exponent =
        std::isinf(size) ? largest_exponent + 1 : std::max(std::ilogb(size), smallest_exponent);
    if (exponent > largest_exponent)
        return with_sign(0x7C00);
    const double units = std::nearbyint(std::ldexp(size, mantissa_bits - exponent));
    const int rest = static_cast<int>(units) + ((exponent - smallest_exponent) << mantissa_bits);
    return with_sign(rest);
}

double rounded_to_half(double number) {
    const std::uint16_t half = to_half(number);
    return read_f16(reinterpret_cast<const char*>(&half));
}

const StoredNumber* find_stored_number(std::string_view name) { return found_in_list(stored_numbers, name); }

const StoredNumber* find_big_endian_number(std::string_view name) {
    return found_in_list(big_endian_numbers, name);
}

std::vector<std::string> stored_number_names() {
    std::vector<std::string> names;
    for (const StoredNumber& number : stored_numbers)
        names.emplace_back(number.name);
    return names;
}

}  // namespace headlight
