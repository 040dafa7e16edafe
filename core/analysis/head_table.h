#pragma once

#include "core/analysis/head_statistics.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// A head of some maps with its numbers: one for each of head_statistics(), or for what others have counted.
struct HeadRow {
    std::string maps;  ///< which of several maps; empty where there are no others
    std::string site;  ///< the place in a trace (site_at())
    MapPlace place;
    HeadNumbers numbers;
    std::vector<double> distances{};  ///< HeadCounts::distances
    /// The DistanceBins of its map begin with first_query_place().
    Index queries = 0, keys = 0, first_place = 0;

    /// Its layer in the model, from 1: where only some layers are there it is not their place among these.
    Index layer_number() const;
};

/// A row for each head of each of the maps, in their order, on all processors. Can be interrupted. `progress`
/// is told, by any thread, what share of the rows is counted.
std::vector<HeadRow> head_table(std::span<const LabelledMaps> maps,
                                const std::function<void(double share)>& progress = {});

/// Without the heads of mechanisms that a trace has beside its own.
std::vector<HeadRow> own_heads(std::vector<HeadRow> table);

/// The places of the statistics that tell something here: without those that compare where nothing is
/// compared, and without what hidden keys had where none is hidden.
std::vector<std::size_t> known_statistics(std::span<const HeadRow> heads);

/// As RFC 4180: layer, head (both from 1), the numbers in these columns, which `names` has for all of them,
/// and where there are several maps which ones.
std::string head_table_csv(std::span<const HeadRow> heads, std::span<const std::string> names,
                           std::span<const std::size_t> columns);

/// How far each head looks, a row for each of its DistanceBins: layer, head (both from 1), the least and the
/// greatest distance in it, the share of the keys so far away, and where there are several maps which ones.
/// A head that no row tells anything of has no rows.
std::string distance_csv(std::span<const HeadRow> heads);

}  // namespace headlight
