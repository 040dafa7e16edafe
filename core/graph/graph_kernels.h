#pragma once

#include "core/kernels/arithmetic.h"
#include "core/kernels/kernels.h"

namespace headlight {

/// The kernels of the processor for the numbers of graphs.
inline const kernels::Arithmetic<double>& graph_arithmetic() { return kernels::chosen_arithmetic<double>(); }
inline const kernels::Table<double>& graph_kernels() {
    return kernels::table<double>(kernels::chosen_level());
}

}  // namespace headlight
