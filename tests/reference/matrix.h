#pragma once

#include <cstddef>
#include <utility>
#include <vector>

// The scalar oracles: every formula once more, as loops over single numbers that can be held against the
// paper with a finger. They are the specification of the engine, so they know nothing of it, and nothing here
// is written for speed.
namespace headlight::reference {

/// Wider than what the engine computes in: 64 bits and exponents to 16,383 on x86. A formula can then stand
/// as it is printed where a double's squares or products would overflow, vanish or lose their last digits.
using Number = long double;

using Row = std::vector<Number>;

/// a . b
inline Number product(const Row& a, const Row& b) {
    Number sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

/// [rows, cols], row-major.
struct Matrix {
    std::size_t rows = 0;
    std::size_t cols = 0;
    std::vector<Number> values;

    Matrix() = default;
    Matrix(std::size_t row_count, std::size_t col_count)
        : rows(row_count), cols(col_count), values(row_count * col_count, Number(0)) {}
    Matrix(std::size_t row_count, std::size_t col_count, std::vector<Number> numbers)
        : rows(row_count), cols(col_count), values(std::move(numbers)) {}

    Number& operator()(std::size_t r, std::size_t c) { return values[r * cols + c]; }
    Number operator()(std::size_t r, std::size_t c) const { return values[r * cols + c]; }
    Row row(std::size_t r) const {
        Row numbers;
        for (std::size_t c = 0; c < cols; ++c)
            numbers.push_back((*this)(r, c));
        return numbers;
    }
};

}  // namespace headlight::reference
