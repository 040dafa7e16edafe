#pragma once

#include "core/analysis/head_table.h"
#include "core/map/thumbnail.h"

namespace headlight {

/// What views of all heads show of each: a small picture of its map, and numbers that say what it looks at.
struct HeadOverview {
    std::vector<HeadRow> heads;       ///< of a model every one; of a mechanism those of its own
    std::vector<Thumbnail> pictures;  ///< [head]
    bool has_statistics = false;      ///< until then the numbers of the heads are empty
    WeightLens lens{};                ///< through which they are seen

    /// The share of the weights that the hidden keys had, mean over the heads; nothing where it is not known.
    std::optional<double> hidden_mass() const;

    /// The number of a statistic, by its place in head_statistics(); nothing where it is not known.
    std::optional<double> number(std::size_t head, std::size_t statistic) const {
        return has_statistics ? heads[head].numbers[statistic] : std::nullopt;
    }
};

/// Makes the pictures alone, which are there long before the numbers are. Can be interrupted.
HeadOverview pictured_heads(std::span<const LabelledMaps> maps);
/// The same with the numbers, as head_table() counts them. Can be interrupted.
HeadOverview with_statistics(HeadOverview overview, std::span<const LabelledMaps> maps,
                             const std::function<void(double share)>& progress = {});

}  // namespace headlight
