#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// softmax(q . k / sqrt(d)) v of each head, plus sum over s of softmax(gate)_s times the values around each
/// token by a kernel of s places, softmax(v W_s) of the token's values of all heads (Zhao et al. 2019). What
/// lies outside the text or is forbidden is 0 there. Plain kernels are the same for all tokens.
struct MuseKernels {
    Row gate;                     ///< [kernels]
    std::vector<Matrix> kernels;  ///< [h d_v, h s], s = 3, 5 ...; plain ones [h, s]
    bool is_past = false;
    bool is_plain = false;
    Matrix to_output = {};  ///< [h d_v, h d_v], behind the kernels of all heads; empty: none
};
std::vector<HeadResult> muse(const std::vector<Head>& heads, const MuseKernels& given);

}  // namespace headlight::reference
