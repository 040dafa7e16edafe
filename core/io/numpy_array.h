#pragma once

#include "core/io/stored_bytes.h"
#include "core/io/stored_types.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// What the header of an array of NumPy says (format NPY, version 1 to 3).
struct NumpyArray {
    Shape shape;
    const StoredNumber* type = nullptr;  ///< null for a type that is not read: text, complex numbers
    std::string type_name;               ///< "<f4", as the header has it: ">f4" is big-endian
    bool is_by_columns = false;          ///< Fortran's order: the first axis is contiguous
    std::size_t begin = 0;               ///< of its numbers
};

/// Reads the header of the array that begins at `begin` and has `size` bytes. Throws Error for what is no
/// such array, and for one of numbers or text that has not exactly the bytes of its shape.
NumpyArray read_numpy_header(const StoredBytes& bytes, std::size_t begin, std::size_t size);

/// The elements of an array of text, whose type is named "<U5", ">U5" or "|S5", one after another as they
/// lie; what is no character becomes U+FFFD. Nothing of an array of anything else.
std::optional<std::vector<std::string>> read_numpy_texts(const StoredBytes& bytes, const NumpyArray& array);

/// An array of float64 as NumPy keeps it (version 1). `numbers` are as many as `shape` says.
std::string numpy_array_of(const Shape& shape, std::span<const double> numbers);
/// The same of texts, each with room for the longest of them [text]; what is not UTF-8 becomes U+FFFD. Throws
/// Error when that takes more than memory_limit().
std::string numpy_array_of(std::span<const std::string> texts);

}  // namespace headlight
