#pragma once

#include "core/attention/component.h"

#include <cmath>
#include <utility>

namespace headlight {

// What algorithms share that divide each head's context by its own root mean square and then multiply it by
// less in deeper layers.

/// Is added to the mean square under the root, as the authors' code has it.
inline constexpr double smallest_context_variance = 1e-5;

/// λ = 0.8 − 0.6 exp(−0.3 layer), of the option `layer` (Ye et al. 2025): a context is multiplied by 1 − λ.
inline double lambda_of_layer(const Options& options) {
    return 0.8 - 0.6 * std::exp(-0.3 * static_cast<double>(options.count("layer")));
}

/// The number of the layer, from 0. `help` says what becomes of it.
inline Option declared_layer(std::string help) {
    return count_option("layer", "Layer", 0, {0, 100}, std::move(help));
}

}  // namespace headlight
