#pragma once

#include "core/tensor/matrix_view.h"

#include <algorithm>

namespace headlight {

/// out[c] = x . column c of [width, columns], for all columns at once: the loop runs along the rows.
template <class Real>
void multiply_columns(const Real* x, MatrixView<const Real> table, Real* out) {
    const Index columns = table.columns;
    std::fill_n(out, columns, Real(0));
    for (Index feature = 0; feature < table.rows; ++feature) {
        const Real factor = x[feature];
        const Real* row = table.row(feature);
        for (Index c = 0; c < columns; ++c)
            out[c] += factor * row[c];
    }
}

}  // namespace headlight
