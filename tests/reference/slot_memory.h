#pragma once

#include "tests/reference/attention.h"

// States whose rows fade as much as something new is written to them (Peng et al. 2022, Zhang et al. 2024,
// Qin et al. 2024), token by token.
namespace headlight::reference {

/// What each row of a state keeps at each token, and what it takes of it, both [m, rows].
struct FadingWrites {
    Matrix gates, writes;
};

/// With z_t = ln(e^{s_1} + ... + e^{s_t}), gates e^{z_{t-1} - z_t} and writes e^{s_t - z_t} of numbers s
/// [m, rows]: the sums are kept over the power of the largest number so far.
FadingWrites shares_so_far(const Matrix& numbers);

/// K <- diag(a) K + w k, V <- diag(a) V + w v; a query reads softmax(K q / sqrt d) V of the rows as they are
/// after the last key that it sees.
HeadResult slot_memory(const Head& head, const FadingWrites& rows);

}  // namespace headlight::reference
