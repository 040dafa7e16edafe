#pragma once

#include "core/analysis/head_overview.h"
#include "core/figure/figure.h"
#include "core/figure/view_settings.h"

#include <span>
#include <string>
#include <vector>

namespace headlight {

/// Where the heads of a run stand in a picture of all of them: layers below one another, heads beside one
/// another.
struct HeadPlaces {
    std::vector<std::string> sites;  ///< a row each, in the order of the overview
    Index heads = 0;                 ///< most of one site

    explicit HeadPlaces(const HeadOverview& overview);
    /// The cell of the head, in rows of `heads`.
    std::size_t cell(const HeadRow& head) const;
    Index rows() const { return static_cast<Index>(sites.size()); }
};

/// Whether each head is a place of its own, whose name is all that is known of it ("L5H8"): no head has a
/// number that could be written beside it.
bool heads_are_places(const HeadOverview& overview);

/// A mark for every head of the overview, in its order. Their names: "layer 5, head 12", "encoder layer 1,
/// head 2", "head 3" where there is one place, in short "5.12", "encoder 1.2", "3"; people count from 1.
/// Those that are places have the names of these.
std::vector<HeadMarks::Head> marks_of_heads(const HeadOverview& overview, bool has_layers);

/// The metrics that the scatter draws: those that are asked for, and where there is no such one the first
/// that no other part has. `metrics` are not empty.
ScatterAxes shown_metrics(std::span<const std::string> metrics, const ScatterAxes& asked);

/// A line of cells through the maps of a grid with so many of them in a row, that is row / map_rows; NaN
/// where no head is, -infinity where all that a cell stands for is forbidden. `numbers` [columns *
/// map_columns].
void write_map_row(const HeadMarks& marks, Index columns, Index row, std::span<float> numbers);

}  // namespace headlight
