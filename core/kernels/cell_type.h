#pragma once

#include "core/tensor/tensor.h"

namespace headlight::kernels {

enum class CellType {
    rnn,   ///< h' = tanh(x W + h U)                                                           (Elman 1990)
    gru,   ///< h' = (1 - z) n + z h, n = tanh(x W + r (h U + c))   (Cho et al. 2014; the reset gate as in
           ///< cuDNN)
    lstm,  ///< c' = f c + i g, h' = o tanh(c')                                 (Hochreiter & Schmidhuber
           ///< 1997)
};

/// Matrices that stand side by side in a cell's weights: gru [reset, update, new], lstm [input, forget, cell,
/// output], as PyTorch orders them.
constexpr Index gates_of(CellType type) { return type == CellType::rnn ? 1 : type == CellType::gru ? 3 : 4; }

}  // namespace headlight::kernels
