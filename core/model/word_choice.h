#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>

namespace headlight {

/// How a token is chosen from the logits.
struct Sampling {
    double temperature = 0;  ///< 0: the likeliest
    Index top_k = 0;         ///< only among so many; 0: among all
    double top_p =
        1;  ///< only among the likeliest that reach this probability together (Holtzman et al. 2020)
    bool operator==(const Sampling&) const = default;
};

inline constexpr Index widest_beam = 16;

/// How the words are found that nobody has decided. What the other ways need is kept beside the one in use.
struct WordChoice {
    enum class Way {
        greedy,  ///< the likeliest at each step
        beam,    ///< the likeliest text among `beam_width` that grow side by side
        sample,  ///< drawn
    };
    Way way = Way::greedy;
    Index beam_width = 4;
    Sampling sampling{.temperature = 1};
    std::uint64_t seed = 1;  ///< decides what is drawn
    bool operator==(const WordChoice&) const = default;
};

}  // namespace headlight
