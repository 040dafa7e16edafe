#pragma once

#include "core/figure/panel_maker.h"

#include <optional>
#include <vector>

namespace headlight {

/// One row of the weights at the site in view, as they are drawn: what the selected query takes from each
/// key, in the selected head.
struct ArrivingWeights {
    std::vector<double>
        weights;  ///< [key]; NaN where a key is hidden, or a weight is not known; may be empty
    Index query = 0, head = 0, heads = 1;
    std::optional<double> hidden_mass{};

    /// 0 to 1: how thick the arrow of a key is beside the thickest; 0 where none is drawn.
    double share(std::size_t key) const;
    /// Keys whose weight is no more than a fiftieth of the largest, but not 0.
    Index too_small() const;
    /// Those with the largest weights, whatever their signs.
    std::vector<std::size_t> largest(std::size_t count) const;

private:
    double most() const;
};

/// Reads that row alone. Empty where nothing attends there.
ArrivingWeights arriving_weights(const PanelMaker& maker);

}  // namespace headlight
