#pragma once

#include "tests/reference/attention.h"

// States that tokens write to with a delta rule of their own kind, token by token as the papers have them. A
// query reads the state that the newest token has left which it sees, its own or one before. A weight is what
// it reads where the values are a unit matrix. Gates are numbers that the state is multiplied by; where there
// are none, nothing fades.
namespace headlight::reference {

struct Rwkv7 {
    Matrix w, a;        ///< [n, d_k]: decays and in-context learning rates
    Row k_k, k_a, r_k;  ///< [d_k]; an empty r_k is no bonus
    Number scale = 1;
};
/// S <- diag(w) S - (a kappa)(kappa^T S) + k~ v^T, o = S^T r + (r . (r_k k~)) v (Peng et al. 2025).
HeadResult rwkv7(const Head& head, const Rwkv7& rule);

struct DeltaProduct {
    Matrix gates;                      ///< [n, d_k]
    std::vector<Matrix> keys, values;  ///< of each write of a token, [n, d_k] and [n, d_v]
    Matrix strengths;                  ///< [n, writes]
    Number scale = 1;
};
/// S <- a S, then S <- S + beta k (v - S^T k)^T for each write (Siems et al. 2025). The weight of a token is
/// that of all its writes.
HeadResult delta_product(const Head& head, const DeltaProduct& rule);

struct GatedDelta2 {
    Matrix gates;   ///< [n, d_k]
    Matrix erases;  ///< [n, d_k]
    Matrix writes;  ///< [n, d_v]
    Number scale = 1;
};
/// S <- (I - k (b k)^T) diag(a) S + k (w v)^T (Hatamizadeh et al. 2026). The weight is that of w v.
HeadResult gated_delta_2(const Head& head, const GatedDelta2& rule);

struct Comba {
    Matrix gates;  ///< [n, d_k]
    Row strengths;
    Number feedback = 1, correction = 0, scale = 1;
    bool asks_first = true;  ///< before the gates act
};
/// S <- a S + beta k (v - b S^T k)^T, o = S^T (q - d k) (Hu et al. 2025).
HeadResult comba(const Head& head, const Comba& rule);

struct MemoryMixture {
    std::vector<Matrix> keys, values;      ///< of each memory, [n, d_k] and [n, d_v]
    Matrix gates, strengths;               ///< [n, memories]
    Matrix shares;                         ///< what each query takes of each memory, [n, memories]
    std::vector<std::vector<bool>> takes;  ///< [n][memories]
    Number scale = 1;
};
/// o = sum_m r_m S_m^T q, where S_m <- a_m S_m, then S_m <- S_m + beta_m k_m (v_m - S_m^T k_m)^T, if the
/// memory takes the token; else it stays (Du et al. 2026). The weight of a token is that in all memories.
HeadResult memory_mixture(const Head& head, const MemoryMixture& rule);

/// S <- (I - e k k^T) S + e k v^T, e = beta / (1 + beta |k|^2) (Liu et al. 2025, theorem 3.1); diagonal: with
/// the squares of k alone in the place of k k^T.
HeadResult longhorn(const Head& head, const Row& beta, bool is_diagonal, Number scale);

}  // namespace headlight::reference
