#pragma once

#include "tests/reference/matrix.h"

namespace headlight::reference {

/// A_j = exp(s_j / t) / sum_k exp(s_k / t) over the allowed keys k, exactly 0 for the others. The largest
/// allowed score is taken off first, which changes nothing (shift invariance) and keeps exp from overflowing.
/// A row that allows nothing is all zero: no other answer is finite and sums to something honest.
Row softmax(const Row& scores, const std::vector<bool>& allowed, Number temperature);
/// The same of all scores, at the temperature 1.
inline Row softmax_of_all(const Row& scores) {
    return softmax(scores, std::vector<bool>(scores.size(), true), 1);
}

/// The logarithms of the softmax of the scores: what has vanished from the weights can still be compared.
Row log_softmax(const Row& scores, const std::vector<bool>& allowed);

}  // namespace headlight::reference
