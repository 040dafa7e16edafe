#pragma once

#include "tests/reference/attention.h"

// Mixers that weigh each pair by a rule of their own, or look at more than the tokens' keys and values.
namespace headlight::reference {

/// Keys and values beside those of the tokens, of one head [s, d_k] and [s, d_v].
struct MemorySlots {
    Matrix keys, values;
};
/// Softmax of q . k / sqrt(d) over the slots and the allowed keys together; the weights are those of the keys
/// (Sukhbaatar et al. 2019, without its positions).
HeadResult persistent_memory(const Head& head, const MemorySlots& slots);

/// Places of a window from `before` places before the query on, and a score for each of them: row t of
/// `scores` [n, size] is that of query t.
struct Kernel {
    Matrix scores;
    std::size_t before = 0;
    bool is_renormalized = false;
};
/// o_i = sum_c softmax(scores_i)_c v_(i - before + c) (Wu et al. 2019); places outside the text
/// and forbidden ones hold zeros, or, renormalised, are no places.
HeadResult dynamic_convolution(const Head& head, const Kernel& kernel);

/// tanh(q . k / sqrt d) 2 sigmoid(-|q - k|_1 / sqrt d) of the allowed pairs (Tay et al. 2019).
HeadResult coda(const Head& head);

/// What the row of a token and that of the token before are multiplied by.
struct Shift {
    Number own = 1, before = 0;
};
/// Softmax attention to k_j = own k_j + before k_(j-1) and v_j alike, k_(-1) = v_(-1) = 0 (Xu et al. 2025).
HeadResult key_value_shift(const Head& head, const Shift& of_keys, const Shift& of_values);

/// q_i lambda_i with lambda_i = sum_j (softmax_j(k_j) + E_(j - i))^T v_j (Bello 2021); row r + e
/// of E [2 r + 1, d] is that of the distance e, and beyond r there is none.
HeadResult lambda_layer(const Head& head, const Matrix& E);

}  // namespace headlight::reference
