#pragma once

#include "core/graph/expression.h"

#include <bit>
#include <cstdint>

namespace headlight::test {

/// The same operations on the same numbers and names. How people write it in short is no part of it.
inline bool same_expression(const Expression& a, const Expression& b) {
    const ExpressionNode &x = *a, &y = *b;
    const bool same_node = x.operation == y.operation && x.extent == y.extent && x.tensor == y.tensor &&
                           std::bit_cast<std::uint64_t>(x.number) == std::bit_cast<std::uint64_t>(y.number) &&
                           x.is_truth == y.is_truth && x.heads == y.heads && x.count == y.count;
    const auto same_places = [](const Places& p, const Places& q) {
        return p.rows == q.rows && p.columns == q.columns && p.numbers.all() == q.numbers.all();
    };
    if (!same_node || !same_places(x.row_places, y.row_places) ||
        !same_places(x.column_places, y.column_places) || x.operands.size() != y.operands.size())
        return false;
    for (std::size_t i = 0; i < x.operands.size(); ++i)
        if (!same_expression(x.operands[i], y.operands[i]))
            return false;
    return true;
}

}  // namespace headlight::test
