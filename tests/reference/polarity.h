#pragma once

#include "tests/reference/attention.h"

#include <optional>

namespace headlight::reference {

/// PolaFormer (Meng et al. 2025): products of features of like and of unlike signs, of each head.
struct Polarity {
    Row powers, scales;  ///< [d]: before their sigmoid and their softplus
    Number reach = 4;
    std::optional<Matrix> gate = {};  ///< [n, d_v]: what each context is multiplied by
    Row filter = {};                  ///< along the values, see add_filtered_values(); or none
};
/// The mean of both maps, and the context with each half of the values by its own.
HeadResult polarity(const Head& head, const Polarity& setting);

}  // namespace headlight::reference
