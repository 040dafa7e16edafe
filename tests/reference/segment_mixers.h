#pragma once

#include "tests/reference/attention.h"

// Attention to texts in segments: what lies outside a query's own is in a memory, behind landmarks, or held
// by wider patterns with fewer tokens. One sequence.
namespace headlight::reference {

struct InfiniRule {
    std::size_t segment = 1;
    bool is_delta = true;
    Number memory_share = 0.5;  ///< of what the memory answers; the segment has the rest
};
/// share phi(q) M / phi(q) z + (1 - share) softmax(q . k / sqrt d) over the segment, phi(x) = elu(x) + 1.
/// After a segment M <- M + phi(k)^T (v - phi(k) M / phi(k) z) and z <- z + phi(k) for all of its tokens, by
/// the M and z before; without is_delta M <- M + phi(k)^T v (Munkhdalai et al. 2024, eq. 8 to 10). An empty
/// memory answers 0.
HeadResult infini(const Head& head, const InfiniRule& rule);

/// share softmax(q . k / sqrt d) over the `kept` best tokens of earlier segments, with ties, + (1 - share)
/// softmax over the own segment (Wu et al. 2022, section 3.1). With no earlier segment the first part is 0.
HeadResult memorizing(const Head& head, std::size_t segment, std::size_t kept, Number share);

struct DilatedPattern {
    std::size_t segment = 1, step = 1;
};
/// For each pattern the softmax over the tokens of a segment whose place in it is head number mod step, for
/// the queries that are such a token themselves; the outputs weighed by their denominators (Ding et al. 2023,
/// section 2.2).
HeadResult dilated_segments(const Head& head, const std::vector<DilatedPattern>& patterns);

/// The grouped softmax (Mohtashami and Jaggi 2023, eq. 1 to 4), each block's last token its landmark.
HeadResult landmark_attention(const Head& head, std::size_t block);

}  // namespace headlight::reference
