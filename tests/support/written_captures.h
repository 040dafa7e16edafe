#pragma once

// Captures that tests read: those that NumPy wrote (tests/support/captures/generate.py), and one with values.

#include "core/io/safetensors.h"

#include <filesystem>

namespace headlight::written_captures {

inline const std::filesystem::path captures = HEADLIGHT_SOURCE_DIR "/tests/support/captures";

/// Maps of two layers and four heads of two queries and three keys, with values in two groups.
inline SafetensorsFile weights_with_values(const Tensor& values) {
    SafetensorsFile file;
    file.tensors = {{"attention", Tensor({2, 4, 2, 3}, 0.25)}, {"v", values}};
    return file;
}

}  // namespace headlight::written_captures
