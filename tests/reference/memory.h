#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// xi' = softmax(beta xi K^T) K, `steps` times, the values read by the last one (Ramsauer et al. 2021,
/// equation 3).
HeadResult hopfield_retrieval(const Head& head, std::size_t steps, Number beta);

struct ReadControl {
    Matrix weight;  ///< [d, 6 h]: strength, interpolation, sharpening and three shifts of each head
    Row bias;       ///< [6 h]
    bool by_content = true;
    bool by_location = true;
};

/// The read weights of a neural Turing machine's head over memory cells (Graves, Wayne and Danihelka 2014,
/// equations 5 to 9), its focus on the first cell before it starts.
HeadResult turing_read(const Head& head, const ReadControl& control);

/// Learned memories [slots, d] in place of keys and values, doubly normalised (Guo et al. 2021, equations 5
/// and 6). The weights: how much of what i reads comes from slots that j shares in.
HeadResult external_attention(const Head& head, const Matrix& memory_keys, const Matrix& memory_values);

/// Keys that a cache of `capacity` rows still holds: of the allowed ones, the last so many.
Allowed newest(const Allowed& allowed, std::size_t capacity);

}  // namespace headlight::reference
