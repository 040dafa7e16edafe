#pragma once

#include "core/map/head_rows.h"
#include "core/map/known_rows.h"
#include "core/map/recently_used.h"

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
    std::vector<std::optional<Index>> windows{};
    std::optional<double> softcap{};
    /// [layer, head], or [head] for all layers: a logit that takes part in the sum and gets no weight. Empty:
    /// there is none.
    std::vector<std::vector<double>> sinks{};
};

/// Returns the extents of the maps [layer, head, query, key] that queries [layer, head, token, d] and keys
/// [layer, key head, token, d] make, as sources whose last axis is d. Throws Error where they do not belong
/// together.
MapSource::Extents recomputed_extents(const MapSource::Extents& queries, const MapSource::Extents& keys);

/// What the scores of one map follow from: its queries and keys, each one map [token, d] of a source whose
/// last axis is d.
struct ScoreFactors {
    std::shared_ptr<const MapSource> queries, keys;
    MapPlace of_queries, of_keys;
    double scale = 1;
    std::optional<double> softcap{};
};

/// Maps that are recomputed where someone looks: n d numbers instead of n n. For n tokens, heads of width d,
/// and fewer heads of keys where groups share them. Once the rows of a block have been read in any way, the
/// largest score and the sum of each are known: to read the block again takes its cells times d
/// multiply-adds, and a block that the mask forbids takes none.
class QueryKeyMaps : public MapSource {
public:
    /// Queries [layer, head, token, d] and keys [layer, key head, token, d], as sources whose last axis is d.
    /// Throws Error where they do not belong together, and for terms of other layers or heads.
    QueryKeyMaps(std::shared_ptr<const MapSource> queries, std::shared_ptr<const MapSource> keys,
                 QueryKeyTerms terms);

    ScoreFactors factors(MapPlace place) const;
    KeyRange allowed_keys(MapPlace place, Index query) const override;
    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override;
    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override;
    void read_folded(MapPlace place, Index first, Index count, Index width,
                     std::span<FoldedCell> to) const override;

private:
    HeadTerms terms_of(MapPlace place) const;
    /// Returns the place of the keys that the head shares with its group.
    MapPlace key_place(MapPlace place) const;
    std::shared_ptr<const PackedKeys> keys_of(MapPlace place) const;
    std::shared_ptr<KnownRows<RowSum>> sums_of(MapPlace place) const;

    std::shared_ptr<const MapSource> queries_, keys_;
    QueryKeyTerms terms_;
    const kernels::Table<double>& kernels_;
    mutable RecentlyUsed<MapPlace, const PackedKeys> packed_;
    mutable RecentlyUsed<MapPlace, KnownRows<RowSum>> sums_;
};

/// Returns the factors of maps that are recomputed, also in a part of a capture; nothing for others, whose
/// queries and keys nobody knows.
std::optional<ScoreFactors> score_factors(const MapSource& maps, MapPlace place);

}  // namespace headlight
