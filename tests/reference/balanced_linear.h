#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// Linear attention whose rows sum to 1 by what is taken off them.
struct BalancedLinear {
    enum class Map { identity, relu, elu } map = Map::identity;
    bool is_scaled = true;      ///< products over sqrt(d) and the number of keys, as the authors' code has it
    bool by_magnitude = false;  ///< MALA (Fan et al. 2025); otherwise InLine (Han et al. 2024, equation 5)
    Row filter;                 ///< along the values, see add_filtered_values(); or none
};
HeadResult balanced_linear(const Head& head, const BalancedLinear& setting);

}  // namespace headlight::reference
