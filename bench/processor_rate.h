#pragma once

#include <cstdint>

namespace headlight {

/// Multiply-adds in registers and nothing else, in float on all threads: no product of matrices is faster
/// here. Returns how many multiplications and additions it did.
std::int64_t multiply_add_in_registers();

}  // namespace headlight
