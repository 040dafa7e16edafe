#pragma once

#include "core/nn/graph_attention.h"

#include <memory>

namespace headlight {

enum class SitePlace {
    encoder,  ///< a sequence that is there as a whole
    decoder,  ///< a sequence that grows: no token looks at later ones
    cross,    ///< tokens of a decoder look at an encoded source
    step,     ///< so does the state of a recurrent decoder, one at a time
};

/// With so many heads, unless it has a single one; and with as many of keys and values as divide them.
AttentionSpec with_heads(AttentionSpec mechanism, Index heads);

/// A mechanism as a layer of a model at this place. The model gives it learned projections where it takes
/// them, and in a decoder a causal mask beside its own. `key_width` is that of a source whose vectors have
/// another than `width`, else 0. Throws Error where it cannot be there, or cannot learn.
std::shared_ptr<const nn::GraphAttention> mechanism_at(const AttentionSpec& mechanism, SitePlace place,
                                                       Index width, Index longest, Index key_width = 0);

}  // namespace headlight
