#include "core/io/numpy_array.h"

#include "core/tensor/error.h"
#include "core/tensor/memory.h"
#include "core/text/next_character.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <vector>

namespace headlight {
namespace {

// The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t version_bytes = 2, longest_dictionary = std::size_t(1) << 16;
constexpr std::size_t most_array_axes = 32;  // as NumPy has it

[[noreturn]] void refuse_array(const std::string& where, const std::string& expected,
                               const std::string& got) {
    throw Error({"read NumPy array", where, expected, got});
}

/// What follows the order of the bytes in the name of a type.
struct TypeName {
    std::string_view numpy, stored;
};
constexpr std::array type_names{
    TypeName{"f8", "F64"}, TypeName{"f4", "F32"}, TypeName{"f2", "F16"}, TypeName{"i8", "I64"},
    TypeName{"i4", "I32"}, TypeName{"i2", "I16"}, TypeName{"i1", "I8"},  TypeName{"u8", "U64"},
    TypeName{"u4", "U32"}, TypeName{"u2", "U16"}, TypeName{"u1", "U8"},  TypeName{"b1", "BOOL"},
};
constexpr char little_endian = '<', big_endian = '>', one_byte = '|';

/// Null for a type that is not read.
const StoredNumber* number_named(std::string_view type) {
    const auto known =
        std::ranges::find(type_names, type.substr(std::min<std::size_t>(1, type.size())), &TypeName::numpy);
    if (known == type_names.end())
        return nullptr;
    switch (type[0]) {
    case little_endian:
    case one_byte:
        return find_stored_number(known->stored);
    case big_endian:
        return find_big_endian_number(known->stored);
    default:
        return nullptr;
    }
}

/// Elements of text: bytes, or characters of four bytes each.
struct TextType {
    std::size_t character_bytes = 0, characters = 0;
    bool is_big_endian = false;
};

std::optional<TextType> text_named(std::string_view type) {
    constexpr std::size_t longest = std::size_t(1) << 20;
    if (type.size() < 3 || (type[1] != 'U' && type[1] != 'S'))
        return std::nullopt;
    TextType text{type[1] == 'U' ? sizeof(char32_t) : 1, 0, type[0] == big_endian};
    const auto [end, error] = std::from_chars(type.data() + 2, type.data() + type.size(), text.characters);
    const bool is_number = error == std::errc() && end == type.data() + type.size();
    return is_number && text.characters <= longest ? std::optional(text) : std::nullopt;
}

/// Bytes of an element; 0 where its type is not read.
std::size_t element_bytes(const NumpyArray& array) {
    const std::optional<TextType> text = text_named(array.type_name);
    return array.type ? array.type->bytes : text ? text->character_bytes * text->characters : 0;
}

/// Without the zeros that fill an element up.
std::string text_at(const char* place, const TextType& type) {
    std::string text;
    if (type.character_bytes == 1) {
        const std::string bytes(place, type.characters);
        for (std::int32_t at = 0; at < static_cast<std::int32_t>(bytes.size());)
            append_character(text, static_cast<std::uint32_t>(next_character(bytes, at)));
    } else {
        for (std::size_t i = 0; i < type.characters; ++i) {
            std::array<unsigned char, sizeof(char32_t)> bytes;
            std::memcpy(bytes.data(), place + i * bytes.size(), bytes.size());
            if (type.is_big_endian)
                std::ranges::reverse(bytes);
            append_character(text, std::bit_cast<std::uint32_t>(bytes));
        }
    }
    text.resize(text.find_last_not_of('\0') + 1);
    return text;
}

/// The header is a dictionary as Python writes it: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3),
/// }
class Dictionary {
public:
    explicit Dictionary(std::string_view text) : text_(text) {}

    /// What follows `'name':`, from its first letter on.
    std::string_view value(const std::string& name) const {
        const std::string key = '\'' + name + "':";
        const std::size_t at = text_.find(key);
        const std::size_t begin =
            at == std::string_view::npos ? at : text_.find_first_not_of(' ', at + key.size());
        if (begin == std::string_view::npos)
            refuse_array("header", key + " and its value", excerpt(std::string(text_)));
        return text_.substr(begin);
    }

private:
    std::string_view text_;
};

std::string quoted_in(std::string_view text) {
    const std::size_t end = text.find('\'', 1);
    if (!text.starts_with('\'') || end == std::string_view::npos)
        return {};  // fields of a record are a list
    return std::string(text.substr(1, end - 1));
}

Shape shape_in(std::string_view text) {
    const auto refuse = [&] {
        refuse_array("header shape", "extents as (2, 3)", excerpt(std::string(text)));
    };
    Shape shape;
    const std::size_t end = text.find(')');
    if (!text.starts_with('(') || end == std::string_view::npos)
        refuse();
    const char *at = text.data() + 1, *last = text.data() + end;
    while (at != last) {
        Index extent = 0;
        const auto [next, error] = std::from_chars(at, last, extent);
        if (error != std::errc() || extent < 0 || shape.size() == most_array_axes)
            refuse();
        shape.push_back(extent);
        at = next != last && *next == ',' ? next + 1 : next;
        if (at == next && at != last)
            refuse();
        at = std::find_if(at, last, [](char c) { return c != ' '; });
    }
    return shape;
}

std::size_t array_header_bytes(const StoredBytes& bytes, std::size_t begin, std::size_t size,
                               std::size_t& start) {
    std::array<char, magic.size() + version_bytes + sizeof(std::uint32_t)> first{};
    if (size < first.size())
        refuse_array("", "the header of an array", std::to_string(size) + " bytes");
    bytes.read(begin, first);
    if (!std::string_view(first.data(), first.size()).starts_with(magic))
        refuse_array("", "the mark of an array, \\x93NUMPY", "other bytes");
    // Version 1 counts in two bytes, later ones in four.
    const std::size_t counted = first[magic.size()] == 1 ? sizeof(std::uint16_t) : sizeof(std::uint32_t);
    std::uint32_t length = 0;
    std::memcpy(&length, first.data() + magic.size() + version_bytes, counted);
    start = magic.size() + version_bytes + counted;
    if (length > longest_dictionary || length > size - start)
        refuse_array("header length", "at most " + std::to_string(std::min(longest_dictionary, size - start)),
                     std::to_string(length));
    return length;
}

/// The mark, the version and the dictionary, which ends where the numbers may begin.
std::string written_header(const std::string& type, const Shape& shape) {
    constexpr std::size_t alignment = 64;
    std::string dictionary = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (";
    for (const Index extent : shape)
        dictionary += std::to_string(extent) + ',';
    dictionary += "), }";
    const std::size_t before = magic.size() + version_bytes + sizeof(std::uint16_t);
    const std::size_t used = before + dictionary.size() + 1;
    dictionary.append((alignment - used % alignment) % alignment, ' ');
    dictionary += '\n';
    const auto length = static_cast<std::uint16_t>(dictionary.size());
    std::string header(magic);
    header += {'\1', '\0', static_cast<char>(length & 0xFF), static_cast<char>(length >> 8)};
    return header + dictionary;
}

std::u32string characters_of(const std::string& text) {
    std::u32string characters;
    for (std::int32_t at = 0; at < static_cast<std::int32_t>(text.size());) {
        const std::int32_t character = next_character(text, at);
        characters += character < 0 ? U'\xFFFD' : static_cast<char32_t>(character);
    }
    return characters;
}

}  // namespace

std::string numpy_array_of(const Shape& shape, std::span<const double> numbers) {
    std::string bytes = written_header("<f8", shape);
    bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
    return bytes;
}

std::string numpy_array_of(std::span<const std::string> texts) {
    std::size_t longest = 1;
    for (const std::string& text : texts)
        longest = std::max(longest, text.size());  // as many bytes as it has characters at least
    require_memory("write NumPy array", "", 4.0 * static_cast<double>(longest * texts.size()));
    std::vector<std::u32string> all;
    for (const std::string& text : texts)
        all.push_back(characters_of(text));
    longest = 1;
    for (const std::u32string& text : all)
        longest = std::max(longest, text.size());
    std::string bytes = written_header("<U" + std::to_string(longest), {static_cast<Index>(texts.size())});
    for (std::u32string& text : all) {
        text.resize(longest);
        bytes.append(reinterpret_cast<const char*>(text.data()), text.size() * sizeof(char32_t));
    }
    return bytes;
}

NumpyArray read_numpy_header(const StoredBytes& bytes, std::size_t begin, std::size_t size) {
    std::size_t start = 0;
    const std::size_t length = array_header_bytes(bytes, begin, size, start);
    const std::string text = bytes.text(begin + start, length);
    const Dictionary header(text);
    NumpyArray array;
    array.type_name = quoted_in(header.value("descr"));
    array.shape = shape_in(header.value("shape"));
    array.is_by_columns = header.value("fortran_order").starts_with("True");
    array.begin = begin + start + length;
    array.type = number_named(array.type_name);
    auto needed = static_cast<double>(element_bytes(array));
    if (needed == 0)
        return array;
    for (const Index extent : array.shape)
        needed *= static_cast<double>(extent);
    const std::size_t there = size - start - length;
    if (needed != static_cast<double>(there))
        refuse_array("data", memory_text(needed) + " for shape " + to_string(array.shape),
                     memory_text(static_cast<double>(there)));
    return array;
}

std::optional<std::vector<std::string>> read_numpy_texts(const StoredBytes& bytes, const NumpyArray& array) {
    const std::optional<TextType> type = text_named(array.type_name);
    const std::size_t one = element_bytes(array);
    if (!type || one == 0)
        return std::nullopt;
    const auto count = static_cast<std::size_t>(element_count(array.shape));
    require_memory("read NumPy array", "text",
                   static_cast<double>(count) * static_cast<double>(one + sizeof(std::string)));
    const std::string all = bytes.text(array.begin, count * one);
    std::vector<std::string> texts;
    texts.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        texts.push_back(text_at(all.data() + i * one, *type));
    return texts;
}

}  // namespace headlight
