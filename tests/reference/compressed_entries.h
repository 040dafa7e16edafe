#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// What tokens become together: contents C = y W and gates Z = y W_gate + B of their place in a window of
/// `block`, of one series of `width` features, or of two, side by side.
struct EntryWeights {
    Matrix W, W_gate, B;
    Row g;
};
struct CompressedEntries {
    std::size_t block = 1, kept = 0, window = 1, rotated = 0, index_heads = 1;
    bool overlaps = true, has_sink = true;
    EntryWeights entry, index;
    Matrix W_index_q, W_index_w;
    Number sink = 0;  ///< of the head
};
/// Entry w is the sum over the tokens of window w, by the last series, and with `overlaps` over those of
/// window w - 1, by the first, of softmax(Z) C, each feature by itself, over the root of the mean of its
/// squares, times g: key and value at once. Query t sees the `window` newest tokens and the entries w <
/// floor((t + 1) / block), of which an indexer, I = sum_h w_h max(0, q_h . c), leaves `kept`, if that is not
/// 0; one softmax over both, and over a sink whose share is lost. `rotated` features turn by their places,
/// entries by that of their first token, and contexts back (DeepSeek-AI 2026, sections 2.3.1 and 2.3.2).
/// Weights go through an entry by what each token has of it in the mean of its features.
HeadResult compressed_entries(const Head& head, const CompressedEntries& given);

}  // namespace headlight::reference
