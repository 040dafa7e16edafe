#pragma once

#include "tests/reference/matrix.h"

namespace headlight::reference {

/// x + PE with, for position p and pair i of a width D,
///   PE(p, 2i) = sin(p / 10000^(2i/D)),  PE(p, 2i+1) = cos(p / 10000^(2i/D))
/// (Vaswani et al. 2017, section 3.5, interleaved as printed there; without the paper's factor sqrt(D) on x).
Matrix add_sinusoidal_position(const Matrix& x);

}  // namespace headlight::reference
