#pragma once

#include "tests/reference/masks.h"
#include "tests/reference/matrix.h"

namespace headlight::reference {

struct FrameMasks {
    std::size_t frame = 1, reach = 0, samples = 1;
    Number temperature = 1;
};
/// Returns the one of two masks that changes the softmax attention of `samples` queries less in squares, the
/// first if both do alike: keys of frames at most `reach` away, or keys of the same place in each frame, both
/// with those of the first frame (Xi et al. 2025).
Allowed frame_heads(const Matrix& scores, const Matrix& v, const Allowed& allowed, const FrameMasks& masks);

}  // namespace headlight::reference
