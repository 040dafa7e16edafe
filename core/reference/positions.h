#pragma once

#include "core/reference/matrix.h"

#include <string>

namespace headlight::reference {

/// m_h of ALiBi: 2^(-8 (h+1) / H) for H a power of two, else slopes of the largest power P below H, followed
/// by those numbered 0, 2, 4 ... of 2 P (Press et al. 2022; the authors' get_slopes).
double alibi_slope(std::size_t head, std::size_t heads);

/// -m (i - j), -m |i - j| or, "key_only", +m j.
Matrix alibi_bias(std::size_t queries, std::size_t keys, double slope, const std::string& form);

}  // namespace headlight::reference
