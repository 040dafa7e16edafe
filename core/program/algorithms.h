#pragma once

#include "core/attention/composer.h"

namespace headlight {

// Contexts [h, n, d_v] of algorithms, each of which assigns its weights as `weights`: what algorithms.cpp
// lists.

// algorithms_recurrent.cpp
Expression write_delta(Composer& composer);  ///< the delta rule, plain, gated by head, gated by feature
Expression write_rwkv4(Composer& composer);

// algorithms_images.cpp
Expression write_squeeze_excitation(Composer& composer);
Expression write_convolutional_block(Composer& composer);
Expression write_energy_gate(Composer& composer);

// algorithms_memory.cpp
Expression write_mesa(Composer& composer);
Expression write_turing(Composer& composer);

// algorithms_sparse.cpp
Expression write_native_sparse(Composer& composer);

/// 1 / sqrt(d_k) where the algorithm's option "scaled" says so, else 1.
Expression scale_of_queries(Composer& composer);
/// weights times values, as `context`.
Expression write_attended_values(Composer& composer, const Expression& weights);

}  // namespace headlight
