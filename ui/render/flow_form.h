#pragma once

#include "core/tensor/tensor.h"

namespace headlight {

/// How a flow is drawn where room is short.
struct FlowForm {
    bool goes_down = false;  ///< its columns one below the other
    bool has_shapes = true;  ///< sizes of tensors, in words and as rectangles
    bool is_dense = false;   ///< lines and columns are closer to each other
    bool is_tight = false;   ///< dense, with columns as close as leaves their arrows a way
    Index rows = 1;          ///< across: its columns go on in so many rows
    bool operator==(const FlowForm&) const = default;
};

}  // namespace headlight
