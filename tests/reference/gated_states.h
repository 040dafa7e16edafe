#pragma once

#include "tests/reference/attention.h"

// States that fade by gates of the tokens' own, token by token (Beck et al. 2024, Peng et al. 2024), and as
// many of them as a Fenwick tree has levels (Guo et al. 2025). A weight is what is left of a key in the
// state, times the query.
namespace headlight::reference {

/// The stabilised recurrence of mLSTM: with m_t = max(ln f_t + m_{t-1}, i_t), what is left of a key fades by
/// exp(ln f_t + m_{t-1} - m_t), a new one is exp(i_t - m_t), and q over sqrt d reads over
/// max(|sum|, exp(-m_t)). Raw gates are one for each token; f is a sigmoid.
HeadResult mlstm(const Head& head, const Row& raw_inputs, const Row& raw_forgets);

/// o_t = r_t (S_{t-1} + diag(u) k_t v_t), S_t = diag(w_t) S_{t-1} + k_t v_t, times `scale`; w [m, d].
HeadResult rwkv6(const Head& head, const Matrix& w, const Row& u, Number scale);

struct LogLinear {
    Row gates;         ///< [m]: what a token keeps of all states
    Row strengths;     ///< [m]: what its key is written by; an empty one is all ones
    Matrix of_levels;  ///< [n, levels]: lambda
    Number scale = 1;
};
/// The tokens before t in blocks, the largest first, as the binary digits of t say; level l reads a block of
/// 2^(l-1) tokens, level 0 the token itself, each times the lambda of its level.
HeadResult log_linear(const Head& head, const LogLinear& rule);

}  // namespace headlight::reference
