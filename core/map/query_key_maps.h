#pragma once

#include "core/attention/buffer.h"
#include "core/attention/kernels/kernels.h"
#include "core/map/map_source.h"

#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace headlight {

/// How weights follow from queries and keys that a model has projected and rotated: scores q . k times
/// `scale`, then c tanh(s / c) where there is a softcap c, then the mask, then a softmax over the keys and
/// the head's sink.
struct QueryKeyTerms {
    double scale = 1;
    bool causal = false;
    /// [layer], or one for all: a window w allows 0 <= i - j < w; nothing is no window. Empty: no layer has
    /// one.
    std::vector<std::optional<Index>> windows;
    std::optional<double> softcap;
    /// [layer, head], or [head] for all layers: a logit that takes part in the sum and gets no weight. Empty:
    /// there is none.
    std::vector<std::vector<double>> sinks;
};

/// Maps that are recomputed, row by row, where someone looks: n d numbers instead of n n. For n tokens, heads
/// of width d, and fewer heads of keys where groups share them.
class QueryKeyMaps : public MapSource {
public:
    /// Queries [layer, head, token, d] and keys [layer, key head, token, d], as sources whose last axis is d.
    /// Throws Error where they do not belong together, and for terms of other layers or heads.
    QueryKeyMaps(std::shared_ptr<const MapSource> queries, std::shared_ptr<const MapSource> keys,
                 QueryKeyTerms terms);

    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override;

private:
    /// The keys of one head, as the product reads them.
    struct PackedKeys {
        MapPlace place;
        Buffer<double> numbers;
    };
    std::shared_ptr<const PackedKeys> keys_of(MapPlace place) const;
    /// Scores to weights, in place.
    void normalize(MapPlace place, Index query, std::span<double> row) const;

    std::shared_ptr<const MapSource> queries_, keys_;
    QueryKeyTerms terms_;
    const kernels::Table<double>& kernels_;
    mutable std::mutex mutex_;
    /// Of the heads that were looked at last: as many as threads may look at in turn.
    mutable std::deque<std::shared_ptr<const PackedKeys>> packed_;
};

}  // namespace headlight
