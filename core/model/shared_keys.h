#pragma once

#include "core/model/mechanism_site.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

// Layers without keys and values of their own: they attend to those that an earlier layer of the same stack
// has made (cross-layer attention, Brandon et al. 2024).

/// For each layer of a stack the one, from 0, whose keys and values it attends to; nothing: its own.
using SharedKeys = std::vector<std::optional<Index>>;

/// Those of a stack whose layers say it, as LayerSpec does.
template <class Layer>
SharedKeys shares_of(const std::vector<Layer>& layers) {
    SharedKeys shares;
    for (const Layer& layer : layers)
        shares.push_back(layer.shares);
    return shares;
}

/// Throws Error, of `what` and `where`, unless the layer has keys and values of its own or those of an
/// earlier layer that does.
void require_earlier_keys(const SharedKeys& shared, std::size_t layer, const std::string& what,
                          const std::string& where);

/// Throws Error unless both mechanisms make keys and values by parameters of the same names and shapes, for
/// as many heads and with the same places. `maker` says in errors which layer has made them: "layer 1".
void require_same_keys(const nn::GraphAttention& layer, const nn::GraphAttention& made_by,
                       const std::string& maker);

/// The mechanism of a layer at this place, which must not be `cross`, asked with key tokens of another layer:
/// as many as queries, at the same places. Throws Error where it cannot be.
std::shared_ptr<const nn::GraphAttention> with_keys_of_another(const nn::GraphAttention& layer,
                                                               SitePlace place, Index width, Index longest);

/// Those of a layer's weights that make its keys and values: a layer that shares these has the same ones.
nn::NamedWeights weights_of_keys(const nn::NamedWeights& weights);

}  // namespace headlight
