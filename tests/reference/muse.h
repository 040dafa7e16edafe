#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// softmax(q . k / sqrt(d)) v of each head, plus sum over s of softmax(gate)_s times the values around each
/// token by a kernel of s places, softmax(v W_s) of the token's values of all heads (Zhao et al. 2019). What
/// lies outside the text or is forbidden is 0 there.
struct MuseKernels {
    Row gate;                     ///< [kernels]
    std::vector<Matrix> kernels;  ///< [h d_v, h s], s = 3, 5 ...
    bool is_past = false;
};
std::vector<HeadResult> muse(const std::vector<Head>& heads, const MuseKernels& given);

}  // namespace headlight::reference
