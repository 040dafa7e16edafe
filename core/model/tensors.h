#pragma once

#include "core/nn/tape.h"
#include "core/tensor/tensor.h"

namespace headlight {

/// The numbers of a variable, to be kept when its tape is cleared.
inline FloatTensor copy(nn::Variable<float> from) {
    const auto values = from.values();
    return FloatTensor({from.rows, from.columns}, std::vector<float>(values.begin(), values.end()));
}

}  // namespace headlight
