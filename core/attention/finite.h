#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <span>
#include <string>

namespace headlight {

/// "NaN", "infinity" or "minus infinity".
std::string word_for_infinite(double number);

/// Throws Error naming the tensor, row and column (from 1) of the first NaN or infinity. Rows of a matrix
/// whose entry in `used_rows` is 0 are not looked at; no entries at all means every row.
void require_finite(const Tensor& tensor, const std::string& name,
                    std::span<const std::uint8_t> used_rows = {});

}  // namespace headlight
