#pragma once

#include "core/attention/parameters.h"
#include "core/nn/tape.h"

#include <cassert>
#include <span>

namespace headlight::nn {

/// Calls visit(number of the parameter, place among a model's weights) for each number that a parameter of
/// this shape has of `weight`. A model learns numbers for as many places as its longest text has; a shorter
/// text has the first ones: the first columns, and of each block of rows, one for each head, the first rows.
template <class Visit>
void for_each_trained_number(const Shape& shape, const Weight& weight, Index heads, const Visit& visit) {
    Index size = 1;
    for (const Index extent : shape)
        size *= extent;
    const Index columns = shape.back(), rows = size / columns;
    const Index blocks = weight.rows == rows || rows % heads != 0 ? 1 : heads;
    assert(rows <= weight.rows && columns <= weight.columns && weight.rows % blocks == 0);
    for (Index row = 0; row < rows; ++row) {
        const Index block = row / (rows / blocks), place = row % (rows / blocks);
        const Index from = block * (weight.rows / blocks) + place;
        for (Index column = 0; column < columns; ++column)
            visit(row * columns + column, weight.offset + from * weight.columns + column);
    }
}

/// The numbers that a parameter of this shape has of the weight.
template <class Real>
void read_trained(Tape<Real>& tape, const Shape& shape, const Weight& weight, Index heads,
                  std::span<double> numbers) {
    const Real* trained = tape.weight({0, 1, 1}).value;
    for_each_trained_number(shape, weight, heads, [&](Index to, Index from) {
        numbers[static_cast<std::size_t>(to)] = static_cast<double>(trained[from]);
    });
}

/// Adds the gradient of such a parameter to that of the weight.
template <class Real>
void add_to_trained(Tape<Real>& tape, const Shape& shape, const Weight& weight, Index heads,
                    std::span<const double> gradient) {
    Real* sum = tape.weight({0, 1, 1}).gradient();
    for_each_trained_number(shape, weight, heads, [&](Index from, Index to) {
        sum[to] += static_cast<Real>(gradient[static_cast<std::size_t>(from)]);
    });
}

}  // namespace headlight::nn
