#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// xi' = softmax(beta xi K^T) K, `steps` times, the values read by the last one (Ramsauer et al. 2021,
/// equation 3), or another normaliser in the place of the softmax, with draws of its own at each step.
HeadResult hopfield_retrieval(const Head& head, std::size_t steps, Number beta, const WeighScores& weigh);

struct ReadControl {
    Matrix weight;  ///< [d, 6 h]: strength, interpolation, sharpening and three shifts of each head
    Row bias;       ///< [6 h]
    bool by_content = true;
    bool by_location = true;
};

/// The read weights of a neural Turing machine's head over memory cells (Graves, Wayne and Danihelka 2014,
/// equations 5 to 9), its focus on the first cell before it starts.
HeadResult turing_read(const Head& head, const ReadControl& control);

/// What the heads of a written memory need of each token.
struct MemoryControl {
    Matrix weight;  ///< [d, 12 h], with links [d, 8 h]
    Row bias;
    Matrix erase;  ///< [d, h d_v], before the sigmoid
    Row erase_bias;
    std::size_t cells = 1;
    bool has_links = false;
};
/// Each token is written to cells, M <- M (1 - w^T e) + w^T v, and then read from. The heads of a neural
/// Turing machine move as turing_read's does; those of a differentiable neural computer use free cells and
/// the order of writing (Graves et al. 2016, Methods). The weights are the mean over the features of what is
/// read of each value.
HeadResult turing_memory(const Head& head, const MemoryControl& control, std::size_t heads);

/// Learned memories [slots, d] in place of keys and values, doubly normalised (Guo et al. 2021, equations 5
/// and 6). The weights: how much of what i reads comes from slots that j shares in.
HeadResult external_attention(const Head& head, const Matrix& memory_keys, const Matrix& memory_values);

/// Keys that a cache of `capacity` rows still holds: of the allowed ones, the last so many.
Allowed newest(const Allowed& allowed, std::size_t capacity);

}  // namespace headlight::reference
