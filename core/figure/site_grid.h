#pragma once

#include "core/figure/figure.h"

namespace headlight {

/// Panels of the sites of one model, filled by rows.
struct SiteGrid {
    std::vector<Panel> panels;
    Index columns = 1;
};

/// One row per layer and one column per kind of site: decoder.1.cross stands under decoder.0.cross, beside
/// decoder.1.self. Places that a layer does not have stay empty. Nothing where the sites are not of layers
/// (STACK.LAYER.KIND), or all of one kind.
std::optional<SiteGrid> by_layers(const std::vector<Panel>& panels);

}  // namespace headlight
