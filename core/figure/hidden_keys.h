#pragma once

#include "core/tensor/shared_numbers.h"
#include "core/tensor/tensor.h"

#include <vector>

namespace headlight {

/// A map seen without some of its keys, such as the first token that many heads rest on: their columns are
/// missing, and each row's other weights are shared out anew over what the row gave.
struct MapWithoutKeys {
    SharedNumbers weights;  ///< [row, column]; NaN in hidden columns, and in rows that had nothing else
    double hidden_mass =
        0;  ///< the share of its weights that a row gave to the hidden keys, mean over the rows
};

/// Keys outside the map are passed over. Rows count by the sizes of their weights, which may be negative.
MapWithoutKeys without_keys(const SharedNumbers& weights, Index rows, Index columns,
                            const std::vector<Index>& keys);

}  // namespace headlight
