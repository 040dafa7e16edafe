#pragma once

#include "core/attention/arithmetic_text.h"
#include "core/attention/explained_cell.h"

#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

// What the scores of this folder say of their numbers.

/// The query of the cell's row, or the key of its column, as they meet: after norms and rotations.
inline std::span<const double> compared(const ExplainedCell& cell, bool is_key) {
    return is_key ? cell.row_of(cell.compared_key(), cell.plan.kv_head(cell.head), cell.column)
                  : cell.row_of(cell.compared_query(), cell.head, cell.row);
}

/// x . column of the matrix.
inline double product_with(std::span<const double> x, const Tensor& matrix, Index column) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        sum += x[i] * matrix(static_cast<Index>(i), column);
    return sum;
}

inline Arithmetic activated(Activation activation, const Arithmetic& inside) {
    switch (activation) {
    case Activation::tanh:
        return "tanh(" + inside + ")";
    case Activation::relu:
        return "max(0, " + inside + ")";
    case Activation::sigmoid:
        return "sigmoid(" + inside + ")";
    case Activation::identity:
        break;
    }
    return inside;
}

/// "q W_1 + k W_2 = 0.2 − 0.5", and the same inside the activation on both sides.
inline Arithmetic energy_text(Activation activation,
                              std::initializer_list<std::pair<std::string, double>> parts) {
    std::string symbols;
    Arithmetic numbers;
    for (const auto& [symbol, number] : parts) {
        numbers = symbols.empty() ? written(number) : plus(numbers, number);
        symbols += (symbols.empty() ? "" : " + ") + symbol;
    }
    return activated(activation, symbols) + " = " + activated(activation, numbers);
}

/// "v · energy = 0.1 × 0.3 + …", from the recorded energies; without numbers when they were too large to be
/// kept.
inline Arithmetic weighed_energies(const ExplainedCell& cell) {
    if (!cell.is_recorded("energy"))
        return "v · energy";
    const auto v = cell.plan.parameter("v").values(),
               energy = cell.row_of("energy", cell.head, cell.row * cell.plan.keys + cell.column);
    std::vector<Factors> terms;
    for (std::size_t a = 0; a < v.size(); ++a)
        terms.push_back({v[a], energy[a]});
    return "v · energy = " + sum_of_products(terms);
}

}  // namespace headlight
