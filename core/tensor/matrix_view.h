#pragma once

#include "core/tensor/index.h"

#include <cassert>
#include <type_traits>

namespace headlight {

/// A matrix of numbers that belong to somebody else, who must stay. T is double, float, std::uint8_t, or one
/// of these const. To be written with the names of its members: {data, stride} would compile.
///
/// Its members are compiled into whoever calls them: a copy that one processor level has compiled for itself
/// must not be the one that all share (docs/adr/0005).
template <class T>
struct MatrixView {
    T* data = nullptr;
    Index rows = 0;
    Index columns = 0;
    Index stride = 0;  ///< numbers from one row to the next
    Index step = 1;    ///< from one column to the next

    /// Returns the numbers of a row, which lie side by side. Inner loops take this pointer once.
    [[gnu::always_inline]] T* row(Index r) const {
        assert(step == 1 && r >= 0 && r < rows);
        return data + r * stride;
    }
    /// For loops that do not count: it multiplies by stride and step.
    [[gnu::always_inline]] T& operator()(Index r, Index c) const {
        assert(r >= 0 && r < rows && c >= 0 && c < columns);
        return data[r * stride + c * step];
    }

    /// Returns some of the rows, without copying.
    [[gnu::always_inline]] MatrixView row_range(Index first, Index count) const {
        assert(first >= 0 && count >= 0 && first + count <= rows);
        return {
            .data = data + first * stride, .rows = count, .columns = columns, .stride = stride, .step = step};
    }
    /// Returns some of the columns, without copying: a head of [tokens, heads * width].
    [[gnu::always_inline]] MatrixView column_range(Index first, Index count) const {
        assert(first >= 0 && count >= 0 && first + count <= columns);
        return {.data = data + first * step, .rows = rows, .columns = count, .stride = stride, .step = step};
    }
    /// Returns rows as columns, without copying.
    [[gnu::always_inline]] MatrixView transposed() const {
        return {.data = data, .rows = columns, .columns = rows, .stride = step, .step = stride};
    }

    [[gnu::always_inline]]
    operator MatrixView<const T>() const  // NOLINT: who reads may have what can be written
        requires(!std::is_const_v<T>) {
        return {.data = data, .rows = rows, .columns = columns, .stride = stride, .step = step};
    }
};

/// Returns the matrix whose rows follow one another without a gap.
template <class T>
[[gnu::always_inline]] inline MatrixView<T> row_major(T* data, Index rows, Index columns) {
    return {.data = data, .rows = rows, .columns = columns, .stride = columns};
}

}  // namespace headlight
