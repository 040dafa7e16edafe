#include "tests/reference/linear_mixers.h"
#include "tests/reference/splitmix.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

/// The stream of a name: the child whose index is the 64-bit FNV-1a hash of its letters.
std::uint64_t named(std::uint64_t seed, const char* name) {
    std::uint64_t hash = 14695981039346656037u;
    for (; *name; ++name) {
        hash ^= static_cast<unsigned char>(*name);
        hash *= 1099511628211u;
    }
    return child(seed, hash);
}

Number uniform(std::uint64_t stream, std::uint64_t index) {
    return static_cast<Number>(child(stream, index) >> 11) / 9007199254740992.0;
}

/// Box and Muller (1958), from the uniform numbers 2 i and 2 i + 1.
Number normal(std::uint64_t stream, std::uint64_t index) {
    const Number u = 1 - uniform(stream, 2 * index),
                 angle = 2 * std::acos(-Number(1)) * uniform(stream, 2 * index + 1);
    return std::sqrt(-2 * std::log(u)) * std::cos(angle);
}

/// w . x' - |x'|^2 / 2 for one direction.
Number exponent(const Matrix& directions, std::size_t direction, const Row& x) {
    const Number root = std::sqrt(std::sqrt(static_cast<Number>(x.size())));
    Number sum = 0;
    for (std::size_t c = 0; c < x.size(); ++c)
        sum += directions(direction, c) * x[c] / root - x[c] * x[c] / (2 * root * root);
    return sum;
}

}  // namespace

Matrix random_directions(std::size_t features, std::size_t width, std::uint64_t seed) {
    const std::uint64_t stream = named(seed, "random_features");
    Matrix result(features, width);
    for (std::size_t r = 0; r < features; ++r) {
        Row drawn;
        for (std::size_t c = 0; c < width; ++c)
            drawn.push_back(normal(stream, r * width + c));
        Row left = drawn;
        for (std::size_t before = r / width * width; before < r; ++before) {
            Number product = 0, square = 0;
            for (std::size_t c = 0; c < width; ++c) {
                product += left[c] * result(before, c);
                square += result(before, c) * result(before, c);
            }
            for (std::size_t c = 0; c < width; ++c)
                left[c] -= product / square * result(before, c);
        }
        Number length = 0, length_left = 0;
        for (std::size_t c = 0; c < width; ++c) {
            length += drawn[c] * drawn[c];
            length_left += left[c] * left[c];
        }
        for (std::size_t c = 0; c < width; ++c)
            result(r, c) = left[c] * std::sqrt(length / length_left);
    }
    return result;
}

Matrix random_normals(std::size_t rows, std::size_t width, std::uint64_t seed, const char* name) {
    const std::uint64_t stream = named(seed, name);
    Matrix result(rows, width);
    for (std::size_t i = 0; i < result.values.size(); ++i)
        result.values[i] = normal(stream, i);
    return result;
}

HeadResult performer(const Head& head, std::size_t features, std::uint64_t seed) {
    const Matrix directions = random_directions(features, head.q.cols, seed);
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        // exp(a_r + b_rj) summed over r, all over the largest of the row.
        Matrix exponents(head.k.rows, features);
        Number largest = -INFINITY, sum = 0;
        for (std::size_t j = 0; j < head.k.rows; ++j)
            for (std::size_t r = 0; r < features && head.allowed[i][j]; ++r) {
                exponents(j, r) =
                    exponent(directions, r, head.q.row(i)) + exponent(directions, r, head.k.row(j));
                largest = std::max(largest, exponents(j, r));
            }
        for (std::size_t j = 0; j < head.k.rows; ++j)
            for (std::size_t r = 0; r < features && head.allowed[i][j]; ++r) {
                result.weights(i, j) += std::exp(exponents(j, r) - largest);
                sum += std::exp(exponents(j, r) - largest);
            }
        for (std::size_t j = 0; j < head.k.rows; ++j) {
            if (!head.allowed[i][j])
                continue;
            result.weights(i, j) /= sum;
            for (std::size_t c = 0; c < head.v.cols; ++c)
                result.context(i, c) += result.weights(i, j) * head.v(j, c);
        }
    }
    return result;
}

}  // namespace headlight::reference
