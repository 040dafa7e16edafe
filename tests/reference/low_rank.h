#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// [count, size]: row r takes the mean over columns r size / count to (r + 1) size / count, rounded down.
Matrix segment_means(std::size_t count, std::size_t size);

/// softmax(Q (E K)^T / sqrt(d)) F V (Wang et al. 2020, eq. 7). E and F are [k, m].
HeadResult linformer(const Head& head, const Matrix& for_keys, const Matrix& for_values);

/// softmax(Q K~^T) Z softmax(Q~ K^T), all scores over sqrt(d), Z the pseudo-inverse of softmax(Q~ K~^T) as
/// far as `iterations` steps come (Xiong et al. 2021, eq. 11 and 13).
HeadResult nystrom(const Head& head, std::size_t landmarks, std::size_t iterations);

}  // namespace headlight::reference
