#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct Latent {
    Matrix compress;   ///< [d, d_c]
    Row gain;          ///< [d_c]
    Matrix to_key;     ///< [d_c, h d_C]
    Matrix to_rotary;  ///< [d, d_R]; empty: there is no rotary part
    Matrix to_value;   ///< [d_c, h d_v]
    std::size_t heads = 1;
    Number base = 10000;
    WeighScores weigh;
    Row shift = {};          ///< [d_c], of a layer norm; empty: the root mean square alone
    std::size_t merged = 1;  ///< tokens of a group
    Matrix merge_place = {}, merge_latent = {};  ///< [d_c, width]
    Row merge_place_shift = {}, merge_latent_shift = {};
};

/// Multi-head latent attention as DeepSeek-AI 2024 defines it (equations 9 to 19, with the norm of the latent
/// that their code has): every key and value is formed. Merged: c^_j = sum over the tokens i of the group t
/// of j up to j of sigmoid((sinusoid(t) W_p + b_p) . (c_i W_c + b_c)) c_i takes the place of c_j, and a query
/// sees the last token of each group, and the newest one that the mask leaves it (Deng and Woodland 2025).
HeadResult latent_attention(const Head& head, const Latent& latent);

}  // namespace headlight::reference
