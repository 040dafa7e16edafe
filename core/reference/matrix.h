#pragma once

#include <cstddef>
#include <utility>
#include <vector>

// The scalar oracles: every formula once more, as loops over single numbers that can be held against the
// paper with a finger. They are the specification of the engine, so they know nothing of it, and nothing here
// is written for speed.
namespace headlight::reference {

using Row = std::vector<double>;

/// [rows, cols], row-major.
struct Matrix {
    std::size_t rows = 0;
    std::size_t cols = 0;
    std::vector<double> values;

    Matrix() = default;
    Matrix(std::size_t row_count, std::size_t col_count)
        : rows(row_count), cols(col_count), values(row_count * col_count, 0.0) {}
    Matrix(std::size_t row_count, std::size_t col_count, std::vector<double> numbers)
        : rows(row_count), cols(col_count), values(std::move(numbers)) {}

    double& operator()(std::size_t r, std::size_t c) { return values[r * cols + c]; }
    double operator()(std::size_t r, std::size_t c) const { return values[r * cols + c]; }
    Row row(std::size_t r) const {
        Row numbers;
        for (std::size_t c = 0; c < cols; ++c)
            numbers.push_back((*this)(r, c));
        return numbers;
    }
};

}  // namespace headlight::reference
