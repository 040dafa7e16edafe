#pragma once

#include "core/tensor/tensor.h"

#include <span>
#include <vector>

namespace headlight {

struct GraphEdge {
    Index from = 0, to = 0;  ///< `from` is smaller
    bool operator==(const GraphEdge&) const = default;
};

/// Where the nodes of a graph stand in columns, so that every edge leads to the right and few of them cross.
struct LayeredGraph {
    struct Place {
        Index column = 0;
        double lane = 0;  ///< from 0; columns that have fewer nodes are in the middle
    };
    std::vector<Place> nodes;
    std::vector<std::vector<double>> via;  ///< [edge]: its lanes in the columns between its ends
    Index columns = 0, lanes = 0;
};

/// A node stands behind the longest way that leads to it; one to which none leads, right before the first
/// that it leads to, but for the first node. Edges that pass columns have lanes of their own there.
LayeredGraph layered(Index nodes, std::span<const GraphEdge> edges);

}  // namespace headlight
