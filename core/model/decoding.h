#pragma once

#include "core/model/host.h"

namespace headlight {

/// What a model says with the likeliest token at each step: for each sequence its tokens up to the end, without it.
/// `given`, [b] of at least one token each, is what it starts from; those of a batch must be equally long.
std::vector<std::vector<Index>> decode_greedily(const Host& host, std::span<const float> weights,
                                                const Sequences& source, std::span<const std::vector<Index>> given,
                                                Index end, Index longest);

/// The number of the largest.
Index likeliest(std::span<const float> logits);

}  // namespace headlight
