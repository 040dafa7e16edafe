#pragma once

#include "core/tensor/tensor.h"

#include <algorithm>

namespace headlight {

/// A vector for each column, [width, columns]: products with many columns at once run along the rows.
template <class Real>
struct ColumnTable {
    const Real* data = nullptr;
    Index width = 0;
    Index columns = 0;

    /// out[c] = x . column (first + c) for c in [0, count).
    void multiply(const Real* x, Index first, Index count, Real* out) const {
        std::fill_n(out, count, Real(0));
        for (Index feature = 0; feature < width; ++feature) {
            const Real factor = x[feature];
            const Real* row = data + feature * columns + first;
            for (Index c = 0; c < count; ++c)
                out[c] += factor * row[c];
        }
    }
};

}  // namespace headlight
