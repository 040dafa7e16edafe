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

/// Keys that stand beside the rows of a state, the newest that a query sees.
struct NewestKeys {
    std::size_t count = 0;
    bool are_written = false;  ///< to the state as well; else a key is when it is none of the newest any more
};

/// K <- diag(a) K + w k, V <- diag(a) V + w v; a query reads softmax([K; k] q / sqrt d) [V; v] of the rows as
/// they are after the last key that it sees, or the last that is written, and of the newest keys and values
/// (without them Zhang et al. 2024, with them Du et al. 2026).
HeadResult slot_memory(const Head& head, const FadingWrites& rows, const NewestKeys& newest = {});

/// A circle of slots of whole times. A query at the time T on a clock finds what was written at the time t in
/// slot r by the share D(r - (T - t)), D(x) = (1 + 2 sum_p cos(2 pi p x / slots)) / slots, p = 1 to
/// (slots - 1) / 2; times are the sums of `steps` so far.
struct CyclicSlots {
    std::size_t slots = 1;
    Row steps, strengths, gates;  ///< of each key: what is written, and what is then kept of all before
    Matrix mixes;                 ///< [slots, slots]: what each read has of each slot
};
/// softmax(mixes s) of the scores s of the slots, q . k / sqrt d of what they hold, and by mixes^T the values
/// of the slots (Chen et al. 2026), as they are after the last key that a query sees.
HeadResult cyclic_slots(const Head& head, const CyclicSlots& circle);

}  // namespace headlight::reference
