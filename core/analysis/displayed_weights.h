#pragma once

#include "core/analysis/rollout.h"
#include "core/attention/trace.h"
#include "core/map/map_tiles.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// Why the norms of what keys give cannot stand for the weights at a site, in words; empty if they can.
std::string value_norms_lack(const Trace& trace, const std::string& site);

/// Whether the trace knows the matrix that values are multiplied by before their norm is taken.
bool knows_output_matrix(const Trace& trace, const std::string& site);

class ValueNorms;

/// The weights of one site of a trace through a lens, in stages [head, query, key] or [query, key]. The trace
/// has to be there for as long as this is; tiles need it no more.
class DisplayedWeights {
public:
    /// Throws Error for norms where value_norms_lack() something, for a rollout where rollout_lack(), for
    /// pooled layers where layers_lack(), and for a rollout of norms, which are no shares, or of pooled
    /// layers.
    DisplayedWeights(const Trace& trace, const std::string& site, WeightLens lens);

    struct Rows {
        Storage<const double>
            weights;  ///< [row, key]; NaN where a key is hidden, and in rows that had nothing else
        std::optional<double> hidden_mass{};  ///< mean over the rows; nothing where no key is hidden
    };
    /// Returns `count` rows of a head. Any head stands for pooled heads; pooled layers are those of the
    /// weights. Throws Error where lazy numbers cannot be read.
    Rows rows(const Stage& stage, Index head, Index first, Index count) const;
    /// All rows of a map that is kept.
    Rows map(const Stage& stage, Index head) const;
    /// Returns the tiles of a stage that is large. Pooled layers are its layer 0.
    std::shared_ptr<const MapTiles> tiles(const Stage& stage) const;

private:
    Rows seen(Storage<const double> numbers, Index head, Index keys) const;
    Rows rows_of_head(const Stage& stage, Index head, Index first, Index count) const;
    Rows rows_of_own_layer(const Stage& stage, Index head, Index first, Index count) const;
    Rows rows_of_rollout(Index keys, Index first, Index count) const;

    const Trace& trace_;
    WeightLens lens_;
    std::shared_ptr<const ValueNorms> norms_;  ///< null where weights are drawn as they are
    std::vector<LayerWeights> layers_;         ///< of a rollout
    std::vector<DisplayedWeights> pooled_layers_;   ///< each by itself; empty where layers are not pooled
    std::vector<const Stage*> layer_stages_;   ///< the weights of each
};

/// maps_of(trace, other) with what stands for the weights in them, and the lens beside them. Of sparse rows
/// no key is hidden: what one would leave to the others is not known. Heads are not pooled. Throws Error for
/// norms at a site that lacks something.
std::vector<LabelledMaps> seen_maps(const std::shared_ptr<const Trace>& trace,
                                    const std::shared_ptr<const Trace>& other, const WeightLens& lens);

}  // namespace headlight
