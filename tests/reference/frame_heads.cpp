#include "tests/reference/frame_heads.h"

#include "tests/reference/softmax.h"

#include <algorithm>

namespace headlight::reference {

Allowed frame_heads(const Matrix& scores, const Matrix& v, const Allowed& allowed, const FrameMasks& masks) {
    const std::size_t n = scores.rows, m = scores.cols, count = std::min(masks.samples, n);
    Allowed space = allowed, time = allowed;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m; ++j) {
            const std::size_t a = i / masks.frame, b = j / masks.frame;
            space[i][j] = allowed[i][j] && (std::max(a, b) - std::min(a, b) <= masks.reach || b == 0);
            time[i][j] = allowed[i][j] && (i % masks.frame == j % masks.frame || b == 0);
        }
    const auto error = [&](const Allowed& mask) {
        Number sum = 0;
        for (std::size_t sample = 0; sample < count; ++sample) {
            const std::size_t i = sample * n / count;
            const Row whole = softmax(scores.row(i), allowed[i], masks.temperature),
                      part = softmax(scores.row(i), mask[i], masks.temperature);
            for (std::size_t c = 0; c < v.cols; ++c) {
                Number difference = 0;
                for (std::size_t j = 0; j < m; ++j)
                    if (whole[j] != part[j])
                        difference += (part[j] - whole[j]) * v(j, c);
                sum += difference * difference;
            }
        }
        return sum;
    };
    return error(time) >= error(space) ? space : time;
}

}  // namespace headlight::reference
