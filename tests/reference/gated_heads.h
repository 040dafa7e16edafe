#pragma once

#include "tests/reference/attention.h"

// What heads find behind gates and experts, of states that groups of heads share, and through few numbers to
// the output.
namespace headlight::reference {

/// O o f(b + x W + O U), f sigma or x sigma(x); each of W and U is the product of its matrices, none is
/// 0.
struct OutputGate {
    std::vector<Matrix> of_token = {}, of_output = {};
    Row b;
    bool is_silu = false;
};
std::vector<HeadResult> output_gate(const std::vector<Head>& heads, const OutputGate& gate);

/// Each head has E matrices of values, the blocks of its columns of W_v, and E of outputs, the blocks of its
/// rows of W_o; a token takes those of the `active` largest sigma(x W), times these (Csordas et al. 2024).
struct SwitchHead {
    Matrix value_router, output_router;  ///< [d, h E]
    std::size_t experts = 1, active = 1;
};
HeadResult switch_head(const Head& head, const SwitchHead& setting);

/// Keys and values of a head from what its group keeps of a token.
struct GroupedLatents {
    Matrix tied;                  ///< GTA: [d, g d_v], the value; the key begins as it does
    Matrix compress, key, value;  ///< GLA: [d, g d_c], [d_c, h d_C], [d_c, h d_v]
    Row gain;                     ///< GLA: [g d_c]
    Matrix shared_key, shared_value, narrow, widen;  ///< MFA: [d, g d], [d, g d_v], [h d, c], [c, h d]
    Matrix rotary;  ///< [d, d_R], GTA and GLA: the last part of each key, turned by its place
    std::size_t groups = 1;
};
std::vector<HeadResult> grouped_latents(const std::vector<Head>& heads, const GroupedLatents& setting);

/// sum_g (o_g A_g) B_g of rows [n, g w]: A [g w, r], B [g r, d] (DeepSeek-V4).
Matrix grouped_output(const Matrix& rows, const Matrix& A, const Matrix& B, std::size_t groups);

/// A gate of Louizos et al. 2018 as Voita et al. 2019 use it: sigma(a), or sigma((ln u - ln(1 - u) + a) /
/// temperature) of a drawn u, stretched to -0.1 and 1.1 and cut at 0 and 1. u of head `head`: the first
/// child of its child of the seed, between 1e-6 and 1 - 1e-6.
Number hard_concrete(Number a);
Number drawn_hard_concrete(Number a, Number temperature, std::uint64_t seed, std::size_t head);

/// Each value over its root mean square, times a gain [d_v]; zeros stay.
Matrix over_root_mean_square(const Matrix& values, const Row& gain);

}  // namespace headlight::reference
