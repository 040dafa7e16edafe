#pragma once

#include "core/kernels/arithmetic.h"
#include "core/kernels/kernels.h"

namespace headlight::kernels {

/// Everything that is compiled for one level: level_avx2.cpp defines `kernels_avx2`.
struct LevelKernels {
    Table<float> of_float;
    Table<double> of_double;
    Arithmetic<float> arithmetic_of_float;
    Arithmetic<double> arithmetic_of_double;
};

}  // namespace headlight::kernels
