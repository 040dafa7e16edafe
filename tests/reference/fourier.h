#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// The real part of the sum of x_je exp(-2 pi i (t j / n + c e / d)) over all tokens j and features e of a
/// head, of which queries are the rows (Lee-Thorp et al. 2022). Weights: the cosines of t j / n.
HeadResult fourier_mixing(const Head& head);

}  // namespace headlight::reference
