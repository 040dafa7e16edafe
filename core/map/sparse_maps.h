#pragma once

#include "core/map/map_source.h"

#include <string>
#include <vector>

namespace headlight {

/// One map [1, 1, query, key] of which a few weights of each row are known. All others are NaN: missing, and
/// not zero.
class SparseMaps : public MapSource {
public:
    struct Weight {
        Index cell = 0;  ///< query * keys + key
        double weight = 0;
    };

    /// `weights` in ascending order of their cells, each cell once and in the map. `left_out` says in words
    /// which weights are missing.
    SparseMaps(Index queries, Index keys, std::vector<Weight> weights, std::string left_out);

    std::string left_out() const override { return left_out_; }
    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override;
    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override;
    /// Takes time for the cells and the known weights, and not for the missing ones.
    void read_folded(MapPlace place, Index first, Index count, Index width,
                     std::span<FoldedCell> to) const override;

private:
    /// The known weights from one cell of the map to before another.
    std::span<const Weight> between(Index begin, Index end) const;

    std::vector<Weight> weights_;
    std::string left_out_;
};

}  // namespace headlight
