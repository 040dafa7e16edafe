#pragma once

#include "core/tensor/tensor.h"

#include <span>
#include <vector>

namespace headlight {

/// Token numbers of several sequences side by side: row t b + i is token t of sequence i, as core/nn lays
/// them out. Behind the end of a sequence stands `none`.
struct Sequences {
    static constexpr Index none = -1;

    Index batch = 0;             ///< b
    Index steps = 0;             ///< of the longest
    std::vector<Index> tokens;   ///< [steps b]
    std::vector<Index> lengths;  ///< [b]

    std::span<const Index> at(Index step) const {
        return std::span(tokens).subspan(static_cast<std::size_t>(step * batch),
                                         static_cast<std::size_t>(batch));
    }
};

Sequences side_by_side(std::span<const std::vector<Index>> sequences);
/// Some of the steps of all of them.
Sequences step_range(const Sequences& all, Index first, Index steps);

/// Where the rows of so many steps stand in their sequences: row t b + i at place first + t.
std::vector<Index> places_from(Index first, Index steps, Index batch);

/// What a model learns from at once. A decoder is given `inputs` ("<s> le chat") and is to say `labels`
/// ("le chat </s>"). Without a source the model reads only what it has said.
struct Batch {
    Sequences source;
    Sequences inputs;
    Sequences labels;
};

}  // namespace headlight
