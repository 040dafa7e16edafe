#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// h <- f h + (1 - f) silu(v), o = silu(q) h, f = least + (1 - least) sigmoid(k), feature by feature (Qin et
/// al. 2023). A query reads the state that the newest token has left which it sees; the weights are the mean
/// of the features' maps.
HeadResult vector_states(const Head& head, Number least);

}  // namespace headlight::reference
