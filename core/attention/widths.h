#pragma once

#include "core/attention/parameters.h"

namespace headlight {

/// Extents of everything that a spec computes, before any of it is allocated.
struct Widths {
    Index query = 0;      ///< of q over all heads
    Index key = 0;        ///< of k over all kv heads
    Index value = 0;      ///< of v over all kv heads
    Index attention = 0;  ///< d_a of concat and additive, else 0
    Index output = 0;     ///< d_out
};

/// The formula asks for W_q and W_k, W_v, W_o.
bool projects_queries(const AttentionSpec& spec);
bool projects_values(const AttentionSpec& spec);
bool projects_output(const AttentionSpec& spec);
/// The algorithm has matrices of its own in the place of W_o.
bool makes_output(const AttentionSpec& spec);
/// The algorithm has its own: no W_k and W_v are asked for.
bool makes_keys_and_values(const AttentionSpec& spec);

/// Works the widths out from the spec, the tokens and the given matrices. Throws Error when heads do not
/// divide them, when a score needs q and k of one width and they differ, or when a given matrix is not a
/// matrix.
Widths widths_of(const AttentionSpec& spec, const TokenDimensions& tokens,
                 const std::map<std::string, Tensor>& given);

}  // namespace headlight
