#pragma once

#include "core/kernels/arithmetic.h"
#include "core/kernels/kernels.h"

namespace headlight {

/// The kernels of the processor for the numbers of graphs.
inline const kernels::Arithmetic<double>& graph_arithmetic() {
    return kernels::arithmetic<double>(kernels::chosen_level());
}
inline const kernels::Table<double>& graph_kernels() {
    return kernels::table<double>(kernels::chosen_level());
}

}  // namespace headlight
