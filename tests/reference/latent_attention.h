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
};

/// Multi-head latent attention as DeepSeek-AI 2024 defines it (equations 9 to 19, with the norm of the latent
/// that their code has): every key and value is formed.
HeadResult latent_attention(const Head& head, const Latent& latent);

}  // namespace headlight::reference
